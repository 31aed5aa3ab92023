"""A cluster in memory for unit tests: objects with generations, and controllers that do at once what real ones do.

It stands for the API server, the storage, the kubelet and both agents; what they really do is tested in the lab.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, MutableMapping
from urllib.parse import urlencode

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes import api
from drivers.kubernetes.api import (
    APPLY,
    CLAIM,
    NAMESPACE,
    NODE,
    POD,
    SECURITY_GROUP,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CLASS,
    SNAPSHOT_CONTENT,
    STATEFUL_SET,
    STORAGE_CLASS,
    VOLUME,
    Cluster,
    Kind,
    Late,
    Object,
)
from tests.drivers.ganesha.kubernetes.disks import Disks
from tests.drivers.kubernetes.memory import NOW, Key, Memory, Request, parse

NODES = ("node-1", "node-2")
OPTIONS = KubernetesOptions(
    name="k",
    share_backend_name="kube",
    driver_handles_share_servers=True,
    kubernetes_storage_class="fast",
    kubernetes_snapshot_class="fast",
)


KINDS = {(one.version, one.plural): one for one in vars(api).values() if isinstance(one, Kind)}


def plugged(wanted: Mapping[str, str]) -> dict[str, str]:
    """Annotations of a pod once Multus and Kube-OVN have done what these ask for."""
    found = dict(wanted)
    own = {key.removesuffix("/ip_address"): value for key, value in wanted.items() if key.endswith("/ip_address")}
    found |= {f"{provider}/allocated": "true" for provider in own}
    if networks := json.loads(wanted.get("k8s.v1.cni.cncf.io/networks", "[]")):
        found["k8s.v1.cni.cncf.io/network-status"] = json.dumps([_status(one, wanted, own) for one in networks])
    return found


def _status(network: Object, wanted: Mapping[str, str], own: Mapping[str, str]) -> Object:
    provider = f"{network['name']}.{network['namespace']}.ovn.kubernetes.io"
    ips = [one.partition("/")[0] for one in network.get("ips", [])] or [own[provider]]
    mac = network.get("mac") or wanted.get(f"{provider}/mac_address", "")
    about = {"name": f"{network['namespace']}/{network['name']}", "interface": network["interface"]}
    return {**about, "ips": ips, "mac": mac, "dns": {}}


class Objects(MutableMapping[tuple[str, str], Object]):
    """The objects of an API server by plural and name, to look at and to meddle with."""

    def __init__(self, server: Memory) -> None:
        self._server = server

    def _key(self, wanted: tuple[str, str]) -> Key:
        for key in self._server.objects:
            if (key[1], key[3]) == wanted:
                return key
        raise KeyError(wanted)

    def __getitem__(self, wanted: tuple[str, str]) -> Object:
        return self._server.objects[self._key(wanted)]

    def __setitem__(self, wanted: tuple[str, str], new: Object) -> None:
        self._server.objects[self._key(wanted)] = new

    def __delitem__(self, wanted: tuple[str, str]) -> None:
        self._server.remove(self._key(wanted))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter([(key[1], key[3]) for key in self._server.objects])

    def __len__(self) -> int:
        return len(self._server.objects)


class FakeCluster(Cluster):
    """``stuck``: names of objects whose controller does nothing. ``done`` notes what was asked for, in order.

    Requests are answered by an API server in memory. Where no namespace is said, it is the back end's.

    ``disks``: what is on the volumes; pods wait for one that is not copied yet. ``closed``: kinds that the service's
    account may not see.
    """

    def __init__(self) -> None:
        super().__init__(None, patience=1.0)
        self.server = Memory()
        self.objects = Objects(self.server)
        self.stuck: set[str] = set()
        self.done: list[str] = []
        self.complaints: dict[str, list[str]] = {}
        self.disks = Disks()
        self.closed: set[Kind] = set()
        self._watchers = 0
        self._put(NAMESPACE, {"metadata": {"name": OPTIONS.kubernetes_namespace}})
        for name in NODES:
            self._put(NODE, {"metadata": {"name": name}, "spec": {}})
            self.answers(name, True)
        fast = {"metadata": {"name": "fast"}, "provisioner": "csi.example", "allowVolumeExpansion": True}
        self._put(STORAGE_CLASS, fast)
        for name in ("fast", "away"):
            self._put(SNAPSHOT_CLASS, {"metadata": {"name": name}, "driver": "csi.example"})

    def of(self, kind: Kind) -> dict[str, Object]:
        """Objects of a kind by name."""
        return {key[3]: one for key, one in self.server.objects.items() if key[:2] == (kind.version, kind.plural)}

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        return await super().get(kind, name, self._where(kind, namespace))

    async def merge(
        self, kind: Kind, name: str, namespace: str | None, changes: Object, part: str = ""
    ) -> Object | None:
        return await super().merge(kind, name, self._where(kind, namespace), changes, part)

    async def delete(
        self,
        kind: Kind,
        name: str,
        namespace: str | None = None,
        *,
        grace: int | None = None,
        uid: str = "",
        version: str = "",
    ) -> None:
        await super().delete(kind, name, self._where(kind, namespace), grace=grace, uid=uid, version=version)

    async def watch(
        self,
        kind: Kind,
        namespace: str | None,
        version: str,
        labels: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> AsyncGenerator[tuple[str, Object], None]:
        query = {"resourceVersion": version, "timeoutSeconds": "60"}
        query["labelSelector"] = ",".join(f"{name}={value}" for name, value in (labels or {}).items())
        self._watchers += 1
        async for event in self.server.events(f"{kind.path(namespace)}?{urlencode(query)}"):
            yield event["type"], event["object"]

    async def watched(self, kinds: int = 8) -> None:
        """Wait until somebody watches."""
        while self._watchers < kinds:
            await asyncio.sleep(0.01)

    async def until(
        self,
        kind: Kind,
        name: str,
        namespace: str | None,
        good: Callable[[Object | None], bool],
        seconds: float,
        what: str,
    ) -> Object | None:
        """At once: nothing changes by itself here."""
        self.awaited(kind, name)
        found = await self.get(kind, name, namespace)
        if not good(found):
            raise Late(what, seconds, found)
        return found

    def awaited(self, kind: Kind, name: str) -> None:
        """What happens to an object while it is waited for; for tests to say."""

    async def warnings(self, namespace: str, kind: str, name: str) -> list[str]:
        return self.complaints.get(name, [])

    def _where(self, kind: Kind, namespace: str | None) -> str | None:
        return namespace or (OPTIONS.kubernetes_namespace if kind.namespaced else None)

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        """Instead of a connection; then what controllers do at once."""
        request = parse(method, path, body, content)
        if KINDS.get((request.version, request.plural)) in self.closed:
            return 403, {"reason": "Forbidden", "message": f"{request.plural} is forbidden"}
        if method == "DELETE" and self._lost(request):
            return 200, {}
        status, document = self.server.handle(method, path, copy.deepcopy(body), content)
        if method == "GET" or status >= 300:
            return status, document
        name = request.name or str((body or {})["metadata"]["name"])
        key = (request.version, request.plural, request.namespace, name)
        kind = KINDS.get(key[:2])
        if kind is None:
            return status, document
        word = {"POST": "create", "DELETE": "delete", "PATCH": "apply" if content == APPLY else ""}[method]
        if word:
            self.done.append(f"{word} {kind.name} {name}")
        if method == "DELETE":
            self._collect(key)
        elif key in self.server.objects and request.part != "status":
            self._control(kind, self.server.objects[key])
            self.server.touch(key)
        return status, copy.deepcopy(self.server.objects.get(key, document))

    def _put(self, kind: Kind, wanted: Object) -> Object:
        """Make an object, whatever is there."""
        namespace = wanted["metadata"].get("namespace") or self._where(kind, None) or ""
        if namespace:
            wanted = {**wanted, "metadata": {"namespace": namespace, **wanted["metadata"]}}
        made = self.server.put((kind.version, kind.plural, namespace, wanted["metadata"]["name"]), wanted)
        self._control(kind, made)
        return copy.deepcopy(made)

    def _lost(self, request: Request) -> bool:
        """Whether a pod's node would have to say that it is gone, and doesn't; then it stays, marked."""
        found = self.server.objects.get(request.key)
        if request.plural != POD.plural or found is None or (request.body or {}).get("gracePeriodSeconds") == 0:
            return False
        if self._answers(found["spec"]["nodeName"]):
            return False
        found["metadata"]["deletionTimestamp"] = NOW
        return True

    def _collect(self, key: Key) -> None:
        """Nothing keeps what is being removed; what it owns goes with it, and who owns it makes the next one."""
        self.server.remove(key)
        _, plural, namespace, name = key
        if plural == STATEFUL_SET.plural:
            pod = (POD.version, POD.plural, namespace, f"{name}-0")
            if "ownerReferences" in self.server.objects.get(pod, {}).get("metadata", {}):
                self.server.remove(pod)
        elif plural == POD.plural:
            self._again(name)
        elif plural == CLAIM.plural:
            self._release(name)
        elif plural == SNAPSHOT.plural:
            for content, one in self.of(SNAPSHOT_CONTENT).items():
                whose, policy = one["spec"].get("volumeSnapshotRef") or {}, one["spec"].get("deletionPolicy")
                if whose.get("name") == name and policy == "Delete":
                    self.server.remove((SNAPSHOT_CONTENT.version, SNAPSHOT_CONTENT.plural, "", content))

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

    def _control(self, kind: Kind, found: Object) -> None:
        name = found["metadata"]["name"]
        if name in self.stuck:
            return
        if kind is CLAIM:
            size = found["spec"]["resources"]["requests"]["storage"]
            volume = found["spec"].setdefault("volumeName", f"pv-{name}")
            found["status"] = {"phase": "Bound", "capacity": {"storage": size}}
            self._provide(volume, found["metadata"], size)
            source = (found["spec"].get("dataSource") or {}).get("name")
            self.disks.fill(f"handle-{volume}", source and f"taken-{source}")
        elif kind is STATEFUL_SET:
            template = found["spec"]["template"]
            if (POD.plural, f"{name}-0") not in self.objects:
                metadata = {"name": f"{name}-0", "ownerReferences": [{}], **copy.deepcopy(template["metadata"])}
                metadata["namespace"] = found["metadata"]["namespace"]
                metadata["annotations"] = plugged(metadata.get("annotations") or {})
                node = next(one for one in NODES if self._answers(one))
                self._put(POD, {"metadata": metadata, "spec": {**copy.deepcopy(template["spec"]), "nodeName": node}})
        elif kind is POD:
            if not self._mounts(found):
                found["status"] = {"phase": "Pending"}
                return
            found["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
            for one in self.of(SHARE_EXPORT).values():
                self._follow(one)
        elif kind is SECURITY_GROUP:
            digest = hashlib.sha256(json.dumps(found["spec"]["ingressRules"]).encode()).hexdigest()
            found["status"] = {"portGroup": name, "ingressMd5": digest, "ingressLastSyncSuccess": True}
        elif kind is SNAPSHOT:
            found["status"] = {"readyToUse": True, "restoreSize": "1Gi", **self._take(found)}
        elif kind is SHARE_EXPORT:
            self._follow(found)

    def _provide(self, volume: str, claim: Object, size: str) -> None:
        """The volume of a claim that is bound to it."""
        whose = {key: claim[key] for key in ("namespace", "name", "uid")}
        present = self.objects.get((VOLUME.plural, volume))
        if present is not None:
            assert present["spec"]["claimRef"].get("uid", claim["uid"]) == claim["uid"], "it is another claim's"
            present["spec"] |= {"claimRef": whose, "capacity": {"storage": size}}
            return
        spec: Object = {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "capacity": {"storage": size}}
        spec |= {"persistentVolumeReclaimPolicy": "Delete", "claimRef": whose}
        spec["csi"] = {"driver": "csi.example", "volumeHandle": f"handle-{volume}"}
        self._put(VOLUME, {"metadata": {"name": volume}, "spec": spec})

    def copy(self) -> None:
        """The storage comes to an end with its copies; pods that wait for them start."""
        self.disks.copy()
        for pod in self.of(POD).values():
            if pod.get("status") == {"phase": "Pending"}:
                self._control(POD, pod)

    def content(self, claim: str) -> str:
        """What is on the volume of a claim."""
        return self.disks.volumes[f"handle-{self.of(CLAIM)[claim]['spec']['volumeName']}"]

    def _mounts(self, pod: Object) -> bool:
        """Whether all volumes of a pod can be handed out."""
        known = self.of(CLAIM)
        held = ((one.get("persistentVolumeClaim") or {}).get("claimName") for one in pod["spec"].get("volumes") or [])
        claims = (known[name] for name in held if name in known)
        return all(self.disks.whole(f"handle-{one['spec'].get('volumeName')}") for one in claims)

    def _take(self, snapshot: Object) -> Object:
        """A snapshot inside of its volume, with its content."""
        name, source = snapshot["metadata"]["name"], snapshot["spec"].get("source") or {}
        if (given := source.get("volumeSnapshotContentName")) is not None:
            return {"boundVolumeSnapshotContentName": given}
        claim = self.of(CLAIM).get(source.get("persistentVolumeClaimName", ""))
        if claim is not None and (SNAPSHOT_CONTENT.plural, f"content-{name}") not in self.objects:
            handle = f"handle-{claim['spec']['volumeName']}"
            self.disks.take(handle, f"taken-{name}")
            spec: Object = {"driver": "csi.example", "deletionPolicy": "Delete", "source": {"volumeHandle": handle}}
            spec["volumeSnapshotClassName"] = snapshot["spec"].get("volumeSnapshotClassName")
            spec["volumeSnapshotRef"] = {key: snapshot["metadata"][key] for key in ("namespace", "name", "uid")}
            content = {"metadata": {"name": f"content-{name}"}, "spec": spec}
            self._put(SNAPSHOT_CONTENT, {**content, "status": {"snapshotHandle": f"taken-{name}"}})
        return {"boundVolumeSnapshotContentName": f"content-{name}"}

    def _release(self, claim: str) -> None:
        """A claim has gone: its volume goes, too, or stays for whom it is kept."""
        for name, one in self.of(VOLUME).items():
            if one["spec"]["claimRef"]["name"] == claim and one["spec"]["persistentVolumeReclaimPolicy"] == "Delete":
                self.server.remove((VOLUME.version, VOLUME.plural, "", name))
                contents = self.of(SNAPSHOT_CONTENT).values()
                known = {str((content.get("status") or {}).get("snapshotHandle")) for content in contents}
                self.disks.drop(f"handle-{name}", known)

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
