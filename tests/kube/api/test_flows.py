"""A share's making and removal with a request answered by 504 although it was done, before either API server.

Some of the requests, since a life takes its time here; ``tests/drivers/ganesha/kubernetes/test_faults.py`` takes all.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.kubernetes.api import CLAIM, POD, SHARE_EXPORT, STATEFUL_SET, Cluster, Kind
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE
from tests.drivers.kubernetes.memory import Object
from tests.kube.api.back_end import furnish
from tests.kube.api.conftest import Bench
from tests.kube.api.faulty import Fault
from tests.kube.api.player import Player

EVERY = 7
KINDS = (STATEFUL_SET, POD, CLAIM, SHARE_EXPORT)
NETWORKS = "/apis/k8s.cni.cncf.io/v1/network-attachment-definitions"


class Admin(Cluster):
    """Past the proxy."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(None)
        self._bench = bench

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        return await self._bench.admin(method, path, body, content)


@pytest.fixture
async def driver(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[GaneshaDriver]:
    """With a gateway that serves."""
    await furnish(bench, request)
    options = replace(OPTIONS, kubernetes_namespace=bench.namespace, kubernetes_storage_class="grows")
    options = replace(options, kubernetes_bind_timeout=20.0, kubernetes_start_timeout=20.0)
    shares = Shares(options, bench.cluster)
    volumes = KubernetesVolumes(options, bench.cluster, shares)
    made = GaneshaDriver(options, KubernetesGateways(options, bench.cluster), volumes, KubernetesExports(shares))
    async with Player(Admin(bench), bench.namespace).playing():
        await made.do_setup()
        yield made


async def names(bench: Bench, kind: Kind) -> list[str]:
    _, found = await bench.admin("GET", kind.path(bench.namespace))
    return [one["metadata"]["name"] for one in found["items"]]


async def there(bench: Bench) -> str:
    """Names of everything, and who may what, once what is being removed is gone: nobody waits for that."""
    async with asyncio.timeout(10):
        while True:
            _, exports = await bench.admin("GET", SHARE_EXPORT.path(bench.namespace))
            if not any("deletionTimestamp" in one["metadata"] for one in exports["items"]):
                break
            await asyncio.sleep(0.05)
    seen: list[object] = [await names(bench, kind) for kind in KINDS]
    seen += [[one["spec"], one["status"]["exported"]] for one in exports["items"]]
    return json.dumps(seen, sort_keys=True)


async def life(driver: GaneshaDriver, server: Row) -> None:
    await driver.create_share(SHARE, server)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], server)


@pytest.mark.parametrize("status", [504, 409])
async def test_a_lost_answer_changes_nothing(bench: Bench, driver: GaneshaDriver, status: int) -> None:
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    before = sum(count for method, count in bench.proxy.seen.items() if method != "WATCH")
    await life(driver, server)
    made = sum(count for method, count in bench.proxy.seen.items() if method != "WATCH") - before
    expected = await there(bench)
    await driver.delete_share(SHARE, server)
    alone = await there(bench)
    for skip in range(1, made, EVERY):
        fault = Fault("*", "", status, done=status == 504, skip=skip)
        bench.proxy.faults[:] = [fault]
        await life(driver, server)
        assert await there(bench) == expected, f"request {skip} of making it"
        await driver.delete_share(SHARE, server)
        assert await there(bench) == alone, f"request {skip}"
    assert bench.proxy.committed > 3
    bench.proxy.faults.clear()
    await driver.teardown_server(server["backend_details"])
    async with asyncio.timeout(10):
        while [await names(bench, kind) for kind in KINDS] != [[]] * len(KINDS):
            await asyncio.sleep(0.1)
