"""What is let go of stays as it is on the cluster; what is taken over has its data."""

from __future__ import annotations

import uuid
from collections.abc import Collection

import pytest

from drivers.reconciling import Rows
from generated.errors import ManageInvalidShare, ManageInvalidShareSnapshot
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.copying import copied, reverted
from tests.kube.node.hands import volumes
from tests.kube.node.site import ADDRESS, Site, written

pytestmark = pytest.mark.kube_node
TEXT = "kept" * 5000


def _offered(share: Row) -> Row:
    """The row of a share that is taken over."""
    return {**share, "id": str(uuid.uuid4()), "export_locations": [{"path": share["location"]}]}


async def _take(site: Site, share: Row, server: Row, client: Client) -> Row:
    """Take a share over, and read its file."""
    taken = _offered(share)
    found = await site.driver.manage_existing_with_server(taken, {}, server)
    taken |= {"location": found["export_locations"][0]["path"], "server": server, "size": found["size"]}
    assert taken["location"] == f"{ADDRESS}:/{taken['id']}"
    with pytest.raises(Exception, match=r"NOENT|NotFound|refused|reset|Connection|ACCESS"):
        await client.mount(taken["location"])
    await site.allow(taken, "rw 10.7.0.0/24")
    await client.mount(taken["location"])
    assert await client("read", name="f") == TEXT
    return taken


async def test_a_share(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.0/24")
    await written(five, share)
    await five("write", name="f", text=TEXT)
    async with site.pump(share, "10.7.0.6") as end:
        await site.driver.unmanage_with_server(share, server)
        seen = await end()
    assert seen["errors"] == {}, "its clients go on"
    taken = await _take(site, share, server, five)
    assert taken["size"] == 1
    with pytest.raises(ManageInvalidShare):
        await site.driver.manage_existing_with_server(_offered(share), {}, server)
    await site.driver.extend_share(taken, 2, server)
    await site.driver.delete_share(taken, server)
    for kind in ("pods", "pvc", "shareexports"):
        assert site.of(kind, taken["id"]) == [] == site.of(kind, share["id"])


async def test_a_snapshot(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.0/24")
    await written(five, share)
    await five("write", name="f", text=TEXT)
    snapshot = site.snapshot(share)
    await site.driver.create_snapshot(snapshot, server)
    await five("write", name="f", text="changed")
    await site.driver.unmanage_snapshot_with_server(snapshot, server)
    taken = {**snapshot, "id": str(uuid.uuid4()), "provider_location": snapshot["id"]}
    found = await site.driver.manage_existing_snapshot_with_server(taken, {}, server)
    assert found == {"size": 1, "provider_location": taken["id"]}
    with pytest.raises(ManageInvalidShareSnapshot):
        await site.driver.manage_existing_snapshot_with_server({**taken, "id": str(uuid.uuid4())}, {}, server)
    copy: Row = {"id": str(uuid.uuid4()), "size": 1, "share_proto": "NFS", "extra_specs": {}, "server": server}
    copy["location"] = await copied(site.driver, copy, taken, server)
    await site.allow(copy, "rw 10.7.0.0/24")
    await written(five, copy)
    assert await five("read", name="f") == TEXT
    rules = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.0/24", "access_level": "rw"}]
    await reverted(site.driver, taken, rules, server)
    await five.mount(share["location"])
    assert await five("read", name="f") == TEXT
    await site.driver.delete_snapshot(taken, server)
    assert site.objects("volumesnapshots") == []
    for one in (copy, share):
        await site.driver.delete_share(one, server)


async def test_a_share_server(site: Site) -> None:
    """Its gateway runs on under another server's row; its share is read through it."""
    server = await site.server("over")
    known = server["backend_details"]["identifier"]
    share = await site.share(server, 1, "rw 10.7.0.0/24")
    client = await site.client("over", "10.7.0.5")
    await written(client, share)
    await client("write", name="f", text=TEXT)
    before = site.gateway(server)["metadata"]["uid"]
    async with site.pump(share, "10.7.0.6") as end:
        await site.driver.unmanage_with_server(share, server)
        await site.driver.unmanage_server(server["backend_details"])

        async def nothing(_: Collection[str]) -> Rows:
            return Rows()

        orphans = {one.about for one in (await site.driver.inspect(nothing)).orphans}
        assert not orphans & {server["id"], share["id"]}, "let go of on purpose"
        row: Row = {"id": str(uuid.uuid4())}
        assert await site.driver.get_share_server_network_info(row, known, {}) == [ADDRESS]
        identifier, details = await site.driver.manage_server(row, known, {})
        seen = await end()
    print(f"\na share server changes hands: {seen}")
    assert (seen["errors"], seen["lost"]) == ({}, 0) and identifier == known
    row["backend_details"] = details
    taken = await _take(site, share, row, client)
    assert site.gateway(server)["metadata"]["uid"] == before, "no gateway was started for it"
    await site.driver.delete_share(taken, row)
    await site.driver.teardown_server(details)
    for kind in ("pods", "pvc", "shareexports", "statefulsets"):
        assert site.of(kind, server["id"]) == [] == site.of(kind, share["id"])
    assert not [one for one in volumes(site) if server["id"] in one["spec"]["claimRef"]["name"]]
