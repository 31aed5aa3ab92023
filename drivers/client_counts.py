"""What clients do on shares, as a back end's servers count it since their start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

KINDS: Final = ("read", "write", "other")


@dataclass(frozen=True, slots=True)
class Count:
    """Of one kind of operation. ``seconds``: how long the server worked at all of them; 0 where it does not say."""

    operations: int = 0
    errors: int = 0
    seconds: float = 0.0
    bytes: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.operations + other.operations,
            self.errors + other.errors,
            self.seconds + other.seconds,
            self.bytes + other.bytes,
        )


Counts = tuple[Count, Count, Count]
"""Of reads, writes and other operations."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a share server: by share instance (or snapshot instance that is mounted), and by address of the client."""

    shares: Mapping[str, Counts] = field(default_factory=dict)
    clients: Mapping[str, Counts] = field(default_factory=dict)


def operations(counts: Counts) -> int:
    """All together."""
    return sum(one.operations for one in counts)


@dataclass(frozen=True, slots=True)
class Seen:
    """A share server as it was seen. ``shares``: id of the share of each instance; what is not known is left out."""

    server: str
    statistics: Statistics
    project: str = ""
    shares: Mapping[str, str] = field(default_factory=dict)
