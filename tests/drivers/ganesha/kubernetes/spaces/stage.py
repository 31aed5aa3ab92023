"""A back end with a namespace per project on a cluster in memory, and two projects with one network."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes import assembled
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.kubernetes.api import CLAIM, NAMESPACE, POD, SHARE_EXPORT, SNAPSHOT, STATEFUL_SET
from drivers.reconciling import Findings, Rows
from drivers.storage import MemoryStorage
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, SHARE, SNAP

MANY = replace(OPTIONS, kubernetes_namespace_form="project", kubernetes_backup_class="away")
HOME = MANY.kubernetes_namespace
KINDS = (STATEFUL_SET, POD, CLAIM, SNAPSHOT, SHARE_EXPORT)
PROJECTS = {"1": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a11", "2": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a12"}
SPACES = {number: naming.of_project(MANY, project) for number, project in PROJECTS.items()}


def network(number: str) -> list[Row]:
    """The same for both but for whose it is."""
    return [{**NETWORK[0], "server_id": f"s{number}", "project_id": PROJECTS[number]}]


def share(number: str, **more: Any) -> Row:
    return {**SHARE, "id": f"i{number}", "share_id": f"h{number}", **more}


def snapshot(number: str) -> Row:
    return {**SNAP, "id": f"n{number}", "share_instance_id": f"i{number}", "share": share(number)}


class Stage:
    """``storage``: what the installation remembers."""

    def __init__(self) -> None:
        self.cluster, self.storage = FakeCluster(), MemoryStorage()

    async def driver(self, options: KubernetesOptions = MANY) -> GaneshaDriver:
        """A worker's, after its start."""
        made = assembled(options, self.cluster)
        made.private_storage = self.storage
        await made.do_setup()
        return made

    async def server(self, driver: GaneshaDriver, number: str) -> Row:
        return {"id": f"s{number}", "backend_details": await driver.setup_server(network(number))}

    def spaces(self) -> set[str]:
        """The projects' namespaces that are there."""
        return set(self.cluster.of(NAMESPACE)) - {HOME}

    def within(self, namespace: str) -> set[str]:
        """Names of the objects in a namespace that stand for rows."""
        plurals = {one.plural for one in KINDS}
        return {key[3] for key in self.cluster.server.objects if key[2] == namespace and key[1] in plurals}

    async def inspect(self, driver: GaneshaDriver, rows: Rows = Rows()) -> Findings:  # noqa: B008
        """One look of the reconciler."""

        async def read(_: Collection[str]) -> Rows:
            return rows

        return await driver.inspect(read)
