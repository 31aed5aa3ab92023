"""A cluster in memory for unit tests: objects with generations, and controllers that do at once what real ones do.

It stands for the API server, the storage, the kubelet and both agents; what they really do is tested in the lab.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
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

NODE = "node-1"
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
        self._put(NAMESPACE, {"metadata": {"name": OPTIONS.kubernetes_namespace}})
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

    async def apply(self, kind: Kind, wanted: Object) -> Object:
        self.done.append(f"apply {kind.name} {wanted['metadata']['name']}")
        return self._put(kind, wanted)

    async def create(self, kind: Kind, wanted: Object) -> Object:
        present = await self.get(kind, wanted["metadata"]["name"])
        if present is not None:
            return present
        self.done.append(f"create {kind.name} {wanted['metadata']['name']}")
        return self._put(kind, wanted)

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

    async def delete(self, kind: Kind, name: str, namespace: str | None = None, *, grace: int | None = None) -> None:
        if self.objects.pop((kind.plural, name), None) is not None:
            self.done.append(f"delete {kind.name} {name}")
        if kind is STATEFUL_SET:
            self.objects.pop((POD.plural, f"{name}-0"), None)

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
            pod = {"metadata": {"name": f"{name}-0", **copy.deepcopy(template["metadata"])}, "spec": {"nodeName": NODE}}
            self._put(POD, pod)
        elif kind is POD:
            found["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        elif kind is SNAPSHOT:
            found["status"] = {"readyToUse": True, "restoreSize": "1Gi"}
        elif kind is SHARE_EXPORT:
            self._follow(found)

    def _follow(self, found: Object) -> None:
        """What both agents do together."""
        spec = found["spec"]
        name = found["metadata"]["name"].removeprefix(names.share(""))
        mounted = spec["mounted"] and (POD.plural, names.holder(name)) in self.objects
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
