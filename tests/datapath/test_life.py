"""What must survive: a worker's end, a gateway's end, a bus's end; two tenants with one CIDR; deletion under load."""

from __future__ import annotations

import asyncio

import pytest

from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import run, until
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client, Lab, NfsError, leftovers, mounts, port

pytestmark = pytest.mark.datapath


async def test_two_tenants_with_one_cidr(lab: Lab, server: Row, five: Client) -> None:
    there = await lab.server("b")
    stranger = await lab.client("b", "10.0.0.5")
    # everybody on the network means: on the tenant's own
    mine = await lab.share(server, 1, "rw 0.0.0.0/0")
    theirs = await lab.share(there, 1, "rw 0.0.0.0/0")
    assert mine["location"].split(":")[0] == theirs["location"].split(":")[0]
    await five.mount(mine["location"])
    await five("write", name="f", text="a's")
    await stranger.mount(theirs["location"])
    assert await stranger.outcome("read", name="f") == "NFS4ERR_NOENT"
    await stranger("write", name="f", text="b's")
    assert await five("read", name="f") == "a's"
    for client, foreign in ((five, theirs), (stranger, mine)):
        with pytest.raises(Exception, match=r"NOENT|NotFound"):
            await client.mount(foreign["location"])
        await client.mount(mine["location"] if client is five else theirs["location"])


@pytest.mark.parametrize("victim", ["ganesha", "bus", "supervisor"])
async def test_a_killed_part_comes_back_with_its_exports(lab: Lab, server: Row, five: Client, victim: str) -> None:
    share = await lab.share(server, 1, "ro 10.0.0.5")
    before = lab.ganesha(server)
    pid = {"ganesha": lab.ganesha, "bus": lab.bus, "supervisor": lab.supervisor}[victim](server)
    assert pid is not None
    await lab.kill(pid)
    if victim == "supervisor":
        # nobody is left to restart it: the worker does with its next report
        await lab.worker().get_share_stats(refresh=True)
    assert await until(lambda: lab.ganesha(server) not in (0, before), 10)
    async with asyncio.timeout(10):
        await _mounted(five, share)
    assert await five.outcome("write", name="f", text="x") == "NFS4ERR_ROFS"
    assert await lab.allow(share, "rw 10.0.0.5") == {"rw 10.0.0.5": "active"}
    await lab.driver.delete_share(share, server)


