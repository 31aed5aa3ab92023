"""How objects of a back end are labelled, so that they are found again and known as its own. Pure functions."""

from __future__ import annotations

from typing import Final

from drivers.kubernetes.api import BACKEND as BACKEND
from drivers.kubernetes.api import MANAGED as MANAGED
from drivers.kubernetes.api import MANAGER as MANAGER
from drivers.kubernetes.api import OWNER as OWNER
from drivers.kubernetes.api import PREFIX as PREFIX
from drivers.kubernetes.api import ROLE as ROLE
from drivers.kubernetes.api import Object

SHARE: Final = f"{PREFIX}/share-instance"
OF_SHARE: Final = f"{PREFIX}/share"
"""The share that an instance is of, as its owner knows it."""
SNAPSHOT: Final = f"{PREFIX}/snapshot-instance"
INCARNATION: Final = f"{PREFIX}/incarnation"
"""Of a share's claim: a claim has its source for life, so a share that is reverted gets the next one."""


def labels(backend: str, role: str, **more: str) -> dict[str, str]:
    """Labels of an object; ``more`` by the constants above."""
    return {MANAGED: MANAGER, BACKEND: backend, ROLE: role, **more}


def metadata(name: str, namespace: str, own: dict[str, str], annotations: dict[str, str] | None = None) -> Object:
    """An object's metadata."""
    found: Object = {"name": name, "namespace": namespace, "labels": own}
    return {**found, "annotations": annotations} if annotations else found


def label(found: Object, name: str) -> str:
    """A label of an object; empty when it has none of that name."""
    return str((found["metadata"].get("labels") or {}).get(name, ""))


def leaving(found: Object) -> bool:
    """Whether an object is being removed."""
    return "deletionTimestamp" in found["metadata"]
