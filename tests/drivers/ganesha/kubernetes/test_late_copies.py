"""Storage that binds a copy before it has made it from the volume in which the snapshot lives: nothing is lost."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

import pytest

from drivers.base import Unfinished
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.backups import KubernetesBackups
from drivers.kubernetes.api import (
    CLAIM,
    LONGHORN_VOLUME,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CLASS,
    SNAPSHOT_CONTENT,
    STORAGE_CLASS,
    VOLUME,
    Object,
)
from drivers.reconciling import Rows
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.installation import Installation, made
from tests.drivers.ganesha.kubernetes.test_driver import RULE, SHARE, SNAP

REVERTED: Final[Row] = {**SHARE, "status": "reverting_to_snapshot"}
OLD, NEW = "written to handle-pv-share-i1", "written to handle-pv-share-i1 at taken-snapshot-n1"
COPY: Final[Row] = {**SHARE, "id": "i2", "share_id": "h2", "size": 2}


@pytest.fixture
async def there() -> Installation:
    found = await Installation().begin()
    found.cluster.disks.late = True
    return found


def served(cluster: FakeCluster) -> str:
    """What clients of the share see."""
    shown = cluster.of(SHARE_EXPORT)["share-i1"]
    assert shown["status"]["exported"], "it is served all the time"
    return cluster.content(shown["spec"]["claim"])


def role(cluster: FakeCluster, claim: str) -> str:
    return str(cluster.of(CLAIM)[claim]["metadata"]["labels"][names.ROLE])


async def reverted(there: Installation) -> None:
    """A revert that the storage takes its time for."""
    driver, (server,) = there.driver, there.rows.servers
    assert await driver.revert_to_snapshot(SNAP, [RULE], [], server) == {"status": "reverting_to_snapshot"}
    there.cluster.copy()
    assert (await driver.get_share_status(REVERTED, server))["status"] == "available"


async def test_a_share_is_served_as_it_was_until_the_copy_is_whole(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    assert await driver.revert_to_snapshot(SNAP, [RULE], [], server) == {"status": "reverting_to_snapshot"}
    for _ in range(2):
        assert await driver.get_share_status(REVERTED, server) == {"status": "reverting_to_snapshot"}
        assert served(cluster) == OLD
    assert cluster.of(CLAIM)["share-i1-1"]["status"]["phase"] == "Bound", "which proves nothing"
    cluster.copy()
    found = await driver.get_share_status(REVERTED, server)
    assert (found["status"], found["size"]) == ("available", 1)
    assert found["export_locations"][0]["path"] == "10.0.0.50:/i1"
    assert served(cluster) == NEW
    assert cluster.of(SHARE_EXPORT)["share-i1"]["spec"]["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]
    assert (await driver.get_share_status(REVERTED, server))["status"] == "available", "who asks again is told the same"
    assert "proof-i1" not in cluster.of(POD)


async def test_the_volume_before_stays_as_long_as_a_snapshot_lives_in_it(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.create_snapshot({**SNAP, "id": "n2"}, server)
    await reverted(there)
    assert role(cluster, "share-i1") == "former" and cluster.disks.lost == set()
    assert cluster.of(VOLUME)["pv-share-i1"]["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    await driver.delete_snapshot(SNAP, server)
    await there.look()
    assert role(cluster, "share-i1") == "former"
    # the other one can still be used
    again = {**SNAP, "id": "n2"}
    assert await driver.revert_to_snapshot(again, [RULE], [], server) == {"status": "reverting_to_snapshot"}
    cluster.copy()
    await driver.get_share_status(REVERTED, server)
    assert served(cluster) == "written to handle-pv-share-i1 at taken-snapshot-n2"
    assert "share-i1-1" not in cluster.of(CLAIM), "nothing lives in the first copy"
    await driver.delete_snapshot(again, server)
    assert "share-i1" not in cluster.of(CLAIM) and "pv-share-i1" not in cluster.of(VOLUME)
    assert cluster.disks.lost == set()
    await driver.delete_share(SHARE, server)
    assert not [name for _, name in cluster.objects if "i1" in name or "n1" in name or "n2" in name]


async def test_a_copy_of_another_file_system_is_never_served(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    said = {"terminated": {"message": "its root folder was born at b, that of the share at a"}}
    cluster.of(POD)["proof-i1"]["status"] = {"phase": "Failed", "initContainerStatuses": [{"state": said}]}
    with pytest.raises(ShareBackendException, match="share-i1-1 is not the file system of share i1: its root"):
        await driver.get_share_status(REVERTED, server)
    assert served(cluster) == OLD and "share-i1-1" not in cluster.of(CLAIM) and "proof-i1" not in cluster.of(POD)
    assert (await there.look()).broken == ()


async def test_a_copy_that_takes_too_long_is_given_up() -> None:
    there = await Installation(replace(OPTIONS, kubernetes_copy_timeout=60)).begin()
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    cluster.disks.late = True
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    cluster.of(CLAIM)["share-i1-1"]["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    with pytest.raises(ShareBackendException, match="kubernetes_copy_timeout is 60 s"):
        await driver.get_share_status(REVERTED, server)
    assert served(cluster) == OLD and "share-i1-1" not in cluster.of(CLAIM) and "proof-i1" not in cluster.of(POD)


async def test_what_is_removed_by_hand_while_it_is_copied_is_begun_again(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    await cluster.delete(POD, "proof-i1", grace=0)
    await cluster.delete(CLAIM, "share-i1-1")
    assert await driver.get_share_status(REVERTED, server) == {"status": "reverting_to_snapshot"}
    assert served(cluster) == OLD
    cluster.copy()
    await driver.get_share_status(REVERTED, server)
    assert served(cluster) == NEW


async def test_a_share_from_a_snapshot_is_available_when_it_is_whole(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    found = await driver.create_share_from_snapshot(COPY, SNAP, server)
    assert found == {"status": "creating_from_snapshot"} and "share-i2" not in cluster.of(SHARE_EXPORT)
    row = {**COPY, "status": "creating_from_snapshot"}
    assert await driver.get_share_status(row, server) == {"status": "creating_from_snapshot"}
    with pytest.raises(ShareBackendException, match="snapshot n1 is needed, and stays: copy share-i2"):
        await driver.delete_snapshot(SNAP, server)
    cluster.copy()
    told = await driver.get_share_status(row, server)
    assert (told["status"], told["export_locations"][0]["path"]) == ("available", "10.0.0.50:/i2")
    assert cluster.of(SHARE_EXPORT)["share-i2"]["status"]["exported"] and cluster.content("share-i2") == NEW
    assert cluster.of(CLAIM)["share-i2"]["spec"]["resources"]["requests"]["storage"] == "2Gi"
    await driver.delete_snapshot(SNAP, server)


async def test_a_volume_that_is_needed_is_not_removed_with_its_share(there: Installation) -> None:
    """The API has refused it; an administrator's force, or a snapshot that somebody else has taken, comes here."""
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    with pytest.raises(ShareBackendException, match="volumes of share i1 are needed, and stay: snapshot snapshot-n1"):
        await driver.delete_share(SHARE, server)
    assert cluster.disks.lost == set() and "share-i1" in cluster.of(CLAIM)
    await driver.delete_snapshot(SNAP, server)
    theirs: Object = {"metadata": {"name": "velero", "namespace": OPTIONS.kubernetes_namespace}}
    theirs["spec"] = {"source": {"persistentVolumeClaimName": "share-i1"}}
    await cluster.create(SNAPSHOT, theirs)
    with pytest.raises(ShareBackendException, match="stay: snapshot velero"):
        await driver.delete_share(SHARE, server)
    await cluster.delete(SNAPSHOT, "velero")
    await driver.delete_share(SHARE, server)
    assert cluster.disks.lost == set() and "share-i1" not in cluster.of(CLAIM)


