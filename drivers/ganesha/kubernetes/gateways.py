"""Gateways as pods: a StatefulSet of one for each share server, attached to the tenant's network."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attaching import Attaching
from drivers.ganesha.kubernetes.attachments import Attached
from drivers.ganesha.kubernetes.options import KubernetesOptions, check
from drivers.ganesha.kubernetes.spaces import naming
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes import snapshot_classes, storage_classes
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
    NETWORK_POLICY,
    POD,
    STATEFUL_SET,
    VOLUME,
    Cluster,
    Foreign,
    Late,
    Object,
    strange,
)
from drivers.kubernetes.claims import Claims
from drivers.kubernetes.keeping import KeptVolumes
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.options import classes
from generated.errors import ShareBackendException

ADDRESSES = f"{names.PREFIX}/addresses"
"""Annotation of a StatefulSet: the ports of its share server."""
AS_MADE = f"{names.PREFIX}/generation"
"""Annotation of a StatefulSet: its generation as it was made. With another one somebody else has changed its spec."""

REVISION = "controller-revision-hash"
"""Label by which a StatefulSet's controller says what a pod was made from."""
_UNTIL_REPLACED = 5.0
"""Seconds that a pod may take to start before it is asked whether it still is what is wanted."""
log = logging.getLogger(__name__)


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
            ShareBackendException: it does not come up, with what Kubernetes complained of; it is not attached to
                the tenant's network as its ports say; or somebody else's object has a name of its own. No pod waits
                for a claim that is not bound.
        """
        options = self._options
        attached = await self._attaching.before(server)
        await self._keep_state(server)
        wanted = manifests.gateway(options, server, attached)
        wanted["metadata"]["annotations"] = {ADDRESSES: _noted(server)}
        if (foreign := self._foreign(await self._set(server.id), server.id)) is not None:
            raise foreign
        await self._note(await self._cluster.apply(STATEFUL_SET, wanted))
        # another server's removal may have taken the network for unused before this one was there
        await self._attaching.before(server)
        async with self._attaching.following(server.id):
            await self._until_ready(server.id, attached, wanted["metadata"]["labels"])

    async def _note(self, made: Object) -> None:
        """Know the StatefulSet again as it is now."""
        metadata = made["metadata"]
        generation = str(metadata["generation"])
        if (metadata.get("annotations") or {}).get(AS_MADE) != generation:
            note = {"metadata": {"annotations": {AS_MADE: generation}}}
            await self._cluster.merge(STATEFUL_SET, metadata["name"], metadata["namespace"], note)

    async def _set(self, server_id: str) -> Object | None:
        return await self._cluster.get(STATEFUL_SET, names.gateway(server_id), self._options.kubernetes_namespace)

    def _foreign(self, found: Object | None, server_id: str) -> Foreign | None:
        """What is wrong with a StatefulSet that is not ours; its selector, which nobody can change, proves it, too."""
        if found is None or found["spec"]["selector"].get("matchLabels") == manifests.selector(server_id):
            return None
        return Foreign(STATEFUL_SET, found, {**labels(self._options), names.SERVER: server_id})

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
        elif strange(found, wanted["metadata"]["labels"]):
            # its volume knows whose it is
            await self._volumes.again(_state(server.id))
        await self._volumes.keep_of(await self._claims.make(wanted))

    async def _until_ready(self, server_id: str, attached: Attached, own: Mapping[str, str]) -> None:
        """Wait for the pod that serves; ``own``: its labels."""
        pod, namespace = names.gateway_pod(server_id), self._options.kubernetes_namespace
        seconds, what = self._options.kubernetes_start_timeout, f"gateway {server_id} serves"

        def serves(found: Object | None) -> bool:
            if (
                found is not None
                and not leaving(found)
                and not is_of(found, server_id)
                and (lacks := strange(found, own))
            ):
                raise Foreign(POD, found, lacks)
            return ready(found)

        first = min(_UNTIL_REPLACED, seconds)
        try:
            try:
                found = await self._cluster.until(POD, pod, namespace, serves, first, what)
            except Late as late:
                await self._replace(server_id, late.last)
                found = await self._cluster.until(POD, pod, namespace, serves, seconds - first, what)
        except Late as late:
            told = [str(Late(what, seconds, late.last)), *await self._complaints(server_id, late.last)]
            raise ShareBackendException(msg="; ".join(told)) from late
        if found is not None:
            # its controller, the policy and the node's agent know it by them
            found = await self._cluster.claimed(POD, found, own, proven=is_of(found, server_id))
        if found is not None and (why := attached.trouble(found)):
            raise ShareBackendException(msg=f"gateway {server_id} is not attached as its ports say: {why}")

    async def _replace(self, server_id: str, pod: Object | None) -> None:
        """Remove a pod that cannot start as it was made, if it would be made otherwise now: nobody else does."""
        owner = await self._set(server_id)
        if pod is None or owner is None or leaving(pod) or (pod.get("status") or {}).get("phase") != "Pending":
            return
        status = owner.get("status") or {}
        known = int(status.get("observedGeneration", 0)) >= owner["metadata"]["generation"]
        if known and label(pod, REVISION) not in ("", status.get("updateRevision")):
            metadata = pod["metadata"]
            log.warning("pod %s has not started, and is made anew as it is wanted now", metadata["name"])
            await self._cluster.delete(POD, metadata["name"], metadata["namespace"], uid=metadata["uid"])

    async def _complaints(self, server_id: str, pod: Object | None) -> list[str]:
        """Of the pod, and of who may not make it: a quota and the like refuse the StatefulSet's controller."""
        asked = [(POD, names.gateway_pod(server_id)), *([] if pod else [(STATEFUL_SET, names.gateway(server_id))])]
        namespace = self._options.kubernetes_namespace
        return [why for kind, name in asked for why in (await self._cluster.warnings(namespace, kind.name, name))[-3:]]

    async def renew(self, server: Server) -> bool:
        """Nothing to do: a pod runs what its image has, and gets another when the operator deletes it."""
        return False

    async def rests(self, server_id: str) -> bool:
        """Whether it has no pod with a node."""
        pod = await self._cluster.get(POD, names.gateway_pod(server_id), self._options.kubernetes_namespace)
        return pod is None or not pod["spec"].get("nodeName")

    async def heal(self) -> None:
        """Nothing to do: the cluster starts what should run, and the overseer looks whether all of it is there."""

    async def remove(self, server_id: str) -> None:
        """Remove the pod first, then its state, then what nobody needs any more to be attached."""
        namespace = self._options.kubernetes_namespace
        if self._foreign(await self._set(server_id), server_id) is None:
            await self._cluster.delete(STATEFUL_SET, names.gateway(server_id), namespace)
        seconds = self._options.kubernetes_start_timeout
        pod = names.gateway_pod(server_id)
        await self._cluster.until(POD, pod, namespace, self._gone, seconds, f"gateway {server_id} is gone")
        await self._volumes.mark(_state(server_id))
        await self._volumes.let_go(_state(server_id))
        state = await self._cluster.get(CLAIM, f"state-{pod}", namespace)
        if state is not None and self._claims.is_ours(state):
            await self._cluster.delete(CLAIM, f"state-{pod}", namespace)
        await self._attaching.after(server_id)

    def _gone(self, found: Object | None) -> bool:
        return found is None or bool(strange(found, names.labels(self._options.share_backend_name, "gateway")))


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


def changed(found: Object) -> bool:
    """Whether somebody else has changed the spec of a StatefulSet, or an annotation that it needs is gone."""
    metadata = found["metadata"]
    notes = metadata.get("annotations") or {}
    # what an older release has made has no note
    as_made = notes.get(AS_MADE, str(metadata.get("generation")))
    return ADDRESSES not in notes or as_made != str(metadata.get("generation"))


def ready(pod: Object | None) -> bool:
    """Whether a pod is ready and stays."""
    if pod is None or "deletionTimestamp" in pod["metadata"]:
        return False
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def is_of(pod: Object, server_id: str) -> bool:
    """Whether a pod has a gateway's state, whatever its labels say: no other has."""
    claims = [one.get("persistentVolumeClaim", {}).get("claimName") for one in pod["spec"].get("volumes") or ()]
    return f"state-{names.gateway_pod(server_id)}" in claims


def placed(pod: Object | None) -> bool:
    """Whether a pod has a node on which it starts or runs. The one before it, of the same name, is gone then."""
    return (
        pod is not None
        and "deletionTimestamp" not in pod["metadata"]
        and bool(pod["spec"].get("nodeName"))
        and pod.get("status", {}).get("phase") not in ("Failed", "Succeeded")
    )
