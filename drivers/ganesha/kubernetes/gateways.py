"""Gateways as pods: a StatefulSet of one for each share server, attached to the tenant's network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attaching import Attaching
from drivers.ganesha.kubernetes.attachments import Attached
from drivers.ganesha.kubernetes.options import KubernetesOptions, check
from drivers.ganesha.kubernetes.spaces import naming
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes import snapshot_classes, storage_classes
from drivers.kubernetes.api import CLAIM, NAMESPACE, NETWORK_POLICY, POD, STATEFUL_SET, VOLUME, Cluster, Late, Object
from drivers.kubernetes.claims import Claims
from drivers.kubernetes.keeping import KeptVolumes
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.options import classes
from generated.errors import ShareBackendException

ADDRESSES = f"{names.PREFIX}/addresses"
"""Annotation of a StatefulSet: the ports of its share server."""


class KubernetesGateways:
    """The port ``Gateways`` on a cluster."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, attaching: Attaching | None = None) -> None:
        self._options, self._cluster = options, cluster
        self._attaching = attaching or Attaching(options, cluster)
        self._claims = Claims(options, cluster)
        self._volumes = KeptVolumes(cluster, options.kubernetes_namespace)

    async def check(self) -> None:
        """Verify that options, namespace, storage and snapshot classes will do; close the pod network.

        Raises:
            ShareBackendException: they are not, or volumes of a class could not be served.
        """
        check(self._options)
        naming.check(self._options)
        if self._options.kubernetes_namespace_form == naming.SINGLE:
            await self._refuse_projects()
        namespace = self._options.kubernetes_namespace
        if await self._cluster.get(NAMESPACE, namespace) is None:
            raise ShareBackendException(msg=f"the cluster has no {NAMESPACE.name} {namespace}")
        await self._check_storage()
        await self._cluster.apply(NETWORK_POLICY, manifests.closed(self._options))
        self._attaching.begin()

    async def _check_storage(self) -> None:
        """Raise ShareBackendException for a class that is not there or could not be served."""
        options = self._options
        found = [await storage_classes.check(self._cluster, name) for name in classes(options)]
        asked = (
            ("kubernetes_snapshot_class", options.kubernetes_snapshot_class, snapshot_classes.INSIDE),
            ("kubernetes_backup_class", options.kubernetes_backup_class, snapshot_classes.AWAY),
        )
        for option, name, kind in asked:
            await snapshot_classes.check(self._cluster, option, name, found, kind)

    async def _refuse_projects(self) -> None:
        """Who goes back to one namespace too early would lose the servers that are in others: they'd be made anew."""
        own = {names.MANAGED: "openkeel-manila", names.BACKEND: self._options.share_backend_name, names.ROLE: "state"}
        for one in await self._cluster.every(VOLUME, None, own):
            namespace = (one["spec"].get("claimRef") or {}).get("namespace")
            project = label(one, names.PROJECT)
            if project and namespace == naming.of_project(self._options, project):
                why = f"share servers are in namespaces of projects ({namespace})"
                raise ShareBackendException(msg=f"{why}: kubernetes_namespace_form must be project until they are gone")

    async def identifier(self, server: Server) -> str:
        """``namespace/name`` of its StatefulSet."""
        return f"{self._options.kubernetes_namespace}/{names.gateway(server.id)}"

    def named(self, identifier: str) -> str:
        """The server of a StatefulSet of our namespace; what is none is taken for the id of a server."""
        namespace, _, name = identifier.rpartition("/")
        return names.server_of(name) if namespace == self._options.kubernetes_namespace else identifier

    async def known(self) -> list[Server]:
        """Servers whose StatefulSet is there and is not being removed."""
        return standing(
            await self._cluster.every(STATEFUL_SET, self._options.kubernetes_namespace, labels(self._options))
        )

    async def find(self, server_id: str) -> Server | None:
        """The server as its StatefulSet says."""
        found = await self._cluster.get(STATEFUL_SET, names.gateway(server_id), self._options.kubernetes_namespace)
        return None if found is None or "deletionTimestamp" in found["metadata"] else server_of(found)

    async def start(self, server: Server) -> None:
        """Make the gateway's objects and wait until it serves.

        Raises:
            ShareBackendException: it does not come up, with what Kubernetes complained of; or it is not attached to
                the tenant's network as its ports say. No pod waits for a claim that is not bound.
        """
        options = self._options
        attached = await self._attaching.before(server)
        await self._keep_state(server)
        wanted = manifests.gateway(options, server, attached)
        wanted["metadata"]["annotations"] = {ADDRESSES: _noted(server)}
        await self._cluster.apply(STATEFUL_SET, wanted)
        # another server's removal may have taken the network for unused before this one was there
        await self._attaching.before(server)
        async with self._attaching.following(server.id):
            await self._until_ready(server.id, attached)

    async def _keep_state(self, server: Server) -> None:
        """The claim of the state, bound, on the volume it had if that was kept; that volume is kept from now on."""
        wanted = manifests.state_claim(self._options, server)
        namespace = self._options.kubernetes_namespace
        found = await self._cluster.get(CLAIM, wanted["metadata"]["name"], namespace)
        if found is None or leaving(found):
            if found is not None and ready(await self._cluster.get(POD, names.gateway_pod(server.id), namespace)):
                # it stays for as long as this pod, and comes back for the next one
                await self._volumes.keep_of(found)
                return
            await self._volumes.again(_state(server.id))
        await self._volumes.keep_of(await self._claims.make(wanted))

    async def _until_ready(self, server_id: str, attached: Attached) -> None:
        pod = names.gateway_pod(server_id)
        seconds, what = self._options.kubernetes_start_timeout, f"gateway {server_id} serves"
        try:
            found = await self._cluster.until(POD, pod, self._options.kubernetes_namespace, ready, seconds, what)
        except Late as late:
            told = [str(late), *await self._complaints(server_id, late.last)]
            raise ShareBackendException(msg="; ".join(told)) from late
        if found is not None and (why := attached.trouble(found)):
            raise ShareBackendException(msg=f"gateway {server_id} is not attached as its ports say: {why}")

    async def _complaints(self, server_id: str, pod: Object | None) -> list[str]:
        """Of the pod, and of who may not make it: a quota and the like refuse the StatefulSet's controller."""
        asked = [(POD, names.gateway_pod(server_id)), *([] if pod else [(STATEFUL_SET, names.gateway(server_id))])]
        namespace = self._options.kubernetes_namespace
        return [why for kind, name in asked for why in (await self._cluster.warnings(namespace, kind.name, name))[-3:]]

    async def heal(self) -> None:
        """Nothing to do: the cluster starts what should run, and the overseer looks whether all of it is there."""

    async def remove(self, server_id: str) -> None:
        """Remove the pod first, then its state, then what nobody needs any more to be attached."""
        namespace = self._options.kubernetes_namespace
        await self._cluster.delete(STATEFUL_SET, names.gateway(server_id), namespace)
        seconds = self._options.kubernetes_start_timeout
        pod = names.gateway_pod(server_id)
        await self._cluster.until(POD, pod, namespace, _gone, seconds, f"gateway {server_id} is gone")
        await self._volumes.let_go(_state(server_id))
        await self._cluster.delete(CLAIM, f"state-{pod}", namespace)
        await self._attaching.after(server_id)