async def test_a_backup_is_swapped_in_when_it_is_whole(there: Installation) -> None:
    cluster, (server,) = there.cluster, there.rows.servers
    options = replace(OPTIONS, kubernetes_backup_class="away")
    driver = made(cluster, options)
    driver._kept = KubernetesBackups(options, cluster)
    backup: Row = {"id": "b1"}
    await driver.create_backup(SHARE, backup, server)
    await driver.create_backup_continue(SHARE, backup, server)
    await driver.restore_backup(backup, SHARE, server)
    assert (await driver.restore_backup_continue(backup, SHARE, server))["total_progress"] == "0"
    assert served(cluster) == OLD
    with pytest.raises(ShareBackendException, match="backup b1 is needed, and stays: copy share-i1-1"):
        await driver.delete_backup(backup, SHARE, server)
    cluster.copy()
    assert (await driver.restore_backup_continue(backup, SHARE, server))["total_progress"] == "100"
    assert served(cluster) == "written to handle-pv-share-i1 at taken-backup-b1"
    assert role(cluster, "share-i1") == "former", "the snapshot lives in it"
    await driver.delete_snapshot(SNAP, server)
    assert "share-i1" not in cluster.of(CLAIM), "the backup outlives it"
    await driver.delete_backup(backup, SHARE, server)


