"""Claims that are bound late or never: waited for in the same way each time, by whoever comes, and nothing is left."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.kubernetes.api import CLAIM, POD, STATEFUL_SET
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, SHARE, SNAP
from tests.kube.api.back_end import BackEnd, installed, snapshot_class
from tests.kube.api.conftest import Bench

COPY: Row = {**SHARE, "id": "i2"}
Make = Callable[[GaneshaDriver, Row], Awaitable[object]]
WAYS: dict[str, tuple[str, Make]] = {
    "new": ("i2", lambda driver, server: driver.create_share(COPY, server)),
    "from a snapshot": ("i2", lambda driver, server: driver.create_share_from_snapshot(COPY, SNAP, server)),
    "revert": ("i1-1", lambda driver, server: driver.revert_to_snapshot(SNAP, [], [], server)),
}


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


async def served(back_end: BackEnd) -> tuple[GaneshaDriver, Row]:
    """A driver that waits for claims for a second, with a gateway that serves a share with a snapshot."""
    driver = back_end.driver(kubernetes_bind_timeout=1.0)
    patient = back_end.driver()
    await patient.do_setup()
    server: Row = {"id": "s1", "backend_details": await patient.setup_server(NETWORK)}
    await patient.create_share(SHARE, server)
    await patient.create_snapshot(SNAP, server)
    return driver, server


@pytest.mark.parametrize("way", WAYS)
async def test_who_comes_after_a_killed_worker_waits_as_it_did(back_end: BackEnd, way: str) -> None:
    driver, server = await served(back_end)
    before = await back_end.everything()
    claim, make = f"share-{WAYS[way][0]}", WAYS[way][1]
    back_end.player.stuck.add(claim)
    killed = asyncio.ensure_future(make(back_end.driver(), server))
    await back_end.seen(CLAIM, claim)
    killed.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await killed
    with pytest.raises(ShareBackendException, match=f"claim {claim} is bound: not within 1 s"):
        await make(driver, server)
    assert await back_end.everything() == before, "nothing of it is left, and a revert left the share as it was"
    back_end.player.stuck.clear()
    await make(back_end.driver(), server)
    assert claim in await back_end.names(CLAIM)


async def test_a_claim_that_waits_is_held_by_nobody(back_end: BackEnd) -> None:
    driver, server = await served(back_end)
    found = await back_end.the(CLAIM, "share-i1")
    held = {**found["spec"], "resources": {"requests": {"storage": "1Gi"}}, "volumeName": ""}
    labels = {**found["metadata"]["labels"], "manila.openkeel.io/share-instance": "i7"}
    back_end.player.stuck.add("share-i7")
    await back_end.admin.create(CLAIM, {"metadata": back_end.bench.metadata("share-i7", labels=labels), "spec": held})
    with pytest.raises(ShareBackendException, match="claim share-i7 is bound: not within 1 s"):
        await driver.extend_share({**SHARE, "id": "i7"}, 2, server)
    assert "share-i7" in await back_end.names(CLAIM), "only who makes a share removes what it comes to"
    assert "holder-i7" not in await back_end.names(POD)


async def test_a_claim_that_has_lost_its_volume_is_told_at_once_and_stays(back_end: BackEnd) -> None:
    _, server = await served(back_end)
    back_end.player.stuck.add("share-i1")
    lost = {"status": {"phase": "Lost"}}
    await back_end.admin.merge(CLAIM, "share-i1", back_end.bench.namespace, lost, "status")
    async with asyncio.timeout(10):
        with pytest.raises(ShareBackendException, match="claim share-i1 has lost its volume"):
            await back_end.driver().create_share(SHARE, server)
    assert "share-i1" in await back_end.names(CLAIM)


async def test_a_gateway_is_not_made_before_its_state_has_a_volume(back_end: BackEnd) -> None:
    driver = back_end.driver(kubernetes_bind_timeout=1.0)
    await driver.do_setup()
    back_end.player.stuck.add("state-gateway-s1-0")
    for _ in range(2):
        with pytest.raises(ShareBackendException, match="claim state-gateway-s1-0 is bound: not within 1 s"):
            await driver.setup_server(NETWORK)
        assert await back_end.everything() == []
    starting = asyncio.ensure_future(back_end.driver().setup_server(NETWORK))
    await back_end.seen(CLAIM, "state-gateway-s1-0")
    assert await back_end.names(STATEFUL_SET) == []
    back_end.player.stuck.clear()
    await starting
    assert await back_end.names(STATEFUL_SET) == ["gateway-s1"]


async def test_a_class_whose_claims_wait_for_a_pod_is_refused_at_the_start(back_end: BackEnd) -> None:
    await back_end.storage_class("later", volumeBindingMode="WaitForFirstConsumer")
    driver = back_end.driver(kubernetes_storage_class="grows,later")
    with pytest.raises(ShareBackendException, match="StorageClass later: volumeBindingMode must be Immediate"):
        await driver.do_setup()
    await back_end.driver().do_setup()


@pytest.mark.parametrize(
    ("parameters", "options", "says"),
    [
        ({"csi.storage.k8s.io/fstype": "xfs"}, [], "StorageClass copies: XFS without the mount option nouuid"),
        ({"fsType": "xfs"}, ["noatime"], "StorageClass copies: XFS without the mount option nouuid"),
        ({"csi.storage.k8s.io/fstype": "xfs"}, ["noatime", "nouuid"], ""),
        ({"csi.storage.k8s.io/fstype": "ext4"}, [], ""),
    ],
)
async def test_xfs_whose_copies_may_not_mount_is_told_at_the_start(
    back_end: BackEnd, caplog: pytest.LogCaptureFixture, parameters: dict[str, str], options: list[str], says: str
) -> None:
    await back_end.storage_class("copies", parameters=parameters, mountOptions=options)
    with caplog.at_level(logging.WARNING, "drivers.kubernetes.storage_classes"):
        await back_end.driver(kubernetes_storage_class="copies").do_setup()
    assert [one.getMessage().split(":", 2)[:2] for one in caplog.records] == ([says.split(":", 2)] if says else [])


async def test_a_class_that_does_not_grow_is_told_at_the_start(
    back_end: BackEnd, caplog: pytest.LogCaptureFixture
) -> None:
    await back_end.storage_class("fixed", allowVolumeExpansion=False)
    with caplog.at_level(logging.WARNING, "drivers.kubernetes.storage_classes"):
        await back_end.driver(kubernetes_storage_class="fixed").do_setup()
    assert "no share can be extended" in caplog.text


async def test_a_snapshot_class_that_is_not_there_or_of_another_driver_is_refused_at_the_start(
    back_end: BackEnd,
) -> None:
    await snapshot_class(back_end.bench, "foreign", "other.example")
    for name, says in (("absent", "no VolumeSnapshotClass absent"), ("foreign", "of the driver other.example")):
        with pytest.raises(ShareBackendException, match=says):
            await back_end.driver(kubernetes_snapshot_class=name).do_setup()
    driver = back_end.driver(kubernetes_snapshot_class="")
    await driver.do_setup()
    assert (await driver.get_share_stats(refresh=True))["snapshot_support"] is False
