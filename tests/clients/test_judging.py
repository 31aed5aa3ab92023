"""How the outputs of clients' sessions and suites are read: nothing that fails goes unseen."""

from __future__ import annotations

from typing import Any

from tests.clients import gosuites, run, terminal


def step(number: int, **values: Any) -> dict[str, Any]:
    return {"n": number, "who": "alice", "step": "share list", "verdict": "PASS", "code": 0, "out": ["a"], **values}


def test_a_step_counts_when_it_passed_and_printed_what_the_original_prints(monkeypatch: Any) -> None:
    monkeypatch.setitem(terminal.STEPS, "cli", 3)
    original = [step(1), step(2), step(3)]
    assert terminal.judge("cli", original, original) == []
    other = [step(1, verdict="SKIP", why="tag"), step(2, out=["b"]), step(3, code=1)]
    skipped, printed, ended = terminal.judge("cli", other, original)
    assert "SKIP tag" in skipped
    assert "original a" in printed and "here     b" in printed
    assert "exit status 1 instead of 0" in ended
    first, second = step(1, out=["a", "b"]), step(1, out=["b", "a"])
    assert "original b" in terminal.judge("cli", [first, *original[1:]], [second, *original[1:]])[0]
    assert "2 steps instead of 3" in terminal.judge("cli", original[:2], original)[0]


def test_only_what_may_be_under_way_may_differ(monkeypatch: Any) -> None:
    monkeypatch.setitem(terminal.STEPS, "sdk", 1)

    def rules(state: str, level: str = "rw") -> list[Any]:
        return [step(1, step="access_rules", out=f'[{{"access_level": "{level}", "state": "{state}"}}]')]

    assert terminal.judge("sdk", rules("applying"), rules("active")) == []
    assert terminal.judge("sdk", rules("error"), rules("active"))
    assert terminal.judge("sdk", rules("applying", "ro"), rules("active"))


def test_a_dashboard_that_stops_early_or_fails_is_reported() -> None:
    whole = "PASS login\n" * run.CHECKS["skyline"]
    assert run.judge("skyline", whole) == (12, [])
    assert run.judge("skyline", whole + "FAIL page x\n")[1] == ["FAIL page x"]
    assert "11 checks instead of 12" in run.judge("skyline", "PASS login\n" * 11 + "Traceback")[1][0]


def test_results_of_go_tests() -> None:
    text = "--- PASS: TestA (0.1s)\n    --- FAIL: TestB/inner (0.0s)\n--- FAIL: TestB (1s)\n--- SKIP: TestC (0s)\n"
    assert gosuites.judge_tests(text) == (1, ["TestB/inner", "TestB"])
    assert gosuites.judge_tests("--- PASS: TestA (0s)\npanic: test timed out") == (1, ["panic"])


def test_results_of_ginkgo_suites() -> None:
    good = "\x1b[32mRan 46 of 78 Specs\x1b[0m\n\x1b[1m46 Passed\x1b[0m | 0 Failed | 0 Pending | 32 Skipped"
    assert gosuites.judge_ginkgo(good) == (46, [])
    bad = "  [FAIL] CreateVolume [It] works\n45 Passed | 1 Failed | 0 Pending"
    assert gosuites.judge_ginkgo(bad) == (45, ["CreateVolume [It] works"])
    assert gosuites.judge_ginkgo("killed") == (0, ["no result"])


def test_the_recordings_of_the_original_are_whole() -> None:
    for kind, count in terminal.STEPS.items():
        recorded = terminal.recording(kind)
        assert len(recorded) == count
        assert all(one["verdict"] == "PASS" for one in recorded)
