"""Which installation made an object, and whether one that has no row may be removed."""

from __future__ import annotations

import datetime
import uuid
from typing import Final

from drivers.kubernetes.api import Cluster, Object
from drivers.kubernetes.labels import OWNER
from drivers.reconciling import Orphan
from drivers.storage import PrivateStorage

IDENTITY: Final = "6b1b6a55-8d0e-5f63-9d0c-2f0f7f6a9a11"
"""Entity under which the installation's own id is kept."""


async def identify(cluster: Cluster, storage: PrivateStorage) -> None:
    """Read the installation's id, made at its first start; what the cluster is asked to make from now on carries it."""
    if not (await storage.get(IDENTITY)).get("owner"):
        await storage.put(IDENTITY, {"owner": str(uuid.uuid4())})
    cluster.owner = (await storage.get(IDENTITY))["owner"]


def orphan(kind: str, found: Object, about: str, owner: str, grace: float, now: datetime.datetime) -> Orphan:
    """An object that no row stands for.

    Args:
        about: the id without a row.
        owner: of this installation.
        grace: seconds that an object must be old before it may be removed.
    """
    metadata = found["metadata"]
    age = max(0.0, (now - datetime.datetime.fromisoformat(metadata["creationTimestamp"])).total_seconds())
    ours = (metadata.get("annotations") or {}).get(OWNER)
    why = "" if ours == owner else "another installation made it" if ours else "nothing says who made it"
    why = why or ("it may be in the making" if age < grace else "")
    return Orphan(kind, metadata["name"], about, age, not why, why or "it has no row", metadata["uid"])
