"""What passes between the node agent and the agent in a gateway: two folders of small files on the node.

``desired/NAME.json`` is what the gateway shall do with a share, ``roster.json`` which shares there are at all; the
node agent writes them, and the pod can only read them. In a folder of the pod's own, ``NAME.json`` is what it has
done, and ``counts/counts`` what its clients do. All are states, not commands. Each order says for which pod it is: what
an older pod of the gateway was told on this node may be out of date, and counts for nothing.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from drivers.ganesha.gateway.beneath import Folder, Refused
from drivers.ganesha.rules import Client

ROSTER: Final = "roster.json"
ORDER_LIMIT: Final = 4 << 20
"""Bytes of an order: five thousand clients are some hundred KiB."""
ANSWER_LIMIT: Final = 16 << 10
"""Bytes of an answer. It is written by who talks to strangers, and read by who is root on the node."""
MESSAGE_LIMIT: Final = 1000
"""Characters of an answer's message that are told."""
_COUNTS: Final = "counts"
_LARGEST: Final = 2**63 - 1


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
    """What a gateway has done about an order; ``message`` says why not all of it. Sizes in bytes.

    ``exported``: clients may reach it. An order that failed is answered by what is feared: one that should be
    shown is not, one that should not may still be.
    """

    generation: int
    mounted: bool
    exported: bool
    pod: str = ""
    prepared: bool = False
    size: int = 0
    used: int = 0
    message: str = ""


_ANSWER: Final[Mapping[str, type]] = {
    "generation": int,
    "mounted": bool,
    "exported": bool,
    "pod": str,
    "prepared": bool,
    "size": int,
    "used": int,
    "message": str,
}


@dataclass(frozen=True, slots=True)
class Orders:
    """The folders of one gateway: ``folder`` is the node agent's, ``answered`` the pod's."""

    folder: Path
    answered: Path

    @property
    def desired(self) -> Path:
        """Folder of the orders."""
        return self.folder / "desired"

    # ---- what the node agent does

    def make(self) -> None:
        """Make the folders of the orders, in a folder that is there; what is in their place goes."""
        with (
            Folder.at(self.folder.parent) as place,
            place.below(self.folder.name, 0o700) as own,
            own.below("desired", 0o700),
        ):
            pass

    def enlist(self, pod: str, names: Collection[str]) -> None:
        """Say which shares a gateway has, if it is news."""
        with Folder.at(self.folder) as own:
            _put(own, ROSTER, json.dumps({"pod": pod, "names": sorted(names)}), ORDER_LIMIT)

    def names(self) -> list[str]:
        """Shares with an order."""
        with self._desired() as own:
            return _stems(own)

    def give(self, order: Order) -> None:
        """Write an order, if it is a new one."""
        with self._desired() as own:
            _put(own, f"{order.name}.json", _told(order), ORDER_LIMIT)

    def withdraw(self, name: str) -> None:
        """Remove an order."""
        with self._desired() as own:
            own.remove(f"{name}.json")

    def answer(self, name: str) -> Answer | None:
        """What the gateway says about a share; None: nothing.

        Raises:
            Refused: it is no answer.
        """
        try:
            with Folder.at(self.answered) as own:
                text = own.read(f"{name}.json", ANSWER_LIMIT)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return None if text is None else _parsed(name, text)

    # ---- what the gateway does

    def roster(self) -> tuple[str, frozenset[str]]:
        """Identity of the pod that the list is for, and the names of all its shares."""
        found = _read(self.folder, ROSTER) or {}
        return str(found.get("pod", "")), frozenset(found.get("names", ()))

    def order(self, name: str) -> Order | None:
        """The order of a share."""
        found = _read(self.desired, f"{name}.json")
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

    def answers(self) -> list[str]:
        """Shares with an answer."""
        with Folder.at(self.answered) as own:
            return _stems(own)

    def reply(self, name: str, answer: Answer) -> None:
        """Say what was done, if it is news."""
        with Folder.at(self.answered) as own:
            _put(own, f"{name}.json", json.dumps(asdict(answer)), ANSWER_LIMIT)

    def forget(self, name: str) -> None:
        """Remove what was said about a share."""
        with Folder.at(self.answered) as own:
            own.remove(f"{name}.json")

    def count(self, text: str) -> None:
        """Leave what clients do, where nobody is told of every change."""
        with Folder.at(self.answered) as own, own.below(_COUNTS, 0o700) as place:
            place.write(_COUNTS, text)

    def counts(self, limit: int) -> bytes | None:
        """What the gateway says of its clients; None: nothing.

        Raises:
            Refused, OSError: it is no file of at most ``limit`` bytes.
        """
        try:
            with Folder.at(self.answered) as own, own.below(_COUNTS) as place:
                return place.read(_COUNTS, limit)
        except FileNotFoundError:
            return None

    def _desired(self) -> Folder:
        with Folder.at(self.folder) as own:
            return own.below("desired")


def _told(order: Order) -> str:
    """As ``asdict`` would have it, ten times as fast: it is done at every look, and there may be many clients."""
    parts = {one.name: getattr(order, one.name) for one in fields(order)}
    return json.dumps({**parts, "clients": [{"network": one.network, "access": one.access} for one in order.clients]})


def _stems(folder: Folder) -> list[str]:
    return [name.removesuffix(".json") for name in folder.names() if name.endswith(".json")]


def _put(folder: Folder, name: str, text: str, limit: int) -> None:
    """Write a file unless it says that already."""
    present = None
    with contextlib.suppress(Refused):
        present = folder.read(name, limit)
    if present != text.encode():
        folder.write(name, text)


def _read(folder: Path, name: str) -> dict[str, Any] | None:
    try:
        with Folder.at(folder) as own:
            text = own.read(name, ORDER_LIMIT)
    except FileNotFoundError:
        return None
    if text is None:
        return None
    document: dict[str, Any] = json.loads(text)
    return document


def _parsed(name: str, text: bytes) -> Answer:
    """An answer of which every part is what it may be."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(msg=f"the answer about {name} is no JSON") from error
    if not isinstance(found, dict) or not {"generation", "mounted", "exported"} <= found.keys() <= _ANSWER.keys():
        raise Refused(msg=f"the answer about {name} has other parts than an answer")
    for part, value in found.items():
        # a truth value is an int, too
        if type(value) is not _ANSWER[part] or (type(value) is int and not 0 <= value <= _LARGEST):
            raise Refused(msg=f"{part} of the answer about {name} can't be {str(value)[:40]!r}")
    message = "".join(one if one.isprintable() else "?" for one in found.get("message", "")[:MESSAGE_LIMIT])
    return Answer(**{**found, "message": message})
