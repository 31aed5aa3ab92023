"""Lists that the original returns in the order its database finds them: ours is put into the same order to compare.

The items are then compared field by field as in any other list, and an id that a sequence keeps from the N-th item is
that of the same thing on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

OPERATIONS = frozenset(
    f"{kind}.{form}"
    for kind in ("share_instances", "share_replicas", "snapshot_instances")
    for form in ("list", "detail", "list_by_share")
)
CERTAIN = 1000
"""What an id that is known to be the same, or another, weighs against fields that happen to be equal."""
MARK = re.compile(r"<(uuid_?|hex):(\d+)>")

Json = Any


class Likeness:
    """How much an item of ours is like one of the original's.

    Args:
        theirs: an item with the original's ids as marks (the runner's template); ``ours`` likewise.
        numbers: number of one of our ids -> that of the original's for the same thing, as far as it is known.
    """

    def __init__(self, theirs: Callable[[Json], Json], ours: Callable[[Json], Json], numbers: dict[str, str]) -> None:
        self._theirs, self._ours, self._numbers = theirs, ours, numbers

    def of(self, one: Json, other: Json) -> int:
        left, right = self._theirs(one), self._ours(other)
        return sum(self._field(left[key], right[key]) for key in left if key in right)

    def _field(self, left: Json, right: Json) -> int:
        here, there = MARK.fullmatch(str(left)), MARK.fullmatch(str(right))
        if not (here and there):
            return int(left == right)
        known = self._numbers.get(there[2])
        if known is None:
            return -CERTAIN if here[2] in self._numbers.values() else 0
        return CERTAIN if known == here[2] else -CERTAIN


def arrange(theirs: Json, ours: Json, likeness: Likeness) -> None:
    """Put the items of each list in ``ours`` into the order of ``theirs``; what is like none comes last."""
    for name, wanted in theirs.items() if isinstance(theirs, dict) and isinstance(ours, dict) else ():
        left = ours.get(name)
        if not (isinstance(wanted, list) and isinstance(left, list) and all(isinstance(one, dict) for one in left)):
            continue
        rest, found = list(left), []
        for one in wanted:
            if rest:
                best = max(rest, key=lambda other: likeness.of(one, other))
                rest.remove(best)
                found.append(best)
        left[:] = found + rest
