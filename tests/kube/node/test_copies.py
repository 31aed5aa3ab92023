"""File systems of one identity on one node, as copies of one snapshot are where the storage gives them no new one."""

from __future__ import annotations

import asyncio
import hashlib
import pathlib
import uuid

import pytest

from drivers.ganesha.kubernetes import names
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.copying import copied
from tests.kube.node.site import Site, written
from tests.lab.node import DRIVER
from tests.lab.processes import sh, wait

pytestmark = pytest.mark.kube_node


async def _copy(site: Site, snapshot: Row, server: Row) -> Row:
    made: Row = {"id": str(uuid.uuid4()), "size": 1, "share_proto": "NFS", "extra_specs": {}, "server": server}
    made["location"] = await copied(site.driver, made, snapshot, server)
    await site.allow(made, "rw 10.7.0.0/24")
    return made


def _image(site: Site, share: Row) -> pathlib.Path:
    """The storage's file of a share's volume."""
    claim = site.lab.api.get(f"/api/v1/namespaces/{site.namespace}/persistentvolumeclaims/{names.claim(share['id'])}")
    found: pathlib.Path = site.lab.place.pool / f"vol-{claim['spec']['volumeName'].removeprefix('pvc-')}.img"
    return found


async def _identified(site: Site, share: Row, identity: str, node: str) -> None:
    """Give a share's file system this UUID, and stage its volume with ``nouuid`` as Longhorn's driver does.

    The lab's CSI driver has no such mount option; what it finds staged it leaves as it is.
    """
    image = _image(site, share)
    await site.driver._volumes.detach(share["id"])
    await asyncio.to_thread(wait, "the volume is free", lambda: sh("losetup", "-j", str(image)) == "", 60)
    sh("xfs_admin", "-U", identity, str(image))
    volume = hashlib.sha256(image.stem.encode()).hexdigest()
    at = site.lab.nodes[node].home / "kubelet" / "plugins/kubernetes.io/csi" / DRIVER / volume / "globalmount"
    inside = site.lab.nodes[node].inside()
    sh(*inside, "mkdir", "-p", str(at))
    sh(*inside, "mount", "-o", "loop,nouuid", str(image), str(at))


async def test_equal_identities_are_served_side_by_side(site: Site, server: Row, five: Client) -> None:
    source = await site.share(server, 1, "rw 10.7.0.0/24")
    await written(five, source)
    await five("write", name="f", text="of the source")
    snapshot = site.snapshot(source)
    await site.driver.create_snapshot(snapshot, server)
    shares = [source] + [await _copy(site, snapshot, server) for _ in range(2)]
    identity = str(uuid.uuid4())
    for share in shares:
        await _identified(site, share, identity, site.node_of(server))
    rules = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.0/24", "access_level": "rw", "state": "active"}]
    rows = [{**share, "share_server": server, "access_rules": rules} for share in shares]
    assert all("status" not in one for one in (await site.driver.ensure_shares(rows)).values())
    bound = site.bound(server)
    devices = [bound[share["id"]] for share in shares]
    seen = [
        sh("blkid", "-p", "-o", "value", "-s", "UUID", f"/dev/loop{device.partition(':')[2]}") for device in devices
    ]
    print(f"\nUUIDs of {len(shares)} volumes on one node: {seen}")
    assert seen == [identity] * len(shares) and len(set(devices)) == len(shares)
    for number, share in enumerate(shares):
        await written(five, share)
        assert await five("read", name="f") == "of the source"
        await five("write", name="own", text=str(number) * 1000)
    for number, share in enumerate(shares):
        await five.mount(share["location"])
        assert await five("read", name="own") == str(number) * 1000
        assert await five("read", name="first") == share["id"]
    await site.driver.delete_snapshot(snapshot, server)
    for share in shares:
        await site.driver.delete_share(share, server)
