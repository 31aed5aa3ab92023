"""The tables of the load tests, and when a comparison fails."""

from __future__ import annotations

from typing import Any

from tests.perf import figures, load


def _round(p50: float, p99: float) -> dict[str, Any]:
    return {"n": 10, "p50": p50, "p95": (p50 + p99) / 2, "p99": p99}


THEIRS = {"get@1": [_round(10, 20), _round(12, 30), _round(11, 25)]}
OURS = {"get@1": [_round(1, 5), _round(1, 40), _round(1, 5)]}


def test_every_percentile_is_shown_with_its_ratio() -> None:
    text = figures.beside(THEIRS, OURS, ("original", "ours"))
    assert [line.split()[1] for line in text.splitlines()[1:]] == ["p50", "p95", "p99"]
    assert text.splitlines()[1].split() == ["get@1", "p50", "11.00", "1.00", "11.0", "10.0..12.0"]
    assert text.splitlines()[3].split()[-2:] == ["4.0", "0.8..5.0"]
    assert figures.alone(OURS).splitlines()[1].split() == ["get@1", "30", "1.00", "3.00", "5.00"]


def test_a_slow_tail_fails_a_comparison_although_the_median_is_fast() -> None:
    assert figures.slower(THEIRS, OURS, 1) == []
    assert [one.split(":")[0] for one in figures.slower(THEIRS, OURS, 4.5)] == ["get@1 p99"]
    assert len(figures.slower(THEIRS, OURS, 100)) == 3


def test_steps_are_measurements_of_their_own() -> None:
    steps = {"create_post": _round(1, 2), "lifecycles_per_s": 3.0}
    assert figures.flat("lifecycle@4", steps) == {"lifecycle.create_post@4": _round(1, 2)}
    assert figures.alone({"nothing@1": [load.BENCH.summary([])]}).splitlines()[1].split()[1:] == ["0", "-", "-", "-"]
