"""Plays the controllers, the kubelet, the storage and the gateways' agents on an API server that has none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from drivers.ganesha.kubernetes.volumes import NUDGE
from drivers.kubernetes.api import (
    CLAIM,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CONTENT,
    STATEFUL_SET,
    VOLUME,
    Cluster,
    Kind,
    Object,
)
from tests.drivers.ganesha.kubernetes.fake import plugged

NODE_NAME = "node-1"
READY = {"type": "Ready", "status": "True"}


@contextlib.asynccontextmanager
async def repeated(step: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Meanwhile a step is done over and over."""

    async def play() -> None:
        while True:
            await step()
            await asyncio.sleep(0.02)

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class Player:
    """Does at once what the parts that are missing would do in a while. ``cluster``: as the administrator.

    ``stuck``: names of objects that nobody does anything about but remove them. ``holds_back``: the same for
    claims that are not bound yet and whose names begin so; empty: none.
    """

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self._cluster, self._namespace = cluster, namespace
        self.stuck: set[str] = set()
        self.holds_back = ""

    def playing(self) -> AbstractAsyncContextManager[None]:
        """Meanwhile."""
        return repeated(self.step)

    async def step(self) -> None:
        """Look at everything once."""
        for kind in (STATEFUL_SET, CLAIM, SNAPSHOT, POD, SHARE_EXPORT):
            for one in await self._cluster.every(kind, self._namespace):
                await self._control(kind, one)

    async def _control(self, kind: Kind, found: Object) -> None:
        if "deletionTimestamp" in found["metadata"]:
            await self._remove(kind, found)
        elif found["metadata"]["name"] in self.stuck or self._held_back(kind, found):
            return
        elif kind is STATEFUL_SET:
            await self._start(found)
        elif kind is CLAIM:
            await self._provide(found)
        elif kind is POD:
            await self._say(kind, found, {"phase": "Running", "conditions": [READY]})
        elif kind is SNAPSHOT:
            await self._take(found)
        else:
            await self._say(kind, found, _enforced(found))

    def _held_back(self, kind: Kind, found: Object) -> bool:
        meant = kind is CLAIM and self.holds_back and found["metadata"]["name"].startswith(self.holds_back)
        return bool(meant) and not found["spec"].get("volumeName")

    async def _remove(self, kind: Kind, found: Object) -> None:
        name = found["metadata"]["name"]
        if kind is STATEFUL_SET:
            await self._cluster.delete(POD, f"{name}-0", self._namespace, grace=0)
        if kind is POD:
            await self._cluster.delete(POD, name, self._namespace, grace=0)
        if kind is SNAPSHOT and (content := (found.get("status") or {}).get("boundVolumeSnapshotContentName")):
            kept = await self._cluster.get(SNAPSHOT_CONTENT, content)
            if kept is not None and kept["spec"]["deletionPolicy"] == "Delete":
                await self._cluster.delete(SNAPSHOT_CONTENT, content, grace=0)
        await self._cluster.merge(kind, name, self._namespace, {"metadata": {"finalizers": None}})

    async def _start(self, found: Object) -> None:
        name, template = f"{found['metadata']['name']}-0", found["spec"]["template"]
        if await self._cluster.get(POD, name, self._namespace) is None:
            metadata = {"name": name, "namespace": self._namespace, **template["metadata"]}
            metadata["annotations"] = plugged(metadata.get("annotations") or {})
            await self._cluster.create(POD, {"metadata": metadata, "spec": {**template["spec"], "nodeName": NODE_NAME}})

    async def _provide(self, found: Object) -> None:
        name, wanted = found["metadata"]["name"], found["spec"]["resources"]["requests"]
        if not found["spec"].get("volumeName"):
            volume = f"{self._namespace}-{name}"
            await self._cluster.create(VOLUME, _volume(volume, found))
            await self._cluster.merge(CLAIM, name, self._namespace, {"spec": {"volumeName": volume}})
        if found.get("status", {}).get("phase") == "Bound" and not await self._nudged():
            return
        await self._say(CLAIM, found, {"phase": "Bound", "capacity": dict(wanted)})

    async def _take(self, found: Object) -> None:
        """A snapshot with its content."""
        content = f"{self._namespace}-{found['metadata']['name']}"
        given = found["spec"]["source"].get("volumeSnapshotContentName")
        if given is None and await self._cluster.get(SNAPSHOT_CONTENT, content) is None:
            claim = await self._cluster.get(
                CLAIM, found["spec"]["source"]["persistentVolumeClaimName"], self._namespace
            )
            handle = ((claim or {}).get("spec") or {}).get("volumeName") or "v"
            reference = {key: found["metadata"][key] for key in ("namespace", "name")}
            spec = {"deletionPolicy": "Delete", "driver": "csi.example", "volumeSnapshotRef": reference}
            spec["volumeSnapshotClassName"] = found["spec"]["volumeSnapshotClassName"]
            wanted = {"metadata": {"name": content}, "spec": {**spec, "source": {"volumeHandle": handle}}}
            await self._cluster.create(SNAPSHOT_CONTENT, wanted)
        status = {"readyToUse": True, "restoreSize": "1Gi", "boundVolumeSnapshotContentName": given or content}
        await self._say(SNAPSHOT, found, status)

    async def _nudged(self) -> bool:
        """A kubelet grows a file system at its next look, or when a pod of the volume changes."""
        pods = await self._cluster.every(POD, self._namespace)
        return any(NUDGE in one["metadata"].get("annotations", {}) for one in pods)

    async def _say(self, kind: Kind, found: Object, status: Object) -> None:
        present = {name: value for name, value in (found.get("status") or {}).items() if name in status}
        if kind is POD and present.get("conditions"):
            return
        if present != status:
            await self._cluster.merge(kind, found["metadata"]["name"], self._namespace, {"status": status}, "status")


def _volume(name: str, claim: Object) -> Object:
    """What a provisioner makes for a claim."""
    spec = {
        "accessModes": claim["spec"]["accessModes"],
        "capacity": claim["spec"]["resources"]["requests"],
        "claimRef": {key: claim["metadata"][key] for key in ("namespace", "name", "uid")},
        "csi": {"driver": "csi.example", "volumeHandle": name},
        "persistentVolumeReclaimPolicy": "Delete",
        "storageClassName": claim["spec"]["storageClassName"],
    }
    return {"metadata": {"name": name}, "spec": spec}


def _enforced(found: Object) -> Object:
    """What both agents do together."""
    spec, status = found["spec"], found.get("status") or {}
    return {
        "observedGeneration": found["metadata"]["generation"],
        "node": NODE_NAME,
        "mounted": spec["mounted"],
        "prepared": bool(spec.get("root")) or status.get("prepared", False),
        "exported": spec["mounted"] and spec["exported"],
        "usedBytes": 2**20,
        "message": "",
    }
