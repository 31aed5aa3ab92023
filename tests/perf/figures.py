"""Latencies as a table: what was measured, its median, 95th and 99th percentile, and how many times as fast.

A result is what the vendored ``bench.py`` makes: ``n``, ``p50``, ``p95``, ``p99`` in milliseconds, or such results by
step.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

PERCENTILES = ("p50", "p95", "p99")
Rounds = Mapping[str, Sequence[Mapping[str, Any]]]
"""Name of what was measured -> its result of each round."""


def flat(name: str, result: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The results of one scenario by name; steps are ``SCENARIO.STEP``."""
    if "p50" in result:
        return {name: result}
    scenario, _, clients = name.partition("@")
    steps = {key: value for key, value in result.items() if isinstance(value, dict) and "p50" in value}
    return {f"{scenario}.{key}" + (f"@{clients}" if clients else ""): value for key, value in steps.items()}


def middle(rounds: Sequence[Mapping[str, Any]], percentile: str) -> float | None:
    """The median over the rounds of a percentile; None where nothing was measured."""
    known = [one[percentile] for one in rounds if one.get(percentile) is not None]
    return statistics.median(known) if known else None


def ratios(theirs: Sequence[Mapping[str, Any]], ours: Sequence[Mapping[str, Any]], percentile: str) -> list[float]:
    """Round by round how many times as fast ours is."""
    pairs = zip(theirs, ours, strict=True)
    return [a[percentile] / b[percentile] for a, b in pairs if a.get(percentile) and b.get(percentile)]


def alone(rounds: Rounds) -> str:
    """A line for each measurement of one service."""
    lines = [f"{'what':40} {'n':>7}" + "".join(f" {name + ', ms':>10}" for name in PERCENTILES)]
    for name, results in rounds.items():
        count = sum(one["n"] for one in results)
        lines.append(f"{name:40} {count:>7}" + "".join(f" {_text(middle(results, one)):>10}" for one in PERCENTILES))
    return "\n".join(lines)


def beside(theirs: Rounds, ours: Rounds, names: tuple[str, str]) -> str:
    """A line for each measurement and percentile of both services, with the ratio and its range over the rounds."""
    lines = [f"{'what':40} {'':>4} {names[0]:>12} {names[1]:>12} {'times as fast':>14} {'min..max':>16}"]
    for name, results in ours.items():
        for percentile in PERCENTILES:
            found = ratios(theirs[name], results, percentile)
            fast = f"{statistics.median(found):.1f}" if found else "-"
            span = f"{min(found):.1f}..{max(found):.1f}" if found else "-"
            both = f"{_text(middle(theirs[name], percentile)):>12} {_text(middle(results, percentile)):>12}"
            lines.append(f"{name:40} {percentile:>4} {both} {fast:>14} {span:>16}")
    return "\n".join(lines)


def slower(theirs: Rounds, ours: Rounds, least: float) -> list[str]:
    """What is less than ``least`` times as fast as the other's, by the median of each percentile's ratios."""
    found = []
    for name, results in ours.items():
        for percentile in PERCENTILES:
            pairs = ratios(theirs[name], results, percentile)
            if pairs and statistics.median(pairs) < least:
                found.append(f"{name} {percentile}: {statistics.median(pairs):.2f} times as fast, wanted {least:g}")
    return found


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
