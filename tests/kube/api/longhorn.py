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
    SNAPSHOT_CLASS,
    SNAPSHOT_CONTENT,
    STORAGE_CLASS,
    VOLUME,
    Kind,
)
from drivers.kubernetes.longhorn import NAMESPACE as SYSTEM
from drivers.kubernetes.longhorn import PROVISIONER
from tests.drivers.kubernetes.memory import Object
from tests.kube.api.conftest import Bench

CLASS: Final = "longhorn-rwx"
ADDRESS: Final = "10.43.7.7"
KINDS: Final = (LONGHORN_NODE, LONGHORN_SETTING, LONGHORN_VOLUME, LONGHORN_SHARE_MANAGER)
KEPT: Final = (
    (VOLUME, "persistentVolumeReclaimPolicy", "claimRef", CLAIM),
    (SNAPSHOT_CONTENT, "deletionPolicy", "volumeSnapshotRef", SNAPSHOT),
)
"""What has no namespace: its field that says whether it stays, that which names whose it is, and what that is."""
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
    """The namespace, the classes, and on a real API server the definitions."""
    await bench.admin("POST", NAMESPACE.path(None), {"kind": "Namespace", "metadata": {"name": SYSTEM}})
    parameters = {"numberOfReplicas": "2"}
    wanted = {"metadata": {"name": CLASS}, "provisioner": PROVISIONER, "parameters": parameters}
    await bench.admin(
        "POST", STORAGE_CLASS.path(None), {"kind": "StorageClass", "allowVolumeExpansion": True, **wanted}
    )
    snapshots = {"metadata": {"name": CLASS}, "driver": PROVISIONER, "deletionPolicy": "Delete"}
    head = {"apiVersion": SNAPSHOT_CLASS.version, "kind": SNAPSHOT_CLASS.name, "parameters": {"type": "snap"}}
    async with asyncio.timeout(20):  # served a moment after its definition
        while (await bench.admin("POST", SNAPSHOT_CLASS.path(None), head | snapshots))[0] not in (200, 201, 409):
            await asyncio.sleep(0.1)
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


def _volume(name: str, claim: Object) -> Object:
    """What Longhorn's provisioner makes for a claim."""
    spec = {
        "accessModes": claim["spec"]["accessModes"],
        "capacity": claim["spec"]["resources"]["requests"],
        "claimRef": {key: claim["metadata"][key] for key in ("namespace", "name", "uid")},
        "csi": {"driver": PROVISIONER, "volumeHandle": name},
        "persistentVolumeReclaimPolicy": "Delete",
        "storageClassName": claim["spec"]["storageClassName"],
    }
    notes = {"pv.kubernetes.io/provisioned-by": PROVISIONER}
    return {
        "apiVersion": "v1",
        "kind": VOLUME.name,
        "metadata": {"name": name, "annotations": notes},
        "spec": spec,
    }


def _bound(volume: str) -> Object:
    """What Kubernetes writes into a claim that gets this volume."""
    notes = {"volume.kubernetes.io/storage-provisioner": PROVISIONER}
    return {"metadata": {"annotations": notes}, "spec": {"volumeName": volume}}


