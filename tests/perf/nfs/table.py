"""The figures of a run as a table: medians with ranges, ratios round by round, and CPU time."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from tests.perf.nfs.sides import Measured
from tests.perf.nfs.works import Work

Rounds = Mapping[str, Sequence[Measured]]
"""Name of a side -> what it did in each round."""


def rates(found: Sequence[Measured]) -> list[float]:
    """Amount a second of each round."""
    return [one.amount / one.seconds for one in found]


def ratios(ours: Sequence[Measured], theirs: Sequence[Measured]) -> list[float]:
    """Round by round how many times as fast ours is."""
    return [a / b for a, b in zip(rates(ours), rates(theirs), strict=True)]


def spread(values: Sequence[float], form: str = ",.0f") -> str:
    """The median, and the lowest and the highest in brackets."""
    low, middle, high = (format(one, form) for one in (min(values), statistics.median(values), max(values)))
    return f"{middle} ({low}-{high})"


def cpu(work: Work, found: Sequence[Measured], which: str) -> float:
    """Seconds of CPU for a GiB or 1,000 operations, the median; ``which``: ``server`` or ``clients``."""
    return statistics.median(_seconds(one, which) / one.amount for one in found) * work.per


def busy(found: Sequence[Measured], which: str) -> float:
    """CPUs that were in use, the median."""
    return statistics.median(_seconds(one, which) / one.seconds for one in found)


def _seconds(one: Measured, which: str) -> float:
    return one.server if which == "server" else one.clients


def lines(results: Mapping[Work, Rounds], ours: str, beside: Sequence[str]) -> list[str]:
    """A markdown table: a row for each work, a column for each side, ratios of ``ours`` to those ``beside``."""
    sides = list(next(iter(results.values())))
    heads = [
        "work",
        *sides,
        *(f"{ours} : {one}" for one in beside),
        "server CPU s",
        "client CPU s",
        "CPUs: server, client",
    ]
    out = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for work, found in results.items():
        cells = [work.title, *(spread(rates(found[one])) for one in sides)]
        cells += [spread(ratios(found[ours], found[one]), ".2f") for one in beside]
        served = [one for one in sides if found[one][0].server]
        cells.append(" / ".join(f"{cpu(work, found[one], 'server'):.3g}" for one in served))
        cells.append(f"{cpu(work, found[ours], 'clients'):.3g}")
        cells.append(f"{busy(found[ours], 'server'):.2f}, {busy(found[ours], 'clients'):.2f}")
        out.append("| " + " | ".join(cells) + " |")
    return out


def document(results: Mapping[Work, Rounds]) -> list[dict[str, Any]]:
    """Everything that was measured, for programs."""
    return [
        {"work": work.title, "clients": work.clients, "side": side, "round": number, "amount": one.amount}
        | {"seconds": one.seconds, "server_cpu": one.server, "client_cpu": one.clients}
        for work, found in results.items()
        for side, rounds in found.items()
        for number, one in enumerate(rounds)
    ]
