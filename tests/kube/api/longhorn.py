"""Longhorn as far as the drivers look at it: its resources, and somebody who does what its controllers do.

The shapes are those of Longhorn's own definitions (group longhorn.io/v1beta2); nothing else of them is checked.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final
from urllib.parse import quote

from drivers.kubernetes.api import (
    CLAIM,
    DEPLOYMENT,
    LONGHORN_NODE,
    LONGHORN_SETTING,
    LONGHORN_SHARE_MANAGER,
    LONGHORN_VOLUME,
    MERGE,
    NAMESPACE,
    SNAPSHOT,
    STORAGE_CLASS,
    Kind,
)
from drivers.kubernetes.longhorn import NAMESPACE as SYSTEM
from drivers.kubernetes.longhorn import PROVISIONER
from tests.drivers.kubernetes.memory import Object
from tests.kube.api.conftest import Bench

CLASS: Final = "longhorn-rwx"
ADDRESS: Final = "10.43.7.7"
KINDS: Final = (LONGHORN_NODE, LONGHORN_SETTING, LONGHORN_VOLUME, LONGHORN_SHARE_MANAGER)
_ANYTHING: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definition(kind: Kind) -> Object:
    """A definition that takes whatever Longhorn writes; settings have their ``value`` beside the metadata."""
    group, _, version = kind.version.partition("/")
    names = {"plural": kind.plural, "singular": kind.name.lower(), "kind": kind.name}
    served = {
        "name": version,
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": _ANYTHING},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [served]},
    }


async def install(bench: Bench) -> None:
    """The namespace, the class, and on a real API server the definitions."""
    await bench.admin("POST", NAMESPACE.path(None), {"kind": "Namespace", "metadata": {"name": SYSTEM}})
    parameters = {"numberOfReplicas": "2"}
    wanted = {"metadata": {"name": CLASS}, "provisioner": PROVISIONER, "parameters": parameters}
    await bench.admin(
        "POST", STORAGE_CLASS.path(None), {"kind": "StorageClass", "allowVolumeExpansion": True, **wanted}
    )
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for kind in KINDS:
        await bench.admin("POST", definitions, definition(kind))
    async with asyncio.timeout(20):
        for kind in KINDS:
            while (await bench.admin("GET", kind.path(SYSTEM)))[0] != 200:
                await asyncio.sleep(0.1)


async def put(bench: Bench, kind: Kind, wanted: Object) -> None:
    """Make an object of Longhorn's with its status, or replace it."""
    name = wanted["metadata"]["name"]
    whole = {"apiVersion": kind.version, "kind": kind.name, **wanted, "metadata": {"name": name, "namespace": SYSTEM}}
    place = f"{kind.path(SYSTEM)}/{quote(name)}"
    await bench.admin("DELETE", place, {})
    status, text = await bench.admin("POST", kind.path(SYSTEM), whole)
    assert status in (200, 201), text
    if "status" in wanted:
        status, text = await bench.admin("PATCH", f"{place}/status", {"status": wanted["status"]}, MERGE)
        assert status == 200, text


class Controllers:
    """Binds claims, serves volumes that something keeps open, finishes removals; ``serving`` of False: it can't."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.serving = True

    async def __aenter__(self) -> Controllers:
        self._job = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._job.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._job

    async def _run(self) -> None:
        while True:
            keepers = await self._list(DEPLOYMENT)
            for one in keepers:
                await self._leave(DEPLOYMENT, one)
            for one in await self._list(SNAPSHOT):
                if not await self._leave(SNAPSHOT, one) and not one.get("status"):
                    await self._status(SNAPSHOT, one, {"readyToUse": True, "restoreSize": "1Gi"})
            open_ = {one["spec"]["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
                     for one in keepers if one["spec"].get("replicas") == 1}  # fmt: skip
            for one in await self._list(CLAIM):
                if not await self._leave(CLAIM, one):
                    await self._serve(one, one["metadata"]["name"] in open_)
            await asyncio.sleep(0.05)

    async def _serve(self, claim: Object, is_open: bool) -> None:
        volume = f"pvc-{claim['metadata']['uid']}"
        wanted = claim["spec"]["resources"]["requests"]["storage"]
        if not claim["spec"].get("volumeName"):
            place = f"{CLAIM.path(self._bench.namespace)}/{claim['metadata']['name']}"
            status, text = await self._bench.admin("PATCH", place, {"spec": {"volumeName": volume}}, MERGE)
            assert status == 200, text
            await self._status(CLAIM, claim, {"phase": "Bound", "capacity": {"storage": wanted}})
        elif is_open and claim["status"]["capacity"]["storage"] != wanted:
            await self._status(CLAIM, claim, {"capacity": {"storage": wanted}})
        await self._manage(volume, is_open)

    async def _manage(self, volume: str, is_open: bool) -> None:
        state = "running" if is_open and self.serving else "stopped"
        status, known = await self._bench.admin("GET", f"{LONGHORN_SHARE_MANAGER.path(SYSTEM)}/{volume}")
        if status == 200 and known.get("status", {}).get("state") == state:
            return
        endpoint = f"nfs://{ADDRESS}/{volume}" if state == "running" else ""
        spec = {"image": "longhornio/longhorn-share-manager"}
        status_ = {"state": state, "endpoint": endpoint, "ownerID": "node-1"}
        wanted = {"metadata": {"name": volume}, "spec": spec, "status": status_}
        await put(self._bench, LONGHORN_SHARE_MANAGER, wanted)

    async def _list(self, kind: Kind) -> list[Object]:
        _, found = await self._bench.admin("GET", kind.path(self._bench.namespace))
        items: list[Object] = found.get("items", [])
        return items

    async def _status(self, kind: Kind, found: Object, status: Object) -> None:
        place = f"{kind.path(self._bench.namespace)}/{found['metadata']['name']}/status"
        await self._bench.admin("PATCH", place, {"status": status}, MERGE)

    async def _leave(self, kind: Kind, found: Object) -> bool:
        """Let go of what is being removed."""
        if "deletionTimestamp" not in found["metadata"]:
            return False
        place = f"{kind.path(self._bench.namespace)}/{found['metadata']['name']}"
        await self._bench.admin("PATCH", place, {"metadata": {"finalizers": None}}, MERGE)
        return True
