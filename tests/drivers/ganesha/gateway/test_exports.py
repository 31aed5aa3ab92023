"""What becomes of exports when their records can't be written, or not even read."""

from __future__ import annotations

import errno
import os
import pathlib
import subprocess
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace

import pytest

from drivers.ganesha.gateway import files, records
from drivers.ganesha.gateway.exports import FOLDERS, FolderExports
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from tests.drivers.ganesha.gateway.sick import WRITING, Errors, Ganesha

ONE, TWO, THREE = Client("10.0.0.1/32", "RW"), Client("10.0.0.2/32", "RW"), Client("10.0.0.3/32", "RW")


class Gateway:
    """A gateway that exports ``a`` to two clients; its bus is in memory. ``admitted``: by the packet filter."""

    def __init__(self, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ganesha, self.state, self.run = Ganesha(), folder / "state", folder / "run"
        for name in (*(f"state/{one}" for one in FOLDERS), "run"):
            (folder / name).mkdir(parents=True)
        monkeypatch.setattr(files, "mounted", lambda _: True)
        monkeypatch.setattr("drivers.ganesha.gateway.exports.Control", self.ganesha.control)
        self.admitted: set[Client] = set()
        self.exports = self.process()

    def process(self) -> FolderExports:
        """An agent that starts and knows nothing yet."""
        return FolderExports(lambda _: self.state, self._admit, 1.0, self.run / "bus")

    async def _admit(self, server_id: str, clients: Iterable[Client]) -> None:
        self.admitted = set(clients)

    async def publish(self, *clients: Client) -> None:
        await self.exports.publish("s1", Export("a", "/shares/a", "No_Root_Squash", clients))

    async def fails(self, *clients: Client) -> None:
        with pytest.raises(OSError, match=r"No space|Read-only|Input/output"):
            await self.publish(*clients)

    @property
    def shown(self) -> str:
        (text,) = self.ganesha.told.values()
        return text

    @property
    def kept(self) -> str:
        """What the next Ganesha exports."""
        return "".join(one.read_text() for one in (self.state / "exports.d").iterdir())

    def lets_in(self, *clients: Client) -> bool:
        """Whether Ganesha and the packet filter let in exactly these."""
        told = {one for one in (ONE, TWO, THREE) if one.network.partition("/")[0] in self.shown}
        return told == self.admitted == set(clients)


@pytest.fixture
async def gateway(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    made = Gateway(tmp_path, monkeypatch)
    await made.publish(ONE, TWO)
    assert made.lets_in(ONE, TWO)
    return made


class Disk:
    """A state volume that is ``full``, ``read-only`` or ``broken`` from ``ail`` until ``heal``."""

    def __init__(self, gateway: Gateway, kind: str) -> None:
        self.kind, self._state, self._mounted = kind, gateway.state, False
        self._errors: Errors | None = None

    def ail(self) -> None:
        if self.kind == "read-only":
            self._mount("--bind", self._state, self._state)
            self._mounted = True
            self._mount("-o", "remount,bind,ro", self._state)
            return
        (self._state / "staging").rmdir()  # nothing can be made in it
        if self.kind == "full":
            self._errors = Errors(self._state, errno.ENOSPC, WRITING)
        else:
            self._errors = Errors(self._state, errno.EIO)

    def heal(self) -> None:
        if self._errors is not None:
            self._errors.heal()
        if self._mounted:
            subprocess.run(["umount", self._state], check=True)
            self._mounted = False
        (self._state / "staging").mkdir(exist_ok=True)

    def _mount(self, *words: str | pathlib.Path) -> None:
        subprocess.run(["mount", *words], check=True)


READ_ONLY = pytest.param(
    "read-only", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a folder read-only")
)


@pytest.fixture(params=["full", READ_ONLY, "broken"])
def disk(gateway: Gateway, request: pytest.FixtureRequest) -> Iterator[Disk]:
    made = Disk(gateway, request.param)
    made.ail()
    yield made
    made.heal()


async def test_who_is_shut_out_is_out_though_it_cannot_be_written(gateway: Gateway, disk: Disk) -> None:
    await gateway.fails(TWO, THREE)
    assert gateway.lets_in(TWO), "a rule that is not kept is not in force"
    await gateway.exports.refilter("s1")
    assert gateway.lets_in(TWO)
    if disk.kind == "full":
        assert gateway.kept == "", "the next Ganesha would let the first client in"


async def test_who_has_access_keeps_it_when_a_rule_cannot_be_added(gateway: Gateway, disk: Disk) -> None:
    before, kept = gateway.shown, gateway.kept
    await gateway.fails(ONE, TWO, THREE)
    assert (gateway.shown, gateway.kept) == (before, kept) and gateway.lets_in(ONE, TWO)


async def test_who_may_only_read_from_now_on_writes_no_more(gateway: Gateway, disk: Disk) -> None:
    await gateway.fails(replace(ONE, access="RO"), TWO)
    assert gateway.lets_in(TWO), "what is not kept is not in force"


@pytest.mark.parametrize("call", [FolderExports.suspend, FolderExports.withdraw])
async def test_what_is_removed_goes(
    gateway: Gateway, disk: Disk, call: Callable[[FolderExports, str, str], Awaitable[None]]
) -> None:
    if disk.kind == "full":
        await call(gateway.exports, "s1", "a")
    else:
        for _ in range(2):
            with pytest.raises(OSError, match=r"Read-only|Input/output"):
                await call(gateway.exports, "s1", "a")
            assert gateway.ganesha.told == {}
    gone = call is FolderExports.withdraw
    assert gateway.admitted == (set() if gone else {ONE, TWO})
    disk.heal()
    await call(gateway.exports, "s1", "a")
    assert gateway.kept == "" and await gateway.exports.names("s1") == ([] if gone else ["a"])
    await gateway.publish(TWO)
    assert gateway.lets_in(TWO)


async def test_all_is_right_once_the_volume_is_well(gateway: Gateway, disk: Disk) -> None:
    for _ in range(2):
        await gateway.fails(TWO, THREE)
    disk.heal()
    await gateway.publish(TWO, THREE)
    assert gateway.lets_in(TWO, THREE) and gateway.kept == gateway.shown
    found = await gateway.exports.find("s1", "a")
    assert found is not None and found.clients == (TWO, THREE)
    gateway.exports = gateway.process()
    await gateway.exports.refilter("s1")
    assert gateway.lets_in(TWO, THREE)


@pytest.mark.parametrize("again", [False, True], ids=["same agent", "another agent"])
async def test_a_change_that_is_taken_back_is_known_to_be_none(gateway: Gateway, disk: Disk, again: bool) -> None:
    """The record says what it said all the time, and Ganesha something else."""
    await gateway.fails(TWO)
    if again:
        gateway.exports = gateway.process()
    if disk.kind == "read-only":
        await gateway.publish(ONE, TWO)
        assert gateway.lets_in(ONE, TWO), "nothing has to be written for that"
    disk.heal()
    await gateway.publish(ONE, TWO)
    assert gateway.lets_in(ONE, TWO) and gateway.kept == gateway.shown


async def test_a_ganesha_that_comes_back_as_it_was_is_told_again(gateway: Gateway, disk: Disk) -> None:
    before = gateway.shown
    await gateway.fails(TWO)
    if gateway.kept:  # else it would have no such export
        gateway.ganesha.told = dict.fromkeys(gateway.ganesha.told, before)
        assert not gateway.lets_in(TWO)
        await gateway.fails(TWO)
    assert gateway.lets_in(TWO)


async def test_who_is_let_in_is_not_made_up(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that never read the records loads no packet filter without clients."""
    monkeypatch.setattr(records, "_read", {})
    disk = Disk(gateway, "broken")
    disk.ail()
    try:
        with pytest.raises(OSError, match="Input/output"):
            await gateway.process().refilter("s1")
        assert gateway.admitted == {ONE, TWO}
    finally:
        disk.heal()