async def test_the_reconciler_removes_what_nothing_needs_any_more(there: Installation) -> None:
    cluster = there.cluster
    await reverted(there)
    assert (await there.look()).broken == () and role(cluster, "share-i1") == "former"
    del cluster.objects[SNAPSHOT_CONTENT.plural, "content-snapshot-n1"]
    del cluster.objects[SNAPSHOT.plural, "snapshot-n1"]
    await there.look()
    assert "share-i1" not in cluster.of(CLAIM) and "pv-share-i1" not in cluster.of(VOLUME)


async def test_the_volume_before_is_no_orphan_and_goes_where_its_share_goes(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await reverted(there)
    assert (await there.look()).orphans == ()
    there.rows = Rows()
    orphan = next(one for one in (await there.look()).orphans if one.name == "share-i1")
    await driver.remove_orphan(orphan)
    assert "share-i1" in cluster.of(CLAIM), "a snapshot lives in it, whether it has a row or not"
    await driver._volumes.rename("i1", "i9")
    assert cluster.of(CLAIM)["share-i1"]["metadata"]["labels"][names.SHARE] == "i9"
    assert cluster.of(VOLUME)["pv-share-i1"]["metadata"]["labels"][names.SHARE] == "i9"
    await driver.delete_snapshot(SNAP, server)
    assert "share-i1" not in cluster.of(CLAIM)


async def test_a_proof_that_its_node_does_not_take_is_made_again(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    before = cluster.of(POD)["proof-i1"]["metadata"]["uid"]
    cluster.of(POD)["proof-i1"]["status"] = {"phase": "Failed", "reason": "OutOfpods"}
    for _ in range(2):
        assert await driver.get_share_status(REVERTED, server) == {"status": "reverting_to_snapshot"}
    assert cluster.of(POD)["proof-i1"]["metadata"]["uid"] != before and served(cluster) == OLD


async def test_a_copy_that_the_kernel_does_not_mount_says_what_the_class_lacks(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    cluster.complaints["proof-i1"] = ["FailedMount: mount: /x: wrong fs type, bad option, bad superblock on /dev/sda"]
    with pytest.raises(ShareBackendException, match=r"with XFS its class needs mountOptions: \[nouuid\]: FailedMount"):
        await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    assert served(cluster) == OLD and "share-i1-1" not in cluster.of(CLAIM)


async def test_what_nobody_goes_on_with_is_removed(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    await there.look()
    assert "share-i1-1" in cluster.of(CLAIM)
    (share,) = there.rows.shares
    there.rows = replace(there.rows, shares=[{**share, "status": "reverting_error"}])
    assert (await there.look()).broken == ()
    assert "share-i1-1" not in cluster.of(CLAIM) and "proof-i1" not in cluster.of(POD)
    assert await driver._volumes.restoring("i1") is None and served(cluster) == OLD


@pytest.mark.parametrize("alone", [True, False], ids=["the copy stays", "the copy goes, too"])
async def test_a_claim_that_was_removed_is_reverted_all_the_same(there: Installation, alone: bool) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    gone = [(POD, "proof-i1"), (POD, "holder-i1"), (CLAIM, "share-i1"), *(() if alone else ((CLAIM, "share-i1-1"),))]
    for kind, name in gone:
        await cluster.delete(kind, name, grace=0)
    assert "pv-share-i1" in cluster.of(VOLUME) and cluster.disks.lost == set()
    assert await driver.get_share_status(REVERTED, server) == {"status": "reverting_to_snapshot"}
    cluster.copy()
    await driver.get_share_status(REVERTED, server)
    assert served(cluster) == NEW
    assert "manila.openkeel.io/reverting-to" not in cluster.of(VOLUME)["pv-share-i1"]["metadata"]["annotations"]


async def test_a_snapshot_is_shown_when_its_view_is_whole(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    rule = {**RULE, "state": "active"}
    await driver.snapshot_update_access(SNAP, [], [], [rule], server)
    assert "view-n1" not in cluster.of(CLAIM)
    for _ in range(2):
        with pytest.raises(Unfinished, match="view of snapshot n1 is not copied by now"):
            await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
        assert "share-n1" not in cluster.of(SHARE_EXPORT), "nothing is shown of it"
    cluster.copy()
    await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
    shown = cluster.of(SHARE_EXPORT)["share-n1"]
    assert shown["status"]["exported"] and cluster.content(shown["spec"]["claim"]) == NEW
    assert (await there.look()).broken == ()
    await driver.delete_snapshot(SNAP, server)
    assert "view-n1" not in cluster.of(CLAIM)


async def test_a_snapshot_whose_view_is_copied_still_can_be_removed(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    rule = {**RULE, "state": "active"}
    await driver.snapshot_update_access(SNAP, [], [], [rule], server)
    with pytest.raises(Unfinished):
        await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
    await driver.delete_snapshot(SNAP, server)
    left = [name for _, name in cluster.objects if name.endswith("n1")]
    assert left == [] and cluster.disks.lost == set()


async def test_a_view_that_is_never_copied_is_an_error(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    rule = {**RULE, "state": "active"}
    await driver.snapshot_update_access(SNAP, [], [], [rule], server)
    with pytest.raises(Unfinished):
        await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
    cluster.of(CLAIM)["view-n1"]["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    with pytest.raises(ShareBackendException, match="kubernetes_copy_timeout is 86400 s") as raised:
        await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
    assert not isinstance(raised.value, Unfinished)


async def test_what_the_kernel_does_not_mount_is_no_copy_that_is_late(there: Installation) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    rule = {**RULE, "state": "active"}
    await driver.snapshot_update_access(SNAP, [], [], [rule], server)
    for name in ("holder-i2", "holder-n1"):
        cluster.complaints[name] = ["FailedMount: mount: /x: wrong fs type, bad option, bad superblock on /dev/sda"]
    hint = r"with XFS its class needs mountOptions: \[nouuid\]: FailedMount"
    with pytest.raises(ShareBackendException, match=hint):
        await driver.create_share_from_snapshot(COPY, SNAP, server)
    with pytest.raises(ShareBackendException, match=hint):
        await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)


async def test_what_cannot_be_proven_is_not_offered(there: Installation, caplog: pytest.LogCaptureFixture) -> None:
    cluster, driver, (server,) = there.cluster, there.driver, there.rows.servers
    offered = ("revert_to_snapshot_support", "create_share_from_snapshot_support")
    stats = await driver.get_share_stats(refresh=True)
    assert [stats[one] for one in offered] == [True, True] and stats["snapshot_support"]
    cluster.of(STORAGE_CLASS)["fast"]["provisioner"] = "driver.longhorn.io"
    cluster.of(SNAPSHOT_CLASS)["fast"]["driver"] = "driver.longhorn.io"
    cluster.closed.add(LONGHORN_VOLUME)
    stats = await driver.get_share_stats(refresh=True)
    assert [stats[one] for one in offered] == [False, False] and stats["snapshot_support"]
    with caplog.at_level(logging.WARNING, "drivers.ganesha.driver"):
        await driver.do_setup()
    said = [one.getMessage() for one in caplog.records if "Longhorn's volumes say what is copied" in one.getMessage()]
    assert len(said) == 1 and "class fast" in said[0] and "403" in said[0]
    with pytest.raises(ShareBackendException, match="share i1 is not reverted: Longhorn's volumes"):
        await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    assert "share-i1-1" not in cluster.of(CLAIM)