def _state(server_id: str) -> dict[str, str]:
    """Labels of the claim of a gateway's state, and of its volume."""
    return {names.ROLE: "state", names.SERVER: server_id}


def _noted(server: Server) -> str:
    """What ``server_of`` reads; where it stands says where the server is."""
    document = asdict(server)
    del document["place"]
    return json.dumps(document, separators=(",", ":"))


def labels(options: KubernetesOptions) -> dict[str, str]:
    """What the StatefulSets of a back end's gateways are found by."""
    return {names.ROLE: "gateway", names.BACKEND: options.share_backend_name}


def standing(found: Iterable[Object]) -> list[Server]:
    """The share servers of those StatefulSets that are not being removed."""
    servers = [server_of(one) for one in found if "deletionTimestamp" not in one["metadata"]]
    return [one for one in servers if one is not None]


def server_of(found: Object) -> Server | None:
    """The share server that a StatefulSet was made for; None if nothing says so."""
    text = found["metadata"].get("annotations", {}).get(ADDRESSES)
    if text is None:
        return None
    document = json.loads(text)
    addresses, place = tuple(Address(**one) for one in document["addresses"]), found["metadata"].get("namespace", "")
    return Server(document["id"], addresses, document.get("project", ""), place)


def ready(pod: Object | None) -> bool:
    """Whether a pod is ready and stays."""
    if pod is None or "deletionTimestamp" in pod["metadata"]:
        return False
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def placed(pod: Object | None) -> bool:
    """Whether a pod has a node on which it starts or runs. The one before it, of the same name, is gone then."""
    return (
        pod is not None
        and "deletionTimestamp" not in pod["metadata"]
        and bool(pod["spec"].get("nodeName"))
        and pod.get("status", {}).get("phase") not in ("Failed", "Succeeded")
    )


def _gone(found: Object | None) -> bool:
    return found is None
