"""The judgement of a battery: differences need a documented limit, limits need a difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.datapath.clients import compare
from tests.datapath.clients.compare import Difference, differences, judged
from tests.datapath.clients.operations.runner import known
from tests.datapath.clients.pairs import PAIRS
from tests.datapath.kernel.kernels import NAMED

LIMITS = """
- {operation: a.b, questions: [x, y], share: ENOTSUP, kernels: ["5.10"], reason: older clients}
- {operation: a.c, questions: [z], versions: ["4.1"], always: false, reason: at times}
"""


@pytest.fixture(autouse=True)
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "limits.yaml").write_text(LIMITS)
    monkeypatch.setattr(compare, "LIMITS", tmp_path / "limits.yaml")


def test_what_differs() -> None:
    one, other = {"answer": {"x": 1, "y": [2]}, "seconds": 3}, {"answer": {"x": 1, "y": [3], "w": 0}, "seconds": 4}
    assert differences("a.b", one, other) == [Difference("a.b", "y", [2], [3]), Difference("a.b", "w", None, 0)]


def test_an_operation_that_failed_differs_as_a_whole() -> None:
    assert differences("a.b", {"answer": {}}, {"failed": "no"}) == [Difference("a.b", "outcome", "done", "no")]
    assert differences("a.b", {"failed": "no"}, {"failed": "no"}) == [Difference("a.b", "outcome", "no", "no")]


BOTH = [Difference("a.b", "x", "ok", "ENOTSUP"), Difference("a.b", "y", "ok", "ENOTSUP")]


def test_a_documented_limit_explains() -> None:
    assert judged(BOTH, ["a.b"], "5.10", "4.2") == []


@pytest.mark.parametrize(
    ("found", "kernel", "wrong"),
    [
        (BOTH, "7", ["a.b | x: ok locally", "a.b | y: ok locally"]),
        (BOTH[:1], "5.10", ["a.b | y: the limit is gone"]),
        ([], "5.10", ["a.b | x, y: the limit is gone"]),
        ([*BOTH, Difference("a.b", "new", 1, 2)], "5.10", ["a.b | new: 1 locally, 2 on the share"]),
        ([BOTH[0], Difference("a.b", "y", "ok", "EIO")], "5.10", ["a.b | y: ok locally, EIO", "a.b | y: the limit"]),
    ],
    ids=["other-kernel", "one-gone", "all-gone", "unknown", "other-answer"],
)
def test_what_is_wrong(found: list[Difference], kernel: str, wrong: list[str]) -> None:
    lines = judged(found, ["a.b"], kernel, "4.2")
    assert len(lines) == len(wrong)
    assert all(line.startswith(start) for line, start in zip(lines, wrong, strict=True))


def test_a_limit_that_is_not_always_there() -> None:
    assert judged([], ["a.c"], "7", "4.1") == []
    assert judged([Difference("a.c", "z", 1, 2)], ["a.c"], "7", "4.1") == []
    assert len(judged([Difference("a.c", "z", 1, 2)], ["a.c"], "7", "4.2")) == 1


def test_limits_of_operations_that_did_not_run_do_not_count() -> None:
    assert judged([], ["other"], "5.10", "4.2") == []


def test_the_list_names_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "LIMITS", Path(compare.__file__).parent / "limits.yaml")
    for limit in compare.limits():
        assert limit.operation in {*known(), *PAIRS}
        assert set(limit.kernels) <= NAMED.keys()
        assert set(limit.versions) <= {"4.1", "4.2"}
        assert limit.reason
