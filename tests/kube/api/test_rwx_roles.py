"""The roles of the back end without share servers: enough for its whole work, nothing unused, nothing else let."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from drivers.kubernetes.api import CLAIM, DEPLOYMENT, LONGHORN_VOLUME, POD, SNAPSHOT, Cluster
from drivers.kubernetes.labels import SHARE as LABEL
from drivers.rwx.driver import RwxDriver
from drivers.rwx.options import RwxOptions
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.kube.api import accounts
from tests.kube.api.accounts import Account
from tests.kube.api.conftest import Bench
from tests.kube.api.longhorn import CLASS, Controllers, install
from tests.lab.cluster import Cluster as Lab

pytestmark = [pytest.mark.kube_api, pytest.mark.parametrize("bench", ["server"], indirect=True)]
SHARE: Row = {"id": "i1", "share_id": "h1", "size": 1, "share_proto": "NFS", "extra_specs": {}}
SNAP: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
EVERYBODY: Row = {"id": "r1", "access_type": "ip", "access_to": "0.0.0.0/0", "access_level": "rw"}
POD_SPEC = {"containers": [{"name": "c", "image": "localhost/x:1"}]}
MERGE = "application/merge-patch+json"


@pytest.fixture
async def account(lab: Lab, bench: Bench, tmp_path: pathlib.Path) -> Account:
    await install(bench)
    return accounts.make(lab, tmp_path, bench.namespace, "rwx", "rwx-role", "rwx-cluster-role")


@pytest.fixture
async def cluster(account: Account) -> AsyncIterator[Cluster]:
    one = Cluster(str(account.kubeconfig))
    try:
        yield one
    finally:
        await one.close()


async def _leave(bench: Bench) -> None:
    """A keeper's pod takes its time to end, longer than its Deployment."""
    await bench.cluster.until(DEPLOYMENT, "keeper-i1", bench.namespace, lambda one: one is None, 30, "keeper is gone")
    await asyncio.sleep(1)
    await bench.cluster.delete(POD, "lingers", bench.namespace, grace=0)


async def test_the_role_is_enough_and_nothing_in_it_is_unused(bench: Bench, account: Account, cluster: Cluster) -> None:
    options = RwxOptions(
        name="rwx",
        share_backend_name="rwx",
        driver_handles_share_servers=False,
        kubernetes_namespace=bench.namespace,
        kubernetes_storage_class=CLASS,
        kubernetes_snapshot_class=CLASS,
        kubernetes_bind_timeout=20.0,
        kubernetes_start_timeout=20.0,
        kubernetes_expand_timeout=20.0,
    )
    driver = RwxDriver(options, cluster)
    async with Controllers(bench) as longhorn:
        await driver.do_setup()
        await driver.get_share_stats(refresh=True)
        await driver.create_share(SHARE)
        await driver.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], [])
        await driver.extend_share(SHARE, 3)
        await driver.create_snapshot(SNAP)
        copy = {**SHARE, "id": "i2", "size": 3}
        await driver.create_share_from_snapshot(copy, SNAP)
        await driver.update_access(SHARE, [], [], [EVERYBODY], [])
        await driver.ensure_shares([{**SHARE, "access_rules": [EVERYBODY], "share_server": None}])
        await driver.update_access(SHARE, [], [], [EVERYBODY], [])
        longhorn.serving = False
        hasty = RwxDriver(replace(options, kubernetes_start_timeout=0.5), cluster)
        with pytest.raises(ShareBackendException):
            await hasty.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], [])
        longhorn.serving = True
        await bench.cluster.delete(SNAPSHOT, "rwx-snapshot-n1", bench.namespace)
        await bench.cluster.until(
            SNAPSHOT, "rwx-snapshot-n1", bench.namespace, lambda one: one is None, 20, "the snapshot is gone"
        )
        await driver.ensure_snapshot(SNAP, [])
        await driver.delete_snapshot(SNAP)
        pod = {"metadata": bench.metadata("lingers", labels={LABEL: "i1"}), "spec": POD_SPEC}
        await bench.cluster.create(POD, pod)
        leaving = asyncio.create_task(_leave(bench))
        for share in (copy, SHARE):
            await driver.delete_share(share)
        await leaving
        for kind in (CLAIM, DEPLOYMENT):
            assert await bench.cluster.every(kind, bench.namespace) == []
    with contextlib.suppress(ShareBackendException):  # nobody plays Longhorn: what Kubernetes complains of is asked for
        await RwxDriver(replace(options, kubernetes_bind_timeout=0.5), cluster).create_share(SHARE)
    known = accounts.granted("rwx-role") | accounts.granted("rwx-cluster-role")
    unused = known - account.uses()
    assert not unused, f"granted for nothing: {sorted(unused)}"


async def test_it_may_do_nothing_else(bench: Bench, account: Account) -> None:
    own, may = bench.namespace, account.may
    pod = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    asked = {
        "read secrets": may("GET", f"/api/v1/namespaces/{own}/secrets"),
        "make a pod": may("POST", f"/api/v1/namespaces/{own}/pods", pod),
        "make a deployment elsewhere": may("POST", DEPLOYMENT.path("default"), {"metadata": {"name": "x"}}),
        "read claims of all": may("GET", CLAIM.path(None)),
        "remove a volume of Longhorn": may("DELETE", f"{LONGHORN_VOLUME.path('longhorn-system')}/x"),
        "change a setting of Longhorn": may("PATCH", "/apis/longhorn.io/v1beta2/namespaces/x/settings/x", {}, MERGE),
        "change a storage class": may("PATCH", f"/apis/storage.k8s.io/v1/storageclasses/{CLASS}", {}, MERGE),
        "see nodes": may("GET", "/api/v1/nodes"),
    }
    assert asked == dict.fromkeys(asked, 403)
