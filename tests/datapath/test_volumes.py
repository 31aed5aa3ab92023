"""What a share holds: sizes as the client sees them, growth, snapshots, clones, revert, a full share among others."""

from __future__ import annotations

import os

import pytest

from generated.errors import ShareBackendException, SnapshotResourceNotFound
from generated.runtime import Row
from tests.datapath.lab import Client, Lab

pytestmark = pytest.mark.datapath

GIB = 2**30


async def test_full_share_hurts_no_other(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    other = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    fits = int(0.99 * 1024) + 1
    assert await five("fill", name="big", size=fits) == fits
    assert await five("fill", name="more", size=1024) < 64
    await five.mount(other["location"])
    assert await five("fill", name="f", size=50) == 50
    await lab.driver.extend_share(share, 2, server)
    await five.mount(share["location"])
    assert await five("fill", name="again", size=100) == 100
    for done in (share, other):
        await lab.driver.delete_share(done, server)


@pytest.mark.parametrize("size", [1, 2, 5, 40])
async def test_size(lab: Lab, server: Row, five: Client, size: int) -> None:
    share = await lab.share(server, size, "rw 10.0.0.5")
    await five.mount(share["location"])
    total, _ = await five("df")
    assert size * GIB <= total < 1.01 * size * GIB
    with (lab.layout.mount(share["id"]) / "big").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, size * GIB * 99 // 100)
    await lab.driver.delete_share(share, server)


async def test_extend_in_use(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="before")
    await five("open", name="f", mode="r+b")
    for size in (2, 2, 7):
        await lab.driver.extend_share(share, size, server)
        total, _ = await five("df")
        assert size * GIB <= total < 1.01 * size * GIB
    assert await five("write_at", name="f", offset=0, text="B") == 1
    assert await five("read", name="f") == "Before"
    with pytest.raises(NotImplementedError):
        await lab.driver.shrink_share(share, 1, server)


async def test_snapshot_clone_and_revert(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="old")
    snapshot = lab.snapshot(share)
    for _ in range(2):
        await lab.driver.create_snapshot(snapshot, server)
    await five("write", name="f", text="new")
    await five("write", name="g", text="later")

    clone: Row = {"id": f"clone-of-{share['id'][:8]}", "size": 2, "share_proto": "nfs", "server": server}
    for _ in range(2):
        locations = await lab.driver.create_share_from_snapshot(clone, snapshot, server, share)
    assert isinstance(locations, list)
    await lab.allow(clone, "rw 10.0.0.5")
    await five.mount(locations[0]["path"])
    assert await five("read", name="f") == "old"
    assert await five.outcome("read", name="g") == "NFS4ERR_NOENT"
    total, _ = await five("df")
    assert 2 * GIB <= total < 2.02 * GIB
    await five("write", name="f", text="clone")

    rules = [{"id": "r", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}]
    await five.mount(share["location"])
    assert await five("read", name="f") == "new"
    assert await lab.driver.revert_to_snapshot(snapshot, rules, [], server) == 1
    # the mount made before goes on: number and identity of the file system are the same
    assert await five("read", name="f") == "old"
    assert await five.outcome("read", name="g") == "NFS4ERR_NOENT"
    await five("write", name="h", text="after")
    total, _ = await five("df")
    assert GIB <= total < 1.01 * GIB

    for _ in range(2):
        await lab.driver.delete_snapshot(snapshot, server)
    await five.mount(locations[0]["path"])
    assert await five("read", name="f") == "clone"
    with pytest.raises(SnapshotResourceNotFound):
        await lab.driver.create_share_from_snapshot(clone | {"id": "nothing"}, snapshot, server, share)


async def test_revert_after_growth_and_to_nothing(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="old")
    snapshot = lab.snapshot(share)
    await lab.driver.create_snapshot(snapshot, server)
    await lab.driver.extend_share(share, 3, server)
    rules = [{"id": "r", "access_type": "ip", "access_to": "10.0.0.0/24", "access_level": "rw"}]
    await lab.driver.revert_to_snapshot(snapshot | {"share": share | {"size": 3}}, rules, [], server)
    total, _ = await five("df")
    assert 3 * GIB <= total < 3.03 * GIB
    with pytest.raises(SnapshotResourceNotFound):
        await lab.driver.revert_to_snapshot(snapshot | {"id": "none"}, rules, [], server)
    assert await five("read", name="f") == "old"


async def test_owner_mode_and_squash(lab: Lab, server: Row, five: Client) -> None:
    plain = await lab.share(server, 1, "rw 10.0.0.5")
    place = lab.layout.mount(plain["id"]).stat()
    assert (place.st_uid, place.st_gid, place.st_mode & 0o7777) == (0, 0, 0o777)
    await five.mount(plain["location"])
    await five("write", name="f", text="x")
    assert (await five("stat", name="f"))["uid"] == 0

    share = await lab.share(
        server, 1, "rw 10.0.0.5", ganesha_owner="1000:1001", ganesha_mode="0770", ganesha_squash="root"
    )
    place = lab.layout.mount(share["id"]).stat()
    assert (place.st_uid, place.st_gid, place.st_mode & 0o7777) == (1000, 1001, 0o770)
    await five.mount(share["location"], uid=0)
    assert await five.outcome("write", name="f", text="x") == "NFS4ERR_ACCESS"
    await five.mount(share["location"], uid=1000)
    await five("write", name="f", text="x")
    assert (await five("stat", name="f"))["uid"] == 1000
    # a repeated create leaves what the tenant has changed
    lab.layout.mount(share["id"]).chmod(0o700)
    await lab.driver.create_share(share, server)
    assert lab.layout.mount(share["id"]).stat().st_mode & 0o777 == 0o700
    with pytest.raises(ShareBackendException, match="squash"):
        await lab.share(server, 1, ganesha_squash="some")


async def test_what_does_not_fit_is_refused(lab: Lab, server: Row, five: Client) -> None:
    before = await lab.driver.get_share_stats(refresh=True)
    with pytest.raises(ShareBackendException, match="MiB are needed"):
        await lab.share(server, 100)
    share = await lab.share(server, 1, "rw 10.0.0.5")
    with pytest.raises(ShareBackendException, match="MiB are needed"):
        await lab.driver.extend_share(share, 100, server)
    after = await lab.driver.get_share_stats(refresh=True)
    assert before["free_capacity_gb"] - after["free_capacity_gb"] == pytest.approx(1.07, abs=0.1)
    await five.mount(share["location"])
    total, _ = await five("df")
    assert total < 1.01 * GIB
    await lab.driver.delete_share(share, server)
    assert (await lab.driver.get_share_stats(refresh=True))["free_capacity_gb"] == before["free_capacity_gb"]


async def test_promised_room_is_there(lab: Lab) -> None:
    """What the arithmetic promises is less than what the pool's file system has."""
    import os

    stat = os.statvfs(lab.layout.pool)
    used = sum(file.stat().st_blocks * 512 for file in (lab.layout.pool / "volumes").iterdir())
    assert stat.f_bavail * stat.f_frsize + used >= 0.97 * stat.f_blocks * stat.f_frsize
