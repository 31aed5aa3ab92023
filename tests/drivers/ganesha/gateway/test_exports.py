"""What becomes of exports when their records can't be written."""

from __future__ import annotations

import errno
import pathlib
from collections.abc import Iterable

import pytest

from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.exports import FOLDERS, FolderExports
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client

ONE, TWO, THREE = Client("10.0.0.1/32", "RW"), Client("10.0.0.2/32", "RW"), Client("10.0.0.3/32", "RW")


class Ganesha:
    """What a running one was told: the configuration of each export by its number."""

    def __init__(self) -> None:
        self.told: dict[int, str] = {}

    def control(self, *_: object) -> Ganesha:
        return self

    async def shown(self) -> set[int]:
        return set(self.told)

    async def update(self, staged: pathlib.Path, number: int) -> None:
        self.told[number] = staged.read_text()

    async def remove(self, number: int) -> None:
        del self.told[number]


class Full:
    """A gateway whose disk becomes full once ``a`` is exported to two clients; its bus is in memory."""

    def __init__(self, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ganesha, self.state = Ganesha(), folder / "state"
        for name in (*(f"state/{one}" for one in FOLDERS), "run"):
            (folder / name).mkdir(parents=True)
        monkeypatch.setattr(files, "mounted", lambda _: True)
        monkeypatch.setattr("drivers.ganesha.gateway.exports.Control", self.ganesha.control)
        self.exports = FolderExports(lambda _: self.state, self._admit, 1.0, folder / "run" / "bus")
        self._patch = monkeypatch

    async def _admit(self, server_id: str, clients: Iterable[Client]) -> None:
        pass

    async def begin(self) -> Full:
        await self.exports.publish("s1", export(ONE, TWO))
        (self.state / "staging").rmdir()  # nothing can be made in it
        self._patch.setattr(files, "write", _full)
        return self

    @property
    def shown(self) -> str:
        (text,) = self.ganesha.told.values()
        return text


def _full(path: pathlib.Path, text: str) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


def export(*clients: Client) -> Export:
    return Export("a", "/shares/a", "No_Root_Squash", clients)


@pytest.fixture
async def full(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Full:
    return await Full(tmp_path, monkeypatch).begin()


async def test_who_is_shut_out_is_out_though_it_cannot_be_written(full: Full) -> None:
    with pytest.raises(OSError, match="No space"):
        await full.exports.publish("s1", export(TWO, THREE))
    assert "10.0.0.1" not in full.shown and "10.0.0.2" in full.shown
    assert "10.0.0.3" not in full.shown, "a rule that is not kept is not in force"
    assert not list((full.state / "exports.d").iterdir()), "the next Ganesha would let the first client in"


async def test_who_has_access_keeps_it_when_a_rule_cannot_be_added(full: Full) -> None:
    before = full.shown
    with pytest.raises(OSError, match="No space"):
        await full.exports.publish("s1", export(ONE, TWO, THREE))
    assert full.shown == before
    assert [one.name for one in (full.state / "exports.d").iterdir()] == ["a.conf"]


async def test_what_is_removed_goes(full: Full) -> None:
    await full.exports.withdraw("s1", "a")
    assert full.ganesha.told == {} and await full.exports.names("s1") == []
