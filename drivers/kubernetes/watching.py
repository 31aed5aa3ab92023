"""Following a kind of object for ever: listed, watched, listed again when the watch cannot go on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from drivers.kubernetes.api import Away, Cluster, Kind, Object, Refused

log = logging.getLogger(__name__)
Event = tuple[Kind, str, Object]
"""``ADDED``, ``MODIFIED`` or ``DELETED``, and the object."""
PAUSE: Final = 0.5
LONGEST: Final = 5.0


async def follow(
    cluster: Cluster,
    kind: Kind,
    namespace: str | None,
    labels: Mapping[str, str],
    tell: Callable[[Event], None],
    listed: Callable[[], None] = lambda: None,
) -> None:
    """Tell of every change until cancelled. What vanished while nobody watched is told as ``DELETED``.

    Args:
        listed: called when all that is there was told, before the changes.
    """
    known: dict[str, Object] = {}
    pause = PAUSE
    while True:
        try:
            found, version = await cluster.listed(kind, namespace, labels)
            present = {str(one["metadata"]["uid"]): one for one in found}
            for uid in set(known) - set(present):
                tell((kind, "DELETED", known.pop(uid)))
            for uid, one in present.items():
                tell((kind, "MODIFIED" if uid in known else "ADDED", one))
                known[uid] = one
            listed()
            pause = PAUSE
            await _watch(cluster, kind, namespace, version, labels, known, tell)
        except Refused as error:
            if error.status != 410:
                log.warning("%s cannot be watched: %s", kind.plural, error)
                pause = min(LONGEST, pause * 2)
        except (Away, ConnectionError, TimeoutError) as error:
            log.info("%s are not watched for a moment: %s", kind.plural, error)
            pause = min(LONGEST, pause * 2)
        await asyncio.sleep(pause)


async def _watch(
    cluster: Cluster,
    kind: Kind,
    namespace: str | None,
    version: str,
    labels: Mapping[str, str],
    known: dict[str, Object],
    tell: Callable[[Event], None],
) -> None:
    """Watch until the version is too old or the server goes away."""
    while True:
        async for what, one in cluster.watch(kind, namespace, version, labels):
            version = str(one["metadata"]["resourceVersion"])
            if what == "BOOKMARK":
                continue
            uid = str(one["metadata"]["uid"])
            known[uid] = one
            if what == "DELETED":
                del known[uid]
            tell((kind, what, one))
