"""Figures that the project has targets for: medians of five, printed with the machine's load."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

TIMES = 5
ROOM = 2.0
"""How often its target a median may be on a machine that does nothing else."""


def load() -> float:
    """What waited for a processor in the last minute, on average."""
    return os.getloadavg()[0]


def held(what: str, took: Sequence[float], target: float) -> None:
    """Print each figure, their median and the load; fail if the median is far above what the load explains.

    Where more waits than there are processors, everything takes as much longer: the bound follows it.

    Args:
        what: what took so long.
        took: seconds, ``TIMES`` of them.
        target: seconds, on a machine that does nothing else.
    """
    assert len(took) == TIMES
    middle, now, processors = statistics.median(took), load(), os.cpu_count() or 1
    each = ", ".join(f"{one:.2f}" for one in took)
    print(
        f"\n{what}: median {middle:.2f} s (target {target:.0f} s) of {each}; load {now:.1f} on {processors} processors"
    )
    assert middle < target * ROOM * max(1.0, now / processors), f"{what}: {middle:.1f} s with load {now:.1f}"
