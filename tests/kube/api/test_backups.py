"""Backups as snapshots of a class of their own: taken, restored to any share, removed; none without a class."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.kubernetes.api import CLAIM, POD, SHARE_EXPORT, SNAPSHOT
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP
from tests.kube.api.back_end import BackEnd, installed, snapshot_class
from tests.kube.api.conftest import Bench

BACKUP: Row = {"id": "b1"}
OTHER: Row = {**SHARE, "id": "i2", "share_id": "h2", "size": 3}
CLASS = "outlives"


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


async def served(back_end: BackEnd, **options: object) -> tuple[GaneshaDriver, Row]:
    await snapshot_class(back_end.bench, CLASS)
    driver = back_end.driver(kubernetes_backup_class=CLASS, **options)
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    await driver.create_share(SHARE, server)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], server)
    return driver, server


async def shares(back_end: BackEnd) -> list[str]:
    """Names of the claims that shares have or had."""
    return [name for name in await back_end.names(CLAIM) if name.startswith("share-")]


async def until(driver: GaneshaDriver, what: str, share: Row, server: Row) -> None:
    """Ask how far it is until it is done."""
    pair = (BACKUP, share) if what == "restore_backup_continue" else (share, BACKUP)
    for _ in range(200):
        if (await getattr(driver, what)(*pair, server))["total_progress"] == "100":
            return
        await asyncio.sleep(0.02)
    raise AssertionError(what)


async def taken(driver: GaneshaDriver, server: Row) -> None:
    await driver.create_backup(SHARE, BACKUP, server)
    await until(driver, "create_backup_continue", SHARE, server)


async def test_a_backup_outlives_its_share_and_goes_into_another(back_end: BackEnd) -> None:
    driver, server = await served(back_end)
    await taken(driver, server)
    spec = (await back_end.the(SNAPSHOT, "backup-b1"))["spec"]
    assert (spec["volumeSnapshotClassName"], spec["source"]) == (CLASS, {"persistentVolumeClaimName": "share-i1"})
    await driver.create_share(OTHER, server)
    await driver.update_access(OTHER, [RULE], [RULE], [], [], server)
    await driver.delete_share(SHARE, server)
    assert await back_end.names(SNAPSHOT) == ["backup-b1"]
    await driver.restore_backup(BACKUP, OTHER, server)
    await until(driver, "restore_backup_continue", OTHER, server)
    assert [name for name in await back_end.names(CLAIM) if name.startswith("share-")] == ["share-i2-1"]
    claim = await back_end.the(CLAIM, "share-i2-1")
    assert claim["spec"]["dataSource"]["name"] == "backup-b1"
    assert claim["spec"]["resources"]["requests"]["storage"] == "3Gi", "as big as the share that it is now"
    assert claim["metadata"]["labels"]["manila.openkeel.io/share"] == "h2"
    shown = (await back_end.the(SHARE_EXPORT, "share-i2"))["spec"]
    assert (shown["claim"], shown["exported"], len(shown["clients"])) == ("share-i2-1", True, 1)
    await driver.delete_backup(BACKUP, OTHER, server)
    await driver.delete_backup(BACKUP, OTHER, server)
    assert await back_end.names(SNAPSHOT) == []


async def test_every_step_of_a_backup_may_be_repeated(back_end: BackEnd) -> None:
    driver, server = await served(back_end)
    for _ in range(2):
        await taken(driver, server)
    for _ in range(2):
        await driver.restore_backup(BACKUP, SHARE, server)
    await until(driver, "restore_backup_continue", SHARE, server)
    before = [name for name in await back_end.names(CLAIM) if name.startswith("share-")]
    assert before == ["share-i1-1"]
    await driver.restore_backup(BACKUP, SHARE, server)
    await until(driver, "restore_backup_continue", SHARE, server)
    assert [name for name in await back_end.names(CLAIM) if name.startswith("share-")] == ["share-i1-2"]


async def test_a_share_is_served_as_it_was_until_all_is_there_and_when_it_never_is(back_end: BackEnd) -> None:
    driver, server = await served(back_end, kubernetes_bind_timeout=2.0)
    await taken(driver, server)
    back_end.player.stuck.add("share-i1-1")
    await driver.restore_backup(BACKUP, SHARE, server)
    await driver.ensure_shares([{**SHARE, "share_server": server, "access_rules": [RULE]}])
    assert (await back_end.the(SHARE_EXPORT, "share-i1"))["spec"]["claim"] == "share-i1"
    with pytest.raises(ShareBackendException, match="claim share-i1-1 is bound: not within"):
        await until(driver, "restore_backup_continue", SHARE, server)
    assert [name for name in await back_end.names(CLAIM) if name.startswith("share-")] == ["share-i1"]
    assert (await back_end.the(SHARE_EXPORT, "share-i1"))["spec"]["exported"]


async def test_a_revert_and_a_restore_that_were_cut_short_are_in_nobody_s_way(back_end: BackEnd) -> None:
    driver, server = await served(back_end)
    await taken(driver, server)
    await driver.create_snapshot(SNAP, server)
    await driver.restore_backup(BACKUP, SHARE, server)  # and nobody goes on with it
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    assert await shares(back_end) == ["share-i1", "share-i1-2"], "the snapshot lives in the first"
    assert (await back_end.the(CLAIM, "share-i1-2"))["spec"]["dataSource"]["name"] == "snapshot-n1"
    back_end.player.stuck.add("share-i1-3")
    reverting = asyncio.ensure_future(driver.revert_to_snapshot(SNAP, [RULE], [], server))
    await back_end.seen(CLAIM, "share-i1-3")
    reverting.cancel()
    await asyncio.gather(reverting, return_exceptions=True)
    await driver.restore_backup(BACKUP, SHARE, server)
    await until(driver, "restore_backup_continue", SHARE, server)
    assert await shares(back_end) == ["share-i1", "share-i1-4"]
    assert (await back_end.the(CLAIM, "share-i1-4"))["spec"]["dataSource"]["name"] == "backup-b1"


async def test_a_share_that_goes_takes_what_was_to_be_restored_with_it(back_end: BackEnd) -> None:
    driver, server = await served(back_end)
    await taken(driver, server)
    await driver.restore_backup(BACKUP, SHARE, server)
    await driver.delete_share(SHARE, server)
    assert await back_end.names(CLAIM) == ["state-gateway-s1-0"]
    assert await back_end.names(POD) == ["gateway-s1-0"]


async def test_without_a_class_there_are_no_backups_and_the_option_is_named(back_end: BackEnd) -> None:
    _, server = await served(back_end)
    with pytest.raises(ShareBackendException, match="kubernetes_backup_class is not set"):
        await back_end.driver().create_backup(SHARE, BACKUP, server)
