"""How the objects of a gateway and of its shares are named and labelled. Pure functions.

Every name follows from an id, so that a call that is repeated finds what the first one made.
"""

from __future__ import annotations

from typing import Final

from drivers.ganesha.kubernetes.api import Object

PREFIX: Final = "manila.openkeel.io"
SERVER: Final = f"{PREFIX}/share-server"
SHARE: Final = f"{PREFIX}/share-instance"
SNAPSHOT: Final = f"{PREFIX}/snapshot-instance"
SUBNET: Final = f"{PREFIX}/network"
INCARNATION: Final = f"{PREFIX}/incarnation"
"""Of a share's claim: a claim has its source for life, so a share that is reverted gets the next one."""
ROLE: Final = f"{PREFIX}/role"
"""``gateway``, ``holder``, ``share``, ``snapshot``, ``view``, ``export`` or ``state``."""
MANAGED: Final = "app.kubernetes.io/managed-by"
BACKEND: Final = f"{PREFIX}/back-end"


def gateway(server_id: str) -> str:
    """StatefulSet of a share server; its only pod has ``-0`` behind."""
    return f"gateway-{server_id}"


def gateway_pod(server_id: str) -> str:
    return f"{gateway(server_id)}-0"


def share(name: str) -> str:
    """ShareExport of a share instance."""
    return f"share-{name}"


def claim(name: str, incarnation: int = 0) -> str:
    """Claim of a share instance."""
    return f"share-{name}-{incarnation}" if incarnation else f"share-{name}"


def holder(name: str) -> str:
    """Pod that has a share's volume mounted on the gateway's node."""
    return f"holder-{name}"


def snapshot(name: str) -> str:
    """VolumeSnapshot of a snapshot instance."""
    return f"snapshot-{name}"


def view(name: str) -> str:
    """Claim of a snapshot's view that clients mount."""
    return f"view-{name}"


def labels(backend: str, role: str, **more: str) -> dict[str, str]:
    """Labels of an object; ``more`` by the constants above."""
    return {MANAGED: "openkeel-manila", BACKEND: backend, ROLE: role, **more}


def metadata(name: str, namespace: str, own: dict[str, str], annotations: dict[str, str] | None = None) -> Object:
    """An object's metadata."""
    found: Object = {"name": name, "namespace": namespace, "labels": own}
    return {**found, "annotations": annotations} if annotations else found
