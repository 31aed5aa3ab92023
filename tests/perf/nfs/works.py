"""What is measured: works, how many clients do each, and in what unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of it: bytes that one client and each of many write, bytes of the file with random places, seconds."""

    one: int = 64 * MIB
    many: int = 16 * MIB
    spread: int = 32 * MIB
    seconds: float = 2.0
    files: int = 10_000


QUICK: Final = Sizes(8 * MIB, 2 * MIB, 4 * MIB, 0.2, 200)


@dataclass(frozen=True, slots=True)
class Work:
    """One row: ``name`` of the client's work with ``arguments``, done by ``clients`` at a time."""

    title: str
    name: str
    clients: int
    arguments: tuple[tuple[str, Any], ...] = ()

    @property
    def streams(self) -> bool:
        """Whether bytes count, in MiB; else operations."""
        return self.name in ("write", "read")

    @property
    def unit(self) -> float:
        """Of the amount that a client tells, what makes one of the table."""
        return float(MIB) if self.streams else 1.0

    @property
    def per(self) -> float:
        """Of the table's amount, what CPU time is told for: a GiB, or 1,000 operations."""
        return 1024.0 if self.streams else 1000.0

    def asked(self, sizes: Sizes, number: int) -> dict[str, Any]:
        """What client ``number`` is told."""
        own, size = ("one", sizes.one) if self.clients == 1 else (f"of{number}", sizes.many)
        common = {"own": own, "size": size, "spread": sizes.spread, "seconds": sizes.seconds}
        return {"work": self.name, **common, "files": sizes.files, **dict(self.arguments)}


def _small(write: bool, depth: int) -> tuple[tuple[str, Any], ...]:
    return (("write", write), ("depth", depth))


def works(many: int) -> list[Work]:
    """All of them, by one client and by ``many``."""
    return [
        Work(f"{title}, {clients} client{'s' if clients > 1 else ''}", name, clients, arguments)
        for title, name, arguments in _KINDS
        for clients in (1, many)
    ]


_KINDS: Final[tuple[tuple[str, str, tuple[tuple[str, Any], ...]], ...]] = (
    ("sequential write, MiB/s", "write", ()),
    ("sequential read, MiB/s", "read", ()),
    ("4 KiB random read, depth 1, /s", "small", _small(False, 1)),
    ("4 KiB random read, depth 16, /s", "small", _small(False, 16)),
    ("4 KiB durable write, depth 1, /s", "small", _small(True, 1)),
    ("4 KiB durable write, depth 16, /s", "small", _small(True, 16)),
    ("create, write, close, unlink, /s", "create", ()),
    ("stat, /s", "stat", ()),
    ("readdir, entries/s", "readdir", ()),
)
