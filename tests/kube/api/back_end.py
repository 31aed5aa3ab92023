"""A back end before either API server, with everything in place that it expects and a player for the other parts."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes import assembled
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import (
    CLAIM,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CLASS,
    STATEFUL_SET,
    STORAGE_CLASS,
    Cluster,
    Kind,
)
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.kubernetes.memory import Object
from tests.kube.api.conftest import Bench
from tests.kube.api.player import Player
from tests.kube.api.test_reconcile import ACCOUNT
from tests.lab import storage
from tests.lab.processes import wait

KINDS = (STATEFUL_SET, POD, CLAIM, SNAPSHOT, SHARE_EXPORT)
NETWORKS = "/apis/k8s.cni.cncf.io/v1/network-attachment-definitions"
PATIENCE = 20.0


class Admin(Cluster):
    """Past the proxy."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(None, manager="administrator")
        self._bench = bench

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        return await self._bench.admin(method, path, body, content)


class BackEnd:
    """``admin``: the cluster as an administrator sees it; ``player``: all that the API server is without."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.admin = bench, Admin(bench)
        self.player = Player(self.admin, bench.namespace)
        self.options = replace(
            OPTIONS,
            kubernetes_namespace=bench.namespace,
            kubernetes_storage_class="grows",
            kubernetes_bind_timeout=PATIENCE,
            kubernetes_start_timeout=PATIENCE,
        )

    def driver(self, options: KubernetesOptions | None = None, /, **changed: Any) -> GaneshaDriver:
        """The driver as the service makes it, with these options changed."""
        return assembled(replace(options or self.options, **changed), self.bench.cluster)

    async def names(self, kind: Kind) -> list[str]:
        """Names of the objects of a kind that stay."""
        found = await self.admin.every(kind, self.bench.namespace)
        return [one["metadata"]["name"] for one in found if "deletionTimestamp" not in one["metadata"]]

    async def the(self, kind: Kind, name: str) -> Object:
        """An object that must be there."""
        found = await self.admin.get(kind, name, self.bench.namespace)
        assert found is not None, f"{kind.name} {name}"
        return found

    async def everything(self) -> list[str]:
        """All objects that stand for servers, shares and snapshots."""
        return [f"{kind.name} {name}" for kind in KINDS for name in await self.names(kind)]

    async def seen(self, kind: Kind, name: str) -> None:
        """Wait until an object is there."""
        async with asyncio.timeout(PATIENCE):
            while name not in await self.names(kind):
                await asyncio.sleep(0.02)

    async def storage_class(self, name: str, **more: object) -> None:
        """One more; what others of its name left goes first."""
        await self.admin.delete(STORAGE_CLASS, name, grace=0)
        wanted: Object = {"metadata": {"name": name}, "provisioner": "csi.example", "allowVolumeExpansion": True}
        await self.admin.create(STORAGE_CLASS, {**wanted, **more})


async def snapshot_class(bench: Bench, name: str, driver: str = "csi.example", **more: object) -> None:
    """Make a snapshot class, as soon as there may be one; what others of its name left goes first."""
    await bench.admin("DELETE", f"{SNAPSHOT_CLASS.path(None)}/{name}")
    head = {"apiVersion": SNAPSHOT_CLASS.version, "kind": SNAPSHOT_CLASS.name, "metadata": {"name": name}}
    async with asyncio.timeout(PATIENCE):
        whole = {**head, "driver": driver, "deletionPolicy": "Delete", **more}
        while (await bench.admin("POST", SNAPSHOT_CLASS.path(None), whole))[0] not in (200, 201, 409):
            await asyncio.sleep(0.1)


async def furnish(bench: Bench, request: pytest.FixtureRequest) -> None:
    """What a cluster has before a back end comes to it: storage, network attachments, the namespace's account."""
    if "server" in request.node.callspec.id:
        lab: Any = request.getfixturevalue("lab")
        storage.define(lab.api, lab.place.programs)
        wait("network attachments are served", lambda: lab.api("GET", NETWORKS)[0] == 200)
    await snapshot_class(bench, "fast")
    account = {"kind": "ServiceAccount", "metadata": {"name": "default"}}
    await bench.admin("POST", ACCOUNT.path(bench.namespace), account)


@contextlib.asynccontextmanager
async def installed(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    """With the player at work."""
    await furnish(bench, request)
    back_end = BackEnd(bench)
    async with back_end.player.playing():
        yield back_end
