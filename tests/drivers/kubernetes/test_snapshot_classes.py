"""A snapshot class is looked at when the back end starts: there, of the volumes' driver, of the kind it is used for."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from deploy.bootstrap import ROOT
from drivers.ganesha.kubernetes import assembled
from drivers.kubernetes.api import SNAPSHOT_CLASS, STORAGE_CLASS
from drivers.kubernetes.longhorn import PROVISIONER
from drivers.kubernetes.snapshot_classes import AWAY, INSIDE, check, doubtful
from drivers.rwx.driver import RwxDriver
from drivers.rwx.options import RwxOptions
from drivers.storage import MemoryStorage
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, SHARE, SNAP

PROMISES = [f"{name}_support" for name in ("create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot")]
PROMISES.append("snapshot_support")


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


@pytest.mark.parametrize("option", ["kubernetes_snapshot_class", "kubernetes_backup_class"])
async def test_one_that_is_not_there_stops_the_start_and_the_option_is_named(cluster: FakeCluster, option: str) -> None:
    changed: dict[str, Any] = {option: "none-such"}
    driver = assembled(replace(OPTIONS, **changed), cluster)
    driver.private_storage = MemoryStorage()
    with pytest.raises(ShareBackendException, match=rf"no VolumeSnapshotClass none-such \({option}\)"):
        await driver.do_setup()
    await cluster.create(SNAPSHOT_CLASS, {"metadata": {"name": "none-such"}, "driver": "csi.example"})
    await driver.do_setup()


async def test_one_of_another_driver_is_refused(cluster: FakeCluster, caplog: pytest.LogCaptureFixture) -> None:
    await cluster.create(SNAPSHOT_CLASS, {"metadata": {"name": "other"}, "driver": "other.example"})
    here, there, handed_on = ({"provisioner": name} for name in ("csi.example", "other.example", "kubernetes.io/x"))
    option = "kubernetes_snapshot_class"
    with pytest.raises(ShareBackendException, match="of the driver other.example, the volumes are of csi.example"):
        await check(cluster, option, "other", [here])
    with caplog.at_level(logging.WARNING):
        await check(cluster, option, "other", [there])
        await check(cluster, option, "other", [handed_on])
        assert not caplog.records
        await check(cluster, option, "other", [here, there])
    assert "no snapshots of volumes of csi.example" in caplog.text


@pytest.mark.parametrize(
    ("driver", "parameters", "kind", "says"),
    [
        (PROVISIONER, None, INSIDE, "type: snap"),
        (PROVISIONER, {"type": "bak"}, INSIDE, "type: snap"),
        (PROVISIONER, {"type": "snap"}, INSIDE, ""),
        (PROVISIONER, {"type": "snap"}, AWAY, "type: bak"),
        (PROVISIONER, {"type": "bak"}, AWAY, ""),
        ("csi.example", None, AWAY, ""),
    ],
)
def test_longhorn_s_kind(driver: str, parameters: dict[str, str] | None, kind: str, says: str) -> None:
    found = doubtful({"driver": driver, "parameters": parameters}, kind)
    assert says in found and bool(found) == bool(says)


async def test_what_longhorn_would_do_is_told_at_the_start(
    cluster: FakeCluster, caplog: pytest.LogCaptureFixture
) -> None:
    await cluster.create(SNAPSHOT_CLASS, {"metadata": {"name": "plain"}, "driver": PROVISIONER})
    with caplog.at_level(logging.WARNING, "drivers.kubernetes.snapshot_classes"):
        await check(cluster, "kubernetes_snapshot_class", "plain", [{"provisioner": PROVISIONER}])
    assert "each snapshot is a backup" in caplog.text


async def test_without_one_a_back_end_starts_and_promises_no_snapshots(cluster: FakeCluster) -> None:
    driver = assembled(replace(OPTIONS, kubernetes_snapshot_class=""), cluster)
    driver.private_storage = MemoryStorage()
    await driver.do_setup()
    stats = await driver.get_share_stats(refresh=True)
    assert [stats[name] for name in PROMISES] == [False] * 4
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    await driver.create_share(SHARE, server)
    with pytest.raises(ShareBackendException, match="kubernetes_snapshot_class is empty"):
        await driver.create_snapshot(SNAP, server)
    promising = assembled(OPTIONS, cluster)
    promising.private_storage = MemoryStorage()
    stats = await promising.get_share_stats(refresh=True)
    assert [stats[name] for name in PROMISES] == [True] * 4


@pytest.mark.parametrize(("name", "promised"), [("snaps", True), ("", False)])
async def test_the_same_without_share_servers(cluster: FakeCluster, name: str, promised: bool) -> None:
    await cluster.create(STORAGE_CLASS, {"metadata": {"name": "longhorn"}, "provisioner": PROVISIONER})
    options = RwxOptions(
        name="r",
        driver_handles_share_servers=False,
        kubernetes_namespace=OPTIONS.kubernetes_namespace,
        kubernetes_snapshot_class=name,
    )
    driver = RwxDriver(options, cluster)
    driver.private_storage = MemoryStorage()
    if name:
        with pytest.raises(ShareBackendException, match="no VolumeSnapshotClass snaps"):
            await driver.do_setup()
        await cluster.create(SNAPSHOT_CLASS, {"metadata": {"name": name}, "driver": PROVISIONER})
    await driver.do_setup()
    stats = await driver.get_share_stats(refresh=True)
    assert stats["snapshot_support"] is stats["create_share_from_snapshot_support"] is promised


def test_the_classes_on_the_page_are_such_as_are_not_complained_of() -> None:
    text = (ROOT / "docs" / "kubernetes.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    found = [
        one for block in blocks for one in yaml.safe_load_all(block) if one and one.get("kind") == "VolumeSnapshotClass"
    ]
    kinds = {one["metadata"]["name"]: kind for one, kind in zip(found, (INSIDE, AWAY), strict=True)}
    assert list(kinds) == ["longhorn-snap", "longhorn-backup"]
    for one in found:
        assert one["apiVersion"] == SNAPSHOT_CLASS.version and one["deletionPolicy"] == "Delete"
        assert not doubtful(one, kinds[one["metadata"]["name"]])
