"""A back end on the cluster in memory, with a share server, a share and a snapshot, and its worker's looks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.kubernetes.api import Cluster
from drivers.reconciling import Broken, Findings, Rows
from drivers.tenant_ports import TenantPorts
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP


def made(cluster: Cluster, options: KubernetesOptions = OPTIONS, ports: TenantPorts | None = None) -> GaneshaDriver:
    shares = Shares(options, cluster)
    gateways, volumes = KubernetesGateways(options, cluster), KubernetesVolumes(options, cluster, shares)
    overseer = KubernetesOverseer(options, cluster, ports)
    return GaneshaDriver(options, gateways, volumes, KubernetesExports(shares), overseer=overseer)


class Installation:
    """A back end with one share server, one share with a client, and one snapshot that is shown to it."""

    def __init__(self, options: KubernetesOptions = OPTIONS, ports: TenantPorts | None = None) -> None:
        self.cluster = FakeCluster()
        self.driver = made(self.cluster, options, ports)
        self.rows = Rows()

    async def begin(self) -> Installation:
        await self.driver.do_setup()
        server: Row = {"id": "s1", "backend_details": await self.driver.setup_server(NETWORK)}
        await self.driver.create_share(SHARE, server)
        await self.driver.update_access(SHARE, [RULE], [RULE], [], [], server)
        await self.driver.create_snapshot(SNAP, server)
        rule = {**RULE, "state": "active"}
        await self.driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
        share = {**SHARE, "share_server": server, "access_rules": [rule]}
        self.rows = Rows([server], [share], [{**SNAP, "access_rules": [rule]}], frozenset({"s1", "i1", "n1"}))
        return self

    async def look(self) -> Findings:
        async def read(ids: Collection[str]) -> Rows:
            return replace(self.rows, known=self.rows.known & set(ids))

        return await self.driver.inspect(read)

    async def mend(self) -> tuple[Broken, ...]:
        """One look, and what the worker's tasks do about it."""
        found = await self.look()
        for one in found.broken:
            if one.kind == "share_server":
                await self.driver.ensure_server(self.rows.servers[0])
            elif one.kind == "share":
                await self.driver.ensure_shares(self.rows.shares)
            else:
                snapshot = self.rows.snapshots[0]
                await self.driver.ensure_snapshot(snapshot, snapshot["access_rules"], self.rows.servers[0])
        return found.broken
