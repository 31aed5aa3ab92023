"""A cluster in memory for unit tests: objects with generations, and controllers that do at once what real ones do.

It stands for the API server, the storage, the kubelet and both agents; what they really do is tested in the lab.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
    NODE,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    STATEFUL_SET,
    STORAGE_CLASS,
    Cluster,
    Kind,
    Late,
    Object,
)

NODES = ("node-1", "node-2")
OPTIONS = KubernetesOptions(
    name="k", share_backend_name="kube", driver_handles_share_servers=True, kubernetes_storage_class="fast"
)


class FakeCluster(Cluster):
    """``stuck``: names of objects whose controller does nothing. ``done`` notes what was asked for, in order."""

    def __init__(self) -> None:
        super().__init__(None)
        self.objects: dict[tuple[str, str], Object] = {}
        self.stuck: set[str] = set()
        self.done: list[str] = []
        self.complaints: dict[str, list[str]] = {}
        self._numbers = itertools.count(1)
        self._watchers: list[tuple[str, asyncio.Queue[tuple[str, Object]]]] = []
        self._put(NAMESPACE, {"metadata": {"name": OPTIONS.kubernetes_namespace}})
        for name in NODES:
            self._put(NODE, {"metadata": {"name": name}, "spec": {}})
            self.answers(name, True)
        self._put(STORAGE_CLASS, {"metadata": {"name": "fast"}, "provisioner": "csi.example"})

    def of(self, kind: Kind) -> dict[str, Object]:
        """Objects of a kind by name."""
        return {name: one for (plural, name), one in self.objects.items() if plural == kind.plural}

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        return copy.deepcopy(self.objects.get((kind.plural, name)))

    async def every(
        self, kind: Kind, namespace: str | None = None, labels: Mapping[str, str] | None = None
    ) -> list[Object]:
        wanted = (labels or {}).items()
        found = self.of(kind).values()
        return [copy.deepcopy(one) for one in found if wanted <= one["metadata"].get("labels", {}).items()]

    async def listed(
        self, kind: Kind, namespace: str | None, labels: Mapping[str, str] | None = None
    ) -> tuple[list[Object], str]:
        return await self.every(kind, namespace, labels), "1"

    async def watch(
        self, kind: Kind, namespace: str | None, version: str, labels: Mapping[str, str] | None = None
    ) -> AsyncGenerator[tuple[str, Object], None]:
        events: asyncio.Queue[tuple[str, Object]] = asyncio.Queue()
        self._watchers.append((kind.plural, events))
        while True:
            yield await events.get()

    async def watched(self, kinds: int = 7) -> None:
        """Wait until somebody watches."""
        while len(self._watchers) < kinds:
            await asyncio.sleep(0.01)

    def _tell(self, kind: Kind, what: str, found: Object) -> None:
        for plural, events in self._watchers:
            if plural == kind.plural:
                found["metadata"]["resourceVersion"] = "1"
                events.put_nowait((what, copy.deepcopy(found)))

    async def apply(self, kind: Kind, wanted: Object) -> Object:
        self.done.append(f"apply {kind.name} {wanted['metadata']['name']}")
        return self._put(kind, self._whole(kind, wanted))

    async def create(self, kind: Kind, wanted: Object) -> Object:
        present = await self.get(kind, wanted["metadata"]["name"])
        if present is not None:
            return present
        self.done.append(f"create {kind.name} {wanted['metadata']['name']}")
        return self._put(kind, self._whole(kind, wanted))

    async def merge(
        self, kind: Kind, name: str, namespace: str | None, changes: Object, part: str = ""
    ) -> Object | None:
        present = self.objects.get((kind.plural, name))
        if present is None:
            return None
        before = copy.deepcopy(present.get("spec"))
        _merge(present, changes)
        if present.get("spec") != before:
            present["metadata"]["generation"] += 1
        self._control(kind, present)
        return copy.deepcopy(present)

    async def delete(
        self, kind: Kind, name: str, namespace: str | None = None, *, grace: int | None = None, uid: str = ""
    ) -> None:
        present = self.objects.get((kind.plural, name))
        if present is None or (uid and present["metadata"]["uid"] != uid):
            return
        if kind is POD and grace != 0 and not self._answers(present["spec"]["nodeName"]):
            present["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"  # its kubelet would have to say so
            return
        del self.objects[kind.plural, name]
        self._tell(kind, "DELETED", present)
        self.done.append(f"delete {kind.name} {name}")
        if kind is STATEFUL_SET:
            self.objects.pop((POD.plural, f"{name}-0"), None)
        elif kind is POD:
            self._again(name)

    def _again(self, pod: str) -> None:
        """The controller of a gateway makes the next pod when the last one is gone."""
        owner = self.objects.get((STATEFUL_SET.plural, pod.removesuffix("-0")))
        if owner is not None and pod.endswith("-0"):
            self._control(STATEFUL_SET, owner)
        for found in self.of(SHARE_EXPORT).values():
            self._follow(found)

    def answers(self, node: str, well: bool) -> None:
        """A node is ready, or does not answer any more."""
        status = {"conditions": [{"type": "Ready", "status": "True" if well else "Unknown"}]}
        self.objects[NODE.plural, node]["status"] = status

    def _answers(self, node: str) -> bool:
        conditions = self.objects[NODE.plural, node]["status"]["conditions"]
        return bool(conditions[0]["status"] == "True")

    async def until(
        self,
        kind: Kind,
        name: str,
        namespace: str | None,
        good: Callable[[Object | None], bool],
        seconds: float,
        what: str,
    ) -> Object | None:
        found = await self.get(kind, name)
        if not good(found):
            raise Late(what, seconds, found)
        return found

    async def warnings(self, namespace: str, kind: str, name: str) -> list[str]:
        return self.complaints.get(name, [])

    def _put(self, kind: Kind, wanted: Object) -> Object:
        made = copy.deepcopy(wanted)
        made["metadata"] |= {"uid": f"uid-{next(self._numbers)}", "generation": 1}
        made["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
        self.objects[kind.plural, wanted["metadata"]["name"]] = made
        self._control(kind, made)
        return copy.deepcopy(made)

    def _control(self, kind: Kind, found: Object) -> None:
        name = found["metadata"]["name"]
        if name in self.stuck:
            return
        if kind is CLAIM:
            size = found["spec"]["resources"]["requests"]["storage"]
            found["spec"]["volumeName"] = f"pv-{name}"
            found["status"] = {"phase": "Bound", "capacity": {"storage": size}}
        elif kind is STATEFUL_SET:
            template = found["spec"]["template"]
            if (POD.plural, f"{name}-0") not in self.objects:
                metadata = {"name": f"{name}-0", "ownerReferences": [{}], **copy.deepcopy(template["metadata"])}
                node = next(one for one in NODES if self._answers(one))
                self._put(POD, {"metadata": metadata, "spec": {"nodeName": node}})
        elif kind is POD:
            found["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
            for one in self.of(SHARE_EXPORT).values():
                self._follow(one)
        elif kind is SNAPSHOT:
            found["status"] = {"readyToUse": True, "restoreSize": "1Gi"}
        elif kind is SHARE_EXPORT:
            self._follow(found)

    def _follow(self, found: Object) -> None:
        """What both agents do together."""
        spec = found["spec"]
        name = found["metadata"]["name"].removeprefix(names.share(""))
        holder = self.objects.get((POD.plural, names.holder(name)))
        pod = self.objects.get((POD.plural, names.gateway_pod(spec["server"])))
        together = holder is not None and pod is not None and holder["spec"]["nodeName"] == pod["spec"]["nodeName"]
        mounted = spec["mounted"] and together
        prepared = bool(spec.get("root")) or found.get("status", {}).get("prepared", False)
        found["status"] = {
            "observedGeneration": found["metadata"]["generation"],
            "mounted": mounted,
            "prepared": prepared,
            "exported": mounted and spec["exported"],
            "usedBytes": 2**20,
            "message": "" if mounted or not spec["exported"] else "the volume is not mounted",
        }


def _merge(into: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value)
