"""Each operation on a share as on the guest's own XFS, with every way to mount; a difference is a documented limit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import pytest

from generated.runtime import Row
from tests.datapath.clients import compare, guests
from tests.datapath.clients.compare import Difference
from tests.datapath.clients.conftest import LONG, Machine
from tests.datapath.clients.operations.folders import NIGHTLY
from tests.datapath.clients.operations.runner import known
from tests.datapath.clients.pairs import PAIRS, play
from tests.datapath.lab import Lab

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

MOUNTS: Final = {
    "default": ("", "4.2", "hard"),
    "4.1": ("vers=4.1", "4.1", "hard"),
    "4.2 hard": ("vers=4.2,hard", "4.2", "hard"),
    "nconnect": ("vers=4.2,nconnect=4", "4.2", "hard"),
    "soft": ("vers=4.2,soft", "4.2", "soft"),
}
"""Options, and what comes of them: version and whether errors are given after a while."""
BRIEF: Final = ("content.", "folders.fresh", "locks.waited_for", "locks.posix", "holes.read", "renames.over")
"""Of the operations, those that run with each mount in continuous integration."""
FILLS: Final = "space.full"
"""It fills a share and the guest's own file system: by night."""
HOUR, PATIENCE = 3600, 400
"""Seconds after which an operation counts as one that hangs, of those that take minutes and of the others."""


def operations(mount: str) -> list[str]:
    """What runs with a mount: all with the default; by night all with all, and with the default what takes minutes."""
    names = [name for name in known() if name not in NIGHTLY or (LONG and mount == "default")]
    names = [name for name in names if name != FILLS or LONG]
    return names if mount == "default" or LONG else [name for name in names if name.startswith(BRIEF)]


async def both(machine: Machine, names: Sequence[str], at: str) -> list[Difference]:
    """What differs between the share that is mounted at ``at`` and the guest's own file system."""
    found: list[Difference] = []
    for name in names:
        seconds = HOUR if name in NIGHTLY else PATIENCE
        local = await guests.run(machine.guest, name, "/local", seconds)
        found += compare.differences(name, local, await guests.run(machine.guest, name, at, seconds))
    return found


async def battery(yard: Lab, gateway: Row, machine: Machine, mount: str) -> list[str]:
    """Run the operations on a share of its own, which one of them fills; lines about what is wrong."""
    options, version, kind = MOUNTS[mount]
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    shown = await guests.mount(machine.guest, share["location"], options)
    try:
        if (
            f"vers={version}" not in shown
            or kind not in shown.split(",")
            or ("nconnect=4" in options) != ("nconnect=4" in shown)
        ):
            return [f"{machine} mounts with {shown}, asked for {options or 'nothing'}"]
        names = operations(mount)
        found = await both(machine, names, "/mnt")
        return [f"{machine}, {mount} | {line}" for line in compare.judged(found, names, str(machine.kernel), version)]
    finally:
        await guests.unmount(machine.guest)
        await yard.driver.delete_share(share, gateway)


@pytest.mark.parametrize("mount", MOUNTS)
async def test_as_on_a_local_file_system(yard: Lab, gateway: Row, machines: list[Machine], mount: str) -> None:
    wrong = await asyncio.gather(*(battery(yard, gateway, machine, mount) for machine in machines))
    assert [line for lines in wrong for line in lines] == []


async def test_4_0_is_not_offered(yard: Lab, gateway: Row, machines: list[Machine]) -> None:
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    for machine in machines:
        with pytest.raises(AssertionError, match="Protocol not supported"):
            await guests.mount(machine.guest, share["location"], "vers=4.0")
    await yard.driver.delete_share(share, gateway)


@pytest.mark.parametrize("version", ["default", "4.1"])
async def test_two_clients(yard: Lab, gateway: Row, machines: list[Machine], version: str) -> None:
    """Two kernels on one share as two processes on one file system; by night each with the next one, both ways."""
    if len(machines) < 2:
        pytest.skip("one kernel alone was chosen")
    couples = [(machines[0], machines[-1])]
    if LONG:
        couples = list(zip(machines, [*machines[1:], machines[0]], strict=True))
    options, number, _ = MOUNTS[version]
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    for machine in machines:
        await guests.mount(machine.guest, share["location"], options)
    wrong = []
    for couple, (one, two) in enumerate(couples):
        found = []
        for place, (name, steps) in enumerate(PAIRS.items()):
            at = f"/{version}-{couple}-{place}"  # the guest's own file system keeps those of the test before
            shared = await play(steps, {"one": (one.guest, f"/mnt{at}"), "two": (two.guest, f"/mnt{at}")})
            local = await play(steps, {"one": (one.guest, f"/local{at}"), "two": (one.guest, f"/local{at}")})
            found += [
                Difference(name, f"{step} {steps[step - 1][:2]}", expected, answer)
                for step, (expected, answer) in enumerate(zip(local, shared, strict=True), 1)
                if expected != answer
            ]
        lines = compare.judged(found, PAIRS, str(one.kernel), number)
        wrong += [f"{one} and {two}, {version} | {line}" for line in lines]
    for machine in machines:
        await guests.unmount(machine.guest)
    await yard.driver.delete_share(share, gateway)
    assert wrong == []
