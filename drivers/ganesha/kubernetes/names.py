"""How the objects of a gateway and of its shares are named and labelled. Pure functions.

Every name follows from an id, so that a call that is repeated finds what the first one made.
"""

from __future__ import annotations

import hashlib
from typing import Final

from drivers.kubernetes.labels import BACKEND as BACKEND
from drivers.kubernetes.labels import INCARNATION as INCARNATION
from drivers.kubernetes.labels import MANAGED as MANAGED
from drivers.kubernetes.labels import OF_SHARE as OF_SHARE
from drivers.kubernetes.labels import PREFIX as PREFIX
from drivers.kubernetes.labels import ROLE as ROLE
from drivers.kubernetes.labels import SHARE as SHARE
from drivers.kubernetes.labels import SNAPSHOT as SNAPSHOT
from drivers.kubernetes.labels import labels as labels
from drivers.kubernetes.labels import metadata as metadata

SERVER: Final = f"{PREFIX}/share-server"
SUBNET: Final = f"{PREFIX}/subnet"
"""The share network subnet of a gateway's first port; those of further ones have ``-2``, ``-3`` ... behind."""
PROJECT: Final = f"{PREFIX}/project"
BACKUP: Final = f"{PREFIX}/backup"
WITHIN: Final = f"{PREFIX}/namespace"
"""Of an object that belongs to no namespace: that of the gateway it was made for."""
PORTS: Final = f"{PREFIX}/ports"
"""Annotation of a gateway's pod: the ports it is to be plugged into."""
BOUND: Final = f"{PREFIX}/bound"
"""Annotation of a gateway's pod: the host to which each of its ports is bound in Neutron, as the worker has seen it."""
ATTACHED: Final = f"{PREFIX}/attached"
"""Condition of a gateway's pod: it is plugged and reached. The pod is not ready before."""
HOST: Final = f"{PREFIX.partition('.')[0]}.node-restriction.kubernetes.io/ovn-host"
"""Label of a node: its name in OVN, where that does not follow from its own. A kubelet must not set labels of this
kind, so that a node cannot take another one's name."""
ROLES: Final = (
    "gateway", "holder", "share", "snapshot", "view", "export", "state", "policy", "backup",
    "restore", "former", "proof",
)  # fmt: skip
"""Values of ``ROLE``. Of a share's claims: ``share``: served; ``restore``: to be served; ``former``: was served."""
VOLUMES: Final = ("share", "restore", "former")
"""Roles of the claims that a share has."""


def of_backend(name: str, backend: str) -> str:
    """A name that each back end of a namespace has for itself; a back end's own name need not be one in Kubernetes."""
    return f"{name}-{hashlib.sha256(backend.encode()).hexdigest()[:8]}"


def gateway(server_id: str) -> str:
    """StatefulSet of a share server; its only pod has ``-0`` behind."""
    return f"gateway-{server_id}"


def gateway_pod(server_id: str) -> str:
    return f"{gateway(server_id)}-0"


def server_of(gateway_name: str) -> str:
    """The share server of a StatefulSet."""
    return gateway_name.removeprefix(gateway(""))


def backup(name: str) -> str:
    """VolumeSnapshot that is a backup."""
    return f"backup-{name}"


def share(name: str) -> str:
    """ShareExport of a share instance."""
    return f"share-{name}"


def claim(name: str, incarnation: int = 0) -> str:
    """Claim of a share instance."""
    return f"share-{name}-{incarnation}" if incarnation else f"share-{name}"


def holder(name: str) -> str:
    """Pod that has a share's volume mounted on the gateway's node."""
    return f"holder-{name}"


def proof(name: str) -> str:
    """Pod that proves a copy which is to take the place of a share's volume."""
    return f"proof-{name}"


def snapshot(name: str) -> str:
    """VolumeSnapshot of a snapshot instance."""
    return f"snapshot-{name}"


def view(name: str) -> str:
    """Claim of a snapshot's view that clients mount."""
    return f"view-{name}"
