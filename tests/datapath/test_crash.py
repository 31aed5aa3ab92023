"""A worker that dies after any of the commands a call runs: the next worker repeats the call and gets the same result.

The crash points are the code's own: each call is cut after its first command, after its second, and so on until it
gets through.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.embedded import gateways, network, pool, volumes
from drivers.ganesha.gateway import command, firewall
from generated.runtime import Row
from tests.datapath.lab import Client, Lab, port

pytestmark = pytest.mark.datapath

Call = Callable[[GaneshaDriver], Awaitable[object]]
MODULES = (firewall, gateways, network, pool, volumes)


class Killed(BaseException):
    """What a kill looks like from inside: nothing more is done."""


async def cut_everywhere(lab: Lab, patch: pytest.MonkeyPatch, call: Call, again: Call | None = None) -> int:
    """Run ``call`` in workers that die later and later; ``again`` makes the start of each run. Answers the deaths."""
    for point in itertools.count(1):
        if again is not None:
            await again(lab.worker())
        left = itertools.count(point, -1)

        async def dying(*words: str, stdin: str = "", limit: float = 30.0) -> str:
            output = await command.run(*words, stdin=stdin, limit=limit)
            if next(left) == 1:  # noqa: B023 - used within this turn only
                raise Killed
            return output

        with patch.context() as patched:
            for module in MODULES:
                if hasattr(module, "run"):
                    patched.setattr(module, "run", dying)
            try:
                await call(lab.worker())
            except Killed:
                pass
            else:
                return point - 1
        await call(lab.worker())
    raise AssertionError


async def test_every_call_may_be_repeated(lab: Lab, five: Client, server: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths: dict[str, int] = {}
    share: Row = {"id": "crash", "size": 1, "share_proto": "NFS"}
    clone: Row = {"id": "crash-clone", "size": 2, "share_proto": "NFS"}
    snapshot: Row = {"id": "crash-snapshot", "share_instance_id": "crash", "share": share, "size": 1}
    rule: Row = {"id": "r", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
    location = "10.0.0.50:/crash"

    async def snap(driver: GaneshaDriver) -> None:
        # what a new worker does first: it lets a file system go on that was left frozen
        await driver.do_setup()
        await driver.create_snapshot(snapshot, server)

    async def remake(driver: GaneshaDriver) -> None:
        await driver.create_share(share, server)
        await driver.update_access(share, [rule], [], [], [], server)

    async def hide(driver: GaneshaDriver) -> None:
        await driver.snapshot_update_access(snapshot, [], [], [rule], server)

    async def cut(call: Call, again: Call | None = None) -> int:
        return await cut_everywhere(lab, monkeypatch, call, again)

    deaths["create"] = await cut(lambda d: d.create_share(share, server), lambda d: d.delete_share(share, server))
    deaths["allow"] = await cut(lambda d: d.update_access(share, [rule], [], [], [], server))
    await five.mount(location)
    await five("write", name="f", text="old")
    deaths["snapshot"] = await cut(snap, lambda d: d.delete_snapshot(snapshot, server))
    await five.mount(location)
    await five("write", name="f", text="new")
    deaths["show snapshot"] = await cut(lambda d: d.snapshot_update_access(snapshot, [rule], [rule], [], server), hide)
    await five.mount("10.0.0.50:/crash-snapshot")
    assert await five("read", name="f") == "old"
    deaths["hide snapshot"] = await cut(hide)
    deaths["from snapshot"] = await cut(
        lambda d: d.create_share_from_snapshot(clone, snapshot, server), lambda d: d.delete_share(clone, server)
    )
    deaths["revert"] = await cut(lambda d: d.revert_to_snapshot(snapshot, [rule], [], server))
    await five.mount(location)
    assert await five("read", name="f") == "old"
    deaths["extend"] = await cut(lambda d: d.extend_share(share, 2, server))
    total, _ = await five("df")
    assert 2 * 2**30 <= total < 2.02 * 2**30
    deaths["delete"] = await cut(lambda d: d.delete_share(share, server), remake)
    await lab.driver.delete_share(clone, server)
    await lab.driver.delete_snapshot(snapshot, server)
    print("deaths survived:", deaths)
    assert all(deaths.values())
    assert not list((lab.layout.pool / "volumes").iterdir())
    assert not list((lab.layout.pool / "snapshots").iterdir())
    assert not list((lab.layout.pool / "views").iterdir())
    assert not list(lab.layout.mounts.iterdir())


async def test_share_servers_too(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    info = [port("crash-server", "x", "10.0.0.50/24")]

    async def down(driver: GaneshaDriver) -> None:
        await driver.teardown_server({"server_id": "crash-server"})

    async def up(driver: GaneshaDriver) -> None:
        await driver.setup_server(info)

    deaths = {"setup": await cut_everywhere(lab, monkeypatch, up, down)}
    deaths["teardown"] = await cut_everywhere(lab, monkeypatch, down, up)
    print("deaths survived:", deaths)
    assert all(deaths.values())
    assert not lab.layout.server("crash-server").exists()
