"""Which installation made an object, and whether one that has no row may be removed."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from drivers.kubernetes.api import Cluster, Object
from drivers.kubernetes.labels import OWNER
from drivers.reconciling import Orphan
from drivers.storage import PrivateStorage

Stray = tuple[str, Object, str]
IDENTITY: Final = "6b1b6a55-8d0e-5f63-9d0c-2f0f7f6a9a11"
"""Entity under which the installation's own id is kept."""


async def identify(cluster: Cluster, storage: PrivateStorage) -> None:
    """Read the installation's id, made at its first start; what the cluster is asked to make from now on carries it."""
    if not (await storage.get(IDENTITY)).get("owner"):
        await storage.put(IDENTITY, {"owner": str(uuid.uuid4())})
    cluster.owner = (await storage.get(IDENTITY))["owner"]


async def orphans(
    storage: PrivateStorage, backend: str, strays: Sequence[Stray], owner: str, grace: float, now: datetime.datetime
) -> tuple[Orphan, ...]:
    """Objects that no row stands for, each with the time that it has been without one.

    The time counts from the first look that found it so, not from its making: after an old copy of the database was put
    back, what is newer than the copy has no row, however old it is, and somebody must have time to see that.

    Args:
        strays: kind, object, and the id without a row.
        owner: of this installation.
        grace: seconds that an object must have been without a row before it may be removed.
    """
    entity = str(uuid.uuid5(uuid.UUID(IDENTITY), backend))
    before = await storage.get(entity)
    since = {str(found["metadata"]["uid"]): now.isoformat() for _, found, _ in strays}
    since |= {uid: before[uid] for uid in since.keys() & before.keys()}
    if since != before:
        await storage.remove(entity)
        await storage.put(entity, since)
    return tuple(_judged(*one, since, owner, grace, now) for one in strays)


def _judged(
    kind: str, found: Object, about: str, since: Mapping[str, str], owner: str, grace: float, now: datetime.datetime
) -> Orphan:
    metadata = found["metadata"]
    age = max(0.0, (now - datetime.datetime.fromisoformat(since[metadata["uid"]])).total_seconds())
    ours = (metadata.get("annotations") or {}).get(OWNER)
    why = "" if ours == owner else "another installation made it" if ours else "nothing says who made it"
    why = why or ("it was seen without a row a short time ago" if age < grace else "")
    return Orphan(kind, metadata["name"], about, age, not why, why or "it has no row", metadata["uid"])
