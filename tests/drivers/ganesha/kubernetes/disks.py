"""What is on the volumes of a storage in memory, by the storage's own handles; such storage may copy late."""

from __future__ import annotations

from dataclasses import dataclass, field

COPYING = "copying "


@dataclass
class Disks:
    """``late``: a volume that is filled from a snapshot is there before its data, which ``copy`` brings; snapshots live
    inside of their volume and go with it. ``lost``: those that did, though somebody still had them.
    """

    late: bool = False
    volumes: dict[str, str] = field(default_factory=dict)
    snapshots: dict[str, tuple[str, str]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)

    def fill(self, volume: str, snapshot: str | None) -> None:
        """A volume is made: empty, a copy, or a copy to be."""
        if volume not in self.volumes:
            self.volumes[volume] = f"written to {volume}" if snapshot is None else f"{COPYING}{snapshot}"
            if not self.late:
                self.copy()

    def copy(self) -> None:
        """Copies end whose snapshot is there."""
        for volume, content in self.volumes.items():
            source = content.removeprefix(COPYING)
            if content != source and source in self.snapshots and source not in self.lost:
                self.volumes[volume] = self.snapshots[source][1]

    def whole(self, volume: str) -> bool:
        """Whether a volume can be handed out."""
        return not self.volumes.get(volume, "").startswith(COPYING)

    def take(self, volume: str, snapshot: str) -> None:
        """A snapshot is taken, once."""
        self.snapshots.setdefault(snapshot, (volume, f"{self.volumes.get(volume)} at {snapshot}"))

    def drop(self, volume: str, known: set[str]) -> None:
        """A volume goes; ``known``: the snapshots that somebody has."""
        self.volumes.pop(volume, None)
        if self.late:
            self.lost |= {name for name, (of, _) in self.snapshots.items() if of == volume and name in known}
