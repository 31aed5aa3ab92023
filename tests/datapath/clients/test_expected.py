"""The judgement of a suite by its pass list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.datapath.clients.suites import expected, standard
from tests.datapath.clients.suites.running import Outcome

LISTED = "failures: {known: documented}\npasses: [one, two]\n"


@pytest.mark.parametrize(
    ("share", "local", "wrong"),
    [
        (Outcome(("one", "two"), {"known": "x"}), Outcome(), []),
        (Outcome(("one",), {"known": "x", "two": "boom"}), Outcome(("two",)), ["two fails on the share: boom"]),
        (Outcome(("one",), {"known": "x", "two": "boom"}), Outcome((), {"two": "boom"}), []),
        (Outcome(("one",), {"known": "x"}), Outcome(), ["two did not run"]),
        (Outcome(("one", "two", "known")), Outcome(), ["known passes: take it out of the failures of s.yaml"]),
    ],
    ids=["as-listed", "fails", "fails-locally-too", "stopped-early", "better-than-listed"],
)
def test_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: Outcome, local: Outcome, wrong: list[str]
) -> None:
    (tmp_path / "s.yaml").write_text(LISTED)
    monkeypatch.setattr(expected, "HERE", tmp_path)
    assert expected.judged("s", share, local) == wrong


def test_every_suite_has_a_list() -> None:
    assert {file.stem for file in expected.HERE.glob("*.yaml")} == set(standard.SUITES)


def test_cases_of_pjdfstest() -> None:
    lines = (
        "chown::lchown::erofs_named                                               skipped",
        "unlink::open_file_not_freed                                               FAILED",
        "unlink::remove_type::symlink                                                  ok",
        "\trequires features: rename_ctime",
        "Summary: 5 failed, 23 skipped, 370 passed, 0 expected failures, 398 total",
    )
    found = [match and match["end"] for match in map(standard.CASE.match, lines)]
    assert found == ["skipped", "FAILED", "ok", None, None]
