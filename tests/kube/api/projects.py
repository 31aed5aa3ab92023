"""The chart of a back end with a namespace per project, installed as far as rights go, and who plays the cluster."""

from __future__ import annotations

import json
import pathlib
from contextlib import AbstractAsyncContextManager
from typing import Any

from drivers.ganesha.kubernetes.definition import DEFINITION, shareexports
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
    NETWORK_ATTACHMENT,
    NETWORK_POLICY,
    NODE,
    POD,
    SECRET,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CLASS,
    STATEFUL_SET,
    STORAGE_CLASS,
    VOLUME,
    Cluster,
    Kind,
)
from tests.deploy.chart import rendered
from tests.drivers.kubernetes.memory import Object
from tests.kube.api import accounts
from tests.kube.api.player import NODE_NAME, READY, Player, repeated
from tests.kube.api.test_chart import collection
from tests.lab import storage
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

SAMPLE = "projects"
RIGHTS = {"Namespace", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"}
GUARDS = {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
KINDS = (STATEFUL_SET, POD, CLAIM, SNAPSHOT, SHARE_EXPORT, NETWORK_ATTACHMENT, NETWORK_POLICY)
ACCOUNTS = Kind("v1", "serviceaccounts", "ServiceAccount")
NETWORKS = "/apis/k8s.cni.cncf.io/v1/network-attachment-definitions"


class Installed:
    """``home``: the namespace of the gateways; the accounts are those of the share manager and of nodes' agents."""

    def __init__(self, lab: Lab, folder: pathlib.Path, *, guards: tuple[str, ...] = ("-share-projects",)) -> None:
        """``guards``: how the names of the admission policies end that are in force."""
        self.lab, self._folder = lab, folder
        found = rendered.documents(SAMPLE)
        guarding = [one for one in found if one["kind"] in GUARDS and one["metadata"]["name"].endswith(guards)]
        self._made = [one for one in found if one["kind"] in RIGHTS] + guarding
        (space,) = [one for one in self._made if one["kind"] == "Namespace"]
        self.home = str(space["metadata"]["name"])
        lab.api.apply(
            DEFINITION.path(None), {"apiVersion": DEFINITION.version, "kind": DEFINITION.name, **shareexports()}
        )
        storage.define(lab.api, lab.place.programs)
        wait("network attachments are served", lambda: lab.api("GET", NETWORKS)[0] == 200)
        wait("ShareExports are served", lambda: lab.api("GET", SHARE_EXPORT.path("default"))[0] == 200)
        for name in (rendered.NAMESPACE, self.home):
            wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            lab.api.apply(NAMESPACE.path(None), wanted)
        for one in self._made:
            lab.api.apply(collection(lab, one, rendered.NAMESPACE), one)
        (self.agents,) = {
            one["metadata"]["name"]
            for one in self._made
            if one["kind"] == "ServiceAccount" and one["metadata"]["name"].endswith("-node-agent")
        }
        self.share = self._account("-share", rendered.NAMESPACE)
        self.node = self._account("-node-agent", self.home)
        elsewhere = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "not-ours"}}
        path = f"{NAMESPACE.path(None)}?dryRun=All"
        wait("the policy is in force", lambda: self.share.may("POST", path, elsewhere) == 422, 30)

    def _account(self, end: str, namespace: str) -> accounts.Account:
        names = {one["metadata"]["name"] for one in self._made if one["kind"] == "ServiceAccount"}
        (name,) = [one for one in names if one.endswith(end)]
        path = f"{ACCOUNTS.path(namespace)}/{name}/token"
        wanted = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}
        status, text = self.lab.api("POST", path, wanted)
        assert status == 201, text
        return accounts.having(self.lab, self._folder, namespace, name, str(json.loads(text)["status"]["token"]))

    def remove(self) -> None:
        """What has no namespace would be in force for other tests."""
        for one in self._made:
            if one["kind"].startswith(("Validating", "Cluster")):
                path = collection(self.lab, one, rendered.NAMESPACE)
                self.lab.api("DELETE", f"{path}/{one['metadata']['name']}")


class Controllers:
    """All that the API server is without, in the namespace ``home`` and in those named after it."""

    def __init__(self, lab: Lab, cluster: Cluster, home: str) -> None:
        self._lab, self._cluster, self._home = lab, cluster, home
        self._players: dict[str, Player] = {}

    async def spaces(self) -> list[Object]:
        """The namespaces named after ``home``."""
        found = await self._cluster.every(NAMESPACE)
        return [one for one in found if one["metadata"]["name"].startswith(f"{self._home}-")]

    async def prepare(self) -> None:
        """A node and a storage class."""
        fast = {"metadata": {"name": "fast"}, "provisioner": "csi.example", "allowVolumeExpansion": True}
        await self._cluster.create(STORAGE_CLASS, fast)
        snapshots = {"metadata": {"name": "fast"}, "driver": "csi.example", "deletionPolicy": "Delete"}
        await self._cluster.create(SNAPSHOT_CLASS, snapshots)
        await self._cluster.create(NODE, {"metadata": {"name": NODE_NAME}})
        await self._cluster.merge(NODE, NODE_NAME, None, {"status": {"conditions": [READY]}}, "status")

    def playing(self) -> AbstractAsyncContextManager[None]:
        """Meanwhile."""
        return repeated(self._step)

    async def _step(self) -> None:
        for space in await self.spaces():
            await self._live(space)
        await self._reclaim()

    async def _live(self, space: Object) -> None:
        name = str(space["metadata"]["name"])
        if "deletionTimestamp" in space["metadata"]:
            await self._end(space)
            return
        if name not in self._players:
            account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
            self._lab.api.apply(ACCOUNTS.path(name), account)
            self._players[name] = Player(self._cluster, name)
        await self._players[name].step()

    async def _end(self, space: Object) -> None:
        """As the controller of namespaces does: everything in it goes, then the namespace."""
        name = space["metadata"]["name"]
        self._players.pop(name, None)
        for kind in (*KINDS, SECRET):
            for one in await self._cluster.every(kind, name):
                await self._cluster.delete(kind, one["metadata"]["name"], name, grace=0)
                await self._cluster.merge(kind, one["metadata"]["name"], name, {"metadata": {"finalizers": None}})
        whole: dict[str, Any] = {"apiVersion": "v1", "kind": "Namespace", **space, "spec": {"finalizers": []}}
        self._lab.api("PUT", f"{NAMESPACE.path(None)}/{name}/finalize", whole)

    async def _reclaim(self) -> None:
        """As the provisioner does: a volume goes when its claim is gone, unless it is kept."""
        for one in await self._cluster.every(VOLUME):
            of = one["spec"].get("claimRef") or {}
            kept = one["spec"].get("persistentVolumeReclaimPolicy") != "Delete"
            if kept or not str(of.get("namespace", "")).startswith(f"{self._home}-"):
                continue
            if await self._cluster.get(CLAIM, of["name"], of["namespace"]) is None:
                await self._cluster.delete(VOLUME, one["metadata"]["name"], grace=0)
                await self._cluster.merge(VOLUME, one["metadata"]["name"], None, {"metadata": {"finalizers": None}})
