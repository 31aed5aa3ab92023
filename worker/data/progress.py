"""How far a copy is, and what is to be said of it afterwards."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field

MOST_NOTICES = 20
"""So many files are named; of more than that only the number is known."""
NAME_WEIGHT = 1 << 14
"""Bytes that one name counts as in the percentage: a tree of small files takes as long as its names do."""
_WHY = {
    errno.ENOSPC: "the target is full",
    errno.EDQUOT: "the target's quota is used up",
    errno.EROFS: "the target can only be read",
    errno.ETIMEDOUT: "the server of the share or of the backup export does not answer",
    errno.ESTALE: "the share or the folder is gone, or was replaced",
    errno.EACCES: "permission denied: is root squashed there, or is the rule read-only?",
}


def explained(error: OSError) -> str:
    """Why something can't be copied, for an operator."""
    said = error.strerror or str(error)
    known = _WHY.get(error.errno or 0)
    # some errors of this package carry a text of their own
    return said if known is None or said != os.strerror(error.errno or 0) else f"{known} ({said})"


def readable(path: str) -> str:
    """A path as text that a database takes."""
    return os.fsencode(path).decode(errors="replace")


@dataclass(slots=True)
class Progress:
    """How far a copy is. Sizes are bytes; ``path`` is the file at work, below the tree's root.

    ``names`` are the files and folders that were counted before, ``done`` those that are copied. ``checked`` files were
    read back and compared; ``changed`` ones changed while they were read. ``notices`` name those and what was left out.
    ``lost`` are namespaces of extended attributes that the target does not keep.
    """

    total: int = 0
    copied: int = 0
    path: str | None = None
    file_size: int = 0
    file_copied: int = 0
    completed: bool = False
    names: int = 0
    done: int = 0
    checked: int = 0
    changed: int = 0
    left_out: int = 0
    notices: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)

    @property
    def percent(self) -> int:
        """0 to 100; 100 only when all is done, and for a tree without contents then too."""
        if self.completed:
            return 100
        total = self.total + self.names * NAME_WEIGHT
        return min(99, (self.copied + self.done * NAME_WEIGHT) * 100 // total) if total else 0

    @property
    def file_percent(self) -> float:
        """How much of the file at work is copied."""
        return self.file_copied * 100 / self.file_size if self.file_size else 0.0

    def change(self, path: str) -> None:
        """Count a file that changed while it was read."""
        self.changed += 1
        self._say(path, "changed while it was copied")

    def notice(self, path: str, what: str) -> None:
        """Count something that is not at the target as it was at the source."""
        self.left_out += 1
        self._say(path, what)

    def lose(self, namespaces: set[str]) -> None:
        """Keep which extended attributes got lost."""
        if namespaces:
            self.lost |= {readable(one)[:32] for one in namespaces}

    def _say(self, path: str, what: str) -> None:
        if len(self.notices) < MOST_NOTICES:
            self.notices.append(f"{readable(path)[:1000]} {what}")
