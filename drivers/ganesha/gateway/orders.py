"""What passes between the node agent and the agent in a gateway: two folders of small files on the node.

``desired/NAME.json`` is what the gateway shall do with a share, ``acked/NAME.json`` what it has done, ``roster.json``
which shares there are at all. All are states, not commands. Each says for which pod it is: what an older pod of the
gateway was told, or said, on this node may be out of date, and counts for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from drivers.ganesha.gateway import files
from drivers.ganesha.rules import Client


@dataclass(frozen=True, slots=True)
class Order:
    """A share as the gateway shall show it.

    ``generation``: of the ShareExport it follows. ``pod``: identity of the gateway's pod. ``bound``: the node agent has
    put the volume in the gateway's folder. ``root``: uid, gid and mode of the root folder, set once; ``prepared``: they
    were set once.
    """

    name: str
    generation: int
    exported: bool
    pod: str = ""
    bound: bool = True
    squash: str = ""
    clients: tuple[Client, ...] = ()
    read_only: bool = False
    root: tuple[int, int, int] | None = None
    prepared: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a gateway has done about an order; ``message`` says why not all of it. Sizes in bytes."""

    generation: int
    mounted: bool
    exported: bool
    pod: str = ""
    prepared: bool = False
    size: int = 0
    used: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class Orders:
    """The two folders below a gateway's control folder."""

    folder: Path
    desired: Path = field(init=False)
    acked: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "desired", self.folder / "desired")
        object.__setattr__(self, "acked", self.folder / "acked")

    def make(self) -> None:
        """Make the folders."""
        for one in (self.desired, self.acked):
            files.folder(one, 0o700)

    def roster(self) -> tuple[str, frozenset[str]]:
        """Identity of the pod that the list is for, and the names of all its shares."""
        found = _read(self.folder / "roster.json") or {}
        return str(found.get("pod", "")), frozenset(found.get("names", ()))

    def enlist(self, pod: str, names: Collection[str]) -> None:
        """Say which shares a gateway has, if it is news."""
        if self.roster() != (pod, frozenset(names)):
            files.write(self.folder / "roster.json", json.dumps({"pod": pod, "names": sorted(names)}))

    def names(self) -> list[str]:
        """Shares with an order."""
        return sorted(file.stem for file in self.desired.glob("*.json"))

    def order(self, name: str) -> Order | None:
        """The order of a share."""
        found = _read(self.desired / f"{name}.json")
        if found is None:
            return None
        found["clients"] = tuple(Client(**one) for one in found["clients"])
        found["root"] = tuple(found["root"]) if found["root"] else None
        return Order(**found)

    def stamp(self, name: str) -> tuple[int, int] | None:
        """Changes with every order that is given for a share; None when there is none."""
        try:
            found = (self.desired / f"{name}.json").stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def give(self, order: Order) -> None:
        """Write an order, if it is a new one."""
        if self.order(order.name) != order:
            files.write(self.desired / f"{order.name}.json", json.dumps(asdict(order)))

    def withdraw(self, name: str) -> None:
        """Remove an order."""
        (self.desired / f"{name}.json").unlink(missing_ok=True)

    def answers(self) -> list[str]:
        """Shares with an answer."""
        return sorted(file.stem for file in self.acked.glob("*.json"))

    def answer(self, name: str) -> Answer | None:
        """What the gateway says about a share."""
        found = _read(self.acked / f"{name}.json")
        return None if found is None else Answer(**found)

    def reply(self, name: str, answer: Answer) -> None:
        """Say what was done, if it is news."""
        if self.answer(name) != answer:
            files.write(self.acked / f"{name}.json", json.dumps(asdict(answer)))

    def forget(self, name: str) -> None:
        """Remove what was said about a share."""
        (self.acked / f"{name}.json").unlink(missing_ok=True)


def _read(file: Path) -> dict[str, Any] | None:
    text = files.read(file)
    if text is None:
        return None
    document: dict[str, Any] = json.loads(text)
    return document
