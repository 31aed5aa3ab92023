"""What a look at the cluster has seen of one back end, indexed by the ids of the rows. Pure after ``observe``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import is_of
from drivers.ganesha.kubernetes.incarnations import claim_in_use
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.kubernetes import longhorn
from drivers.kubernetes.api import (
    CLAIM,
    LONGHORN_VOLUME,
    NODE,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    STATEFUL_SET,
    Cluster,
    Kind,
    Object,
)
from drivers.kubernetes.labels import label, leaving

KINDS: Final[Mapping[str, Kind]] = {one.name: one for one in (SHARE_EXPORT, POD, STATEFUL_SET, SNAPSHOT, CLAIM)}
"""Kinds of objects that stand for rows, in the order in which they may be removed."""
OF_SHARES: Final = ("share", "holder", "restore", "former", "proof")
"""Roles of what stands for a share."""
SILENT, OUT, READY = "silent", "out", "ready"
"""States of a node: it does not answer; somebody has made certain that it is out; it is well."""
OUT_OF_SERVICE: Final = "node.kubernetes.io/out-of-service"
"""Taint by which an operator, or who watches over nodes, declares a node shut down."""
WORD: Final = f"{names.PREFIX}/out-of-service"
"""Annotation of a node by which an operator says the same for this back end's pods only; its value says why."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Objects by kind's name and by name, and the nodes' states."""

    objects: Mapping[str, Mapping[str, Object]]
    nodes: Mapping[str, Object] = field(default_factory=dict)
    volumes: Mapping[str, Object] = field(default_factory=dict)
    """Longhorn's volumes by name, where claims are Longhorn's."""

    def of(self, kind: Kind, role: str = "") -> Iterator[Object]:
        """Objects of a kind, those of a role if one is said."""
        for one in self.objects[kind.name].values():
            if not role or label(one, names.ROLE) == role:
                yield one

    def find(self, kind: Kind, name: str) -> Object | None:
        """An object that stays."""
        found = self.objects[kind.name].get(name)
        return None if found is None or leaving(found) else found

    def claim_of(self, share: str) -> Object | None:
        """The present claim of a share."""
        known = [one for one in self.of(CLAIM, "share") if label(one, names.SHARE) == share and not leaving(one)]
        return claim_in_use(known)

    def snapshot_of(self, snapshot: str) -> Object | None:
        """The VolumeSnapshot of a snapshot instance."""
        known = (one for one in self.of(SNAPSHOT) if label(one, names.SNAPSHOT) == snapshot and not leaving(one))
        return next(known, None)

    def gateway(self, server_id: str) -> Object | None:
        """The pod of a gateway, whatever its state."""
        return self.objects[POD.name].get(names.gateway_pod(server_id))

    def node_state(self, name: str | None) -> str:
        """How a node is. Nothing is certain of one that the cluster does not know any more: its machine may run on."""
        found = self.nodes.get(name or "")
        if found is None:
            return SILENT if name else READY
        if is_ready(found):
            return READY
        return OUT if declared_out(found) else SILENT


def is_ready(node: Object) -> bool:
    """Whether a node answers."""
    conditions = (node.get("status") or {}).get("conditions") or []
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def declared_out(node: Object) -> bool:
    """Whether an operator, or who acts for one, has said that nothing runs on a node any more."""
    taints = (node.get("spec") or {}).get("taints") or []
    said = (node["metadata"].get("annotations") or {}).get(WORD)
    return bool(said) or any(one.get("key") == OUT_OF_SERVICE for one in taints)


def about(found: Object) -> str:
    """The id of the row that an object stands for; empty when it stands for none."""
    role = label(found, names.ROLE)
    if role == "export":
        return str(found["metadata"]["name"]).removeprefix(names.share(""))
    if role in ("gateway", "state"):
        return label(found, names.SERVER)
    if role == "snapshot" or role == "view":
        return label(found, names.SNAPSHOT)
    return label(found, names.SHARE) if role in OF_SHARES else ""


async def observe(options: KubernetesOptions, cluster: Cluster, spaces: Spaces | None = None) -> Observed:
    """Look at everything of the back end. Names follow from ids, so they are unique over its namespaces."""
    own = {names.MANAGED: "openkeel-manila", names.BACKEND: options.share_backend_name}
    objects: dict[str, dict[str, Object]] = {}
    for kind in KINDS.values():
        found = await (spaces or Spaces(options, cluster)).every(kind, own)
        objects[kind.name] = {one["metadata"]["name"]: one for one in found}
    await _bare_pods(cluster, objects)
    nodes = {one["metadata"]["name"]: one for one in await cluster.every(NODE)}
    volumes = {}
    if any(longhorn.provisions(one) for one in objects[CLAIM.name].values()):
        found = await cluster.every(LONGHORN_VOLUME, longhorn.NAMESPACE)
        volumes = {one["metadata"]["name"]: one for one in found}
    return Observed(objects, nodes, volumes)


async def _bare_pods(cluster: Cluster, objects: Mapping[str, dict[str, Object]]) -> None:
    """Add the gateways' pods that have lost their labels, which nobody finds by them any more."""
    for owner in objects[STATEFUL_SET.name].values():
        name, server = f"{owner['metadata']['name']}-0", label(owner, names.SERVER)
        if name not in objects[POD.name]:
            pod = await cluster.get(POD, name, owner["metadata"]["namespace"])
            if pod is not None and is_of(pod, server):
                objects[POD.name][name] = pod
