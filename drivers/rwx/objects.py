"""Objects of a share, and what Longhorn says of it. Pure functions.

Longhorn serves a volume over NFS while something has it attached. So each share has a keeper, a Deployment that mounts
it and does nothing: with one replica the share is open to everybody who reaches the service, with none it is closed.
"""

from __future__ import annotations

import re
from typing import Final

from drivers.kubernetes import claims
from drivers.kubernetes.api import Object
from drivers.kubernetes.labels import BACKEND, ROLE, SHARE, SNAPSHOT, labels, metadata
from drivers.kubernetes.pods import parsed, secrets
from drivers.rwx.options import RwxOptions

ENDPOINT: Final = re.compile(r"nfs://(\[[0-9a-fA-F:]+\]|[^/:\[\]]+)(/[^?#]+)")
SHARE_ROLE, SNAPSHOT_ROLE, KEEPER_ROLE = "rwx-share", "rwx-snapshot", "rwx-keeper"
NOBODY: Final = 65534


def of_share(share: str) -> dict[str, str]:
    """Labels by which a share's claim and its volume are found."""
    return {ROLE: SHARE_ROLE, SHARE: share}


def of_snapshot(snapshot: str) -> dict[str, str]:
    """Labels by which a VolumeSnapshot and its content are found."""
    return {ROLE: SNAPSHOT_ROLE, SNAPSHOT: snapshot}


def claim_name(share: str) -> str:
    """Claim of a share instance."""
    return f"rwx-{share}"


def keeper_name(share: str) -> str:
    """Deployment that keeps a share open."""
    return f"keeper-{share}"


def snapshot_name(snapshot: str) -> str:
    """VolumeSnapshot of a snapshot instance."""
    return f"rwx-snapshot-{snapshot}"


def claim(
    options: RwxOptions,
    share: str,
    size: str,
    pool: str | None,
    snapshot: str | None = None,
    notes: dict[str, str] | None = None,
) -> Object:
    """A claim that many nodes may mount; ``size`` is a quantity, ``snapshot`` the VolumeSnapshot that fills it."""
    own, name = labels(options.share_backend_name, SHARE_ROLE, **{SHARE: share}), claim_name(share)
    return claims.claim(options, name, size, own, snapshot, mode="ReadWriteMany", storage_class=pool, notes=notes)


def snapshot(options: RwxOptions, share: str, name: str) -> Object:
    """A snapshot of a share's claim."""
    own = labels(options.share_backend_name, SNAPSHOT_ROLE, **{SHARE: share, SNAPSHOT: name})
    return claims.snapshot(options, snapshot_name(name), claim_name(share), own)


def keeper(options: RwxOptions, share: str, replicas: int) -> Object:
    """The Deployment that keeps a share open; any node that the options let will do, and a new one when it is lost."""
    own = labels(options.share_backend_name, KEEPER_ROLE, **{SHARE: share})
    program: Object = {
        "name": "keeper",
        "image": options.kubernetes_gateway_image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["sleep", "infinity"],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "runAsUser": NOBODY,
        },
        "resources": {"requests": {"cpu": "1m", "memory": "4Mi"}, "limits": {"memory": "16Mi"}},
        "volumeMounts": [{"name": "share", "mountPath": "/share"}],
    }
    pod: Object = {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 0,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [program],
        "volumes": [{"name": "share", "persistentVolumeClaim": {"claimName": claim_name(share)}}],
    }
    if chosen := parsed("kubernetes_node_selector", options.kubernetes_node_selector, dict):
        pod["nodeSelector"] = chosen
    if tolerated := parsed("kubernetes_tolerations", options.kubernetes_tolerations, list):
        pod["tolerations"] = tolerated
    if named := secrets(options.kubernetes_pull_secrets):
        pod["imagePullSecrets"] = named
    selector = {BACKEND: options.share_backend_name, ROLE: KEEPER_ROLE, SHARE: share}
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": selector},
        "template": {"metadata": {"labels": own}, "spec": pod},
    }
    return {"metadata": metadata(keeper_name(share), options.kubernetes_namespace, own), "spec": spec}


def served(manager: Object | None) -> str | None:
    """Where a volume is mounted from, as ``host:/path``; None while its ShareManager does not serve it."""
    status = (manager or {}).get("status") or {}
    found = ENDPOINT.fullmatch(str(status.get("endpoint") or ""))
    return f"{found[1]}:{found[2]}" if found and status.get("state") == "running" else None


def closed(manager: Object | None) -> bool:
    """Whether nothing serves a volume."""
    return manager is None or ((manager.get("status") or {}).get("state") or "stopped") == "stopped"


def complaint(volume: Object | None) -> str:
    """What Longhorn complains of about a volume; empty when it does not."""
    status = (volume or {}).get("status") or {}
    for one in status.get("conditions") or []:
        if one.get("type") == "Scheduled" and one.get("status") == "False":
            return f"{one.get('reason')}: {one.get('message')}"
    return "the volume is faulted" if status.get("robustness") == "faulted" else ""