class Controllers:
    """Binds claims, serves volumes that something keeps open, finishes removals; ``serving`` of False: it can't.

    ``copying``: the state of clones, which are bound whatever it is.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.serving = True
        self.copying = "completed"
        self._copies: dict[str, str] = {}

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
                    await self._take(one)
            open_ = {one["spec"]["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
                     for one in keepers if one["spec"].get("replicas") == 1}  # fmt: skip
            for one in await self._list(CLAIM):
                if not await self._leave(CLAIM, one):
                    await self._serve(one, one["metadata"]["name"] in open_)
            for kind, policy, owner, of in KEPT:
                await self._reclaim(kind, policy, owner, of)
            await asyncio.sleep(0.05)

    async def _take(self, snapshot: Object) -> None:
        """A snapshot of the storage, with its content, unless it has one."""
        content = snapshot["spec"]["source"].get("volumeSnapshotContentName")
        if content is None:
            content = f"snapcontent-{snapshot['metadata']['uid']}"
            reference = {key: snapshot["metadata"][key] for key in ("namespace", "name")}
            name = snapshot["spec"]["source"]["persistentVolumeClaimName"]
            _, claim = await self._bench.admin("GET", f"{CLAIM.path(self._bench.namespace)}/{name}")
            handle = (claim.get("spec") or {}).get("volumeName") or "v"
            spec = {"deletionPolicy": "Delete", "driver": PROVISIONER, "volumeSnapshotRef": reference}
            wanted = {"metadata": {"name": content}, "spec": {**spec, "source": {"volumeHandle": handle}}}
            whole = {"apiVersion": SNAPSHOT_CONTENT.version, "kind": SNAPSHOT_CONTENT.name, **wanted}
            await self._bench.admin("POST", SNAPSHOT_CONTENT.path(None), whole)
            told = {"status": {"snapshotHandle": f"snap://{handle}/{content}"}}
            await self._bench.admin("PATCH", f"{SNAPSHOT_CONTENT.path(None)}/{content}/status", told, MERGE)
        status = {"readyToUse": True, "restoreSize": "1Gi", "boundVolumeSnapshotContentName": content}
        await self._status(SNAPSHOT, snapshot, status)

    async def _reclaim(self, kind: Kind, policy: str, owner: str, of: Kind) -> None:
        """What its class does not keep goes with whose it is."""
        _, found = await self._bench.admin("GET", kind.path(None))
        for one in found.get("items", []):
            named, place = one["spec"].get(owner) or {}, f"{kind.path(None)}/{one['metadata']['name']}"
            if named.get("namespace") != self._bench.namespace:
                continue
            leaving = "deletionTimestamp" in one["metadata"]
            status, _ = await self._bench.admin("GET", f"{of.path(self._bench.namespace)}/{named['name']}")
            if leaving or (status == 404 and one["spec"].get(policy) == "Delete"):
                await self._bench.admin("DELETE", place)
                await self._bench.admin("PATCH", place, {"metadata": {"finalizers": None}}, MERGE)

    async def remove_namespace(self) -> None:
        """Somebody removes the namespace; its controller empties it, and it is gone."""
        bench = self._bench
        place = f"{NAMESPACE.path(None)}/{bench.namespace}"
        for kind in (DEPLOYMENT, SNAPSHOT, CLAIM):
            for one in await self._list(kind):
                at = f"{kind.path(bench.namespace)}/{one['metadata']['name']}"
                await bench.admin("DELETE", at)
                await bench.admin("PATCH", at, {"metadata": {"finalizers": None}}, MERGE)
        await bench.admin("DELETE", place)
        whole = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": bench.namespace}}
        if (await bench.admin("GET", place))[0] == 200:
            await bench.admin("PUT", f"{place}/finalize", {**whole, "spec": {"finalizers": []}})
        async with asyncio.timeout(20):
            while (await bench.admin("GET", place))[0] != 404:
                await asyncio.sleep(0.05)

    async def make_namespace(self) -> None:
        """And makes it again."""
        wanted = {"kind": "Namespace", "metadata": {"name": self._bench.namespace}}
        await self._bench.admin("POST", NAMESPACE.path(None), wanted)

    async def _serve(self, claim: Object, is_open: bool) -> None:
        volume = claim["spec"].get("volumeName") or f"pvc-{claim['metadata']['uid']}"
        wanted = claim["spec"]["resources"]["requests"]["storage"]
        await self._clone(volume, claim)
        if not claim["spec"].get("volumeName"):
            place = f"{CLAIM.path(self._bench.namespace)}/{claim['metadata']['name']}"
            status, text = await self._bench.admin("POST", VOLUME.path(None), _volume(volume, claim))
            assert status in (201, 409), text
            status, text = await self._bench.admin("PATCH", place, _bound(volume), MERGE)
            assert status in (200, 404), text
            await self._status(CLAIM, claim, {"phase": "Bound", "capacity": {"storage": wanted}})
        elif (claim.get("status") or {}).get("phase") != "Bound":
            await self._bind(claim, wanted)
        elif is_open and claim["status"]["capacity"]["storage"] != wanted:
            await self._status(CLAIM, claim, {"capacity": {"storage": wanted}})
        await self._manage(volume, is_open)

    async def _clone(self, volume: str, claim: Object) -> None:
        """Longhorn's volume of a claim that is filled from a snapshot."""
        source = claim["spec"].get("dataSource")
        if source is None or self._copies.get(volume) == self.copying:
            return
        spec = {"dataSource": f"snap://pvc-source/{source['name']}", "cloneMode": "full-copy"}
        status = {"state": "detached", "cloneStatus": {"state": self.copying, "attemptCount": 10}}
        await put(self._bench, LONGHORN_VOLUME, {"metadata": {"name": volume}, "spec": spec, "status": status})
        self._copies[volume] = self.copying

    async def _bind(self, claim: Object, wanted: str) -> None:
        """A claim that names its volume, which waits for one of that name."""
        place = f"{VOLUME.path(None)}/{claim['spec']['volumeName']}"
        status, volume = await self._bench.admin("GET", place)
        if status != 200 or "uid" in volume["spec"]["claimRef"]:
            return
        reference = {"claimRef": {"uid": claim["metadata"]["uid"]}}
        await self._bench.admin("PATCH", place, {"spec": reference}, MERGE)
        await self._status(CLAIM, claim, {"phase": "Bound", "capacity": {"storage": wanted}})

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
        """Let go of what is being removed; a snapshot goes after its content."""
        if "deletionTimestamp" not in found["metadata"]:
            return False
        content = (found.get("status") or {}).get("boundVolumeSnapshotContentName") if kind is SNAPSHOT else None
        if content:
            await self._forget(content)
        place = f"{kind.path(self._bench.namespace)}/{found['metadata']['name']}"
        await self._bench.admin("PATCH", place, {"metadata": {"finalizers": None}}, MERGE)
        return True

    async def _forget(self, content: str) -> None:
        """As the snapshot controller does: the content goes first, unless it is kept."""
        place = f"{SNAPSHOT_CONTENT.path(None)}/{content}"
        status, found = await self._bench.admin("GET", place)
        if status == 200 and found["spec"]["deletionPolicy"] == "Delete":
            await self._bench.admin("DELETE", place)