async def test_a_new_worker_adopts_running_gateways(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="x")
    await five("open", name="f", mode="r+b")
    before = lab.ganesha(server)
    worker = lab.worker()
    await worker.do_setup()
    row = share | {"share_server": server, "access_rules": []}
    rule = {"id": "r", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
    updates = await worker.ensure_shares([row | {"access_rules": [rule]}])
    assert updates[share["id"]]["export_locations"][0]["path"] == share["location"]
    assert lab.ganesha(server) == before
    assert await five("write_at", name="f", offset=0, text="y") == 1


async def test_everything_comes_back_after_the_machine(lab: Lab, server: Row) -> None:
    """All processes, mounts and namespaces gone, the disk left: what a restart of the machine does."""
    alone = Lab()
    try:
        await alone.driver.do_setup()
        there = await alone.server("c")
        client = await alone.client("c", "10.0.0.5")
        share = await alone.share(there, 1, "rw 10.0.0.5")
        await client.mount(share["location"])
        await client("write", name="f", text="kept")
        await client.close()
        alone.clients.clear()
        supervisor = alone.supervisor(there)
        assert supervisor is not None
        await alone.kill(alone.ganesha(there))
        await alone.kill(supervisor)
        for namespace in leftovers(alone.options.ganesha_namespace_prefix):
            await run("ip", "netns", "del", namespace)
        await run("umount", str(alone.layout.mount(share["id"])))
        await run("umount", str(alone.layout.pool))

        await alone.worker().do_setup()
        client = await alone.client("c", "10.0.0.5")
        await client.mount(share["location"])
        assert await client("read", name="f") == "kept"
        await client("write", name="g", text="more")
    finally:
        await alone.down()


async def test_an_unmounted_volume_is_never_exported(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await lab.driver._exports.suspend(server["id"], share["id"])
    await lab.driver._volumes.detach(share["id"])
    export = await lab.driver._exports.find(server["id"], share["id"])
    assert export is not None
    with pytest.raises(ShareBackendException, match="not mounted"):
        await lab.driver._exports.publish(server["id"], export)
    # a file left in exports.d is set aside before Ganesha starts
    await lab.driver.ensure_shares([share | {"share_server": server}])
    conf = lab.layout.server(server["id"]) / "exports.d" / f"{share['id']}.conf"
    assert conf.exists()
    await run("umount", "-l", str(lab.layout.mount(share["id"])))
    await lab.kill(lab.ganesha(server))
    assert await until(lambda: not conf.exists(), 10)
    assert not any(lab.layout.mount(share["id"]).iterdir())
    await lab.driver.ensure_shares([share | {"share_server": server}])
    await five.mount(share["location"])
    total, _ = await five("df")
    assert total < 2 * 2**30
    await five("write", name="f", text="x")
    await lab.driver.delete_share(share, server)


async def test_a_frozen_volume_goes_on(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await run("fsfreeze", "-f", str(lab.layout.mount(share["id"])))
    await lab.worker().do_setup()
    await five.mount(share["location"])
    await five("write", name="f", text="x")


async def test_a_cancelled_snapshot_lets_the_volume_go_on(
    lab: Lab, server: Row, five: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    monkeypatch.setattr("drivers.ganesha.embedded.volumes._FREEZE", 'fsfreeze -f "$1"; touch "$3"; exec sleep 20')
    snapshot = lab.snapshot(share)
    taking = asyncio.create_task(lab.driver.create_snapshot(snapshot, server))
    draft = lab.layout.snapshot(snapshot["id"]).with_suffix(".img.new")
    assert await until(draft.exists, 10)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    monkeypatch.undo()
    await five.mount(share["location"])
    await five("write", name="f", text="x")
    await lab.driver.create_snapshot(snapshot, server)
    assert not draft.exists()


async def test_delete_while_a_client_writes(lab: Lab, server: Row, six: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.6")
    await six.mount(share["location"])
    writing = asyncio.create_task(six.outcome("fill", name="big", size=900))
    await asyncio.sleep(0.3)
    await lab.driver.delete_share(share, server)
    assert await writing in ("NFS4ERR_STALE", "NFS4ERR_ACCESS")
    assert not files.mounted(lab.layout.mount(share["id"]))
    assert not lab.layout.volume(share["id"]).exists()


async def test_teardown_leaves_nothing_and_may_be_repeated(lab: Lab) -> None:
    there = await lab.server("d")
    share = await lab.share(there, 1, "rw 10.0.0.5")
    await lab.driver.delete_share(share, there)
    for _ in range(2):
        await lab.driver.teardown_server(there["backend_details"])
    await lab.driver.teardown_server({})
    assert not lab.layout.server(there["id"]).exists()
    assert lab.fabric.gateway(there["id"]) not in leftovers(lab.options.ganesha_namespace_prefix)
    assert lab.fabric.switch("d") not in leftovers(lab.options.ganesha_namespace_prefix)
    assert str(lab.layout.mount(share["id"])) not in mounts(lab.root)
    # a share of a server that is gone can still be deleted
    await lab.driver.delete_share(share, there)


async def test_setup_may_be_repeated(lab: Lab) -> None:
    there = await lab.server("e")
    before = lab.ganesha(there)
    assert await lab.driver.setup_server([port(there["id"], "e", "10.0.0.50/24")]) == there["backend_details"]
    assert lab.ganesha(there) == before


async def _mounted(client: Client, share: Row) -> None:
    """Mount as soon as the gateway listens again."""
    while True:
        try:
            return await client.mount(share["location"])
        except NfsError:
            await asyncio.sleep(0.05)
