"""Scheduler hints of a new share: the shares they name remember each other in their metadata."""

from __future__ import annotations

from collections.abc import Mapping

from db import metadata as items
from db import share_create as table
from db.connection import Conn
from db.write import new_id
from generated.errors import InvalidUUID, NotFound, ShareNotFound
from services.context import Context
from services.shares import visible
from services.values import is_uuid_like

KEYS = {"same_host": "__affinity_same_host", "different_host": "__affinity_different_host"}
"""Hint -> metadata key."""


async def hold(conn: Conn, hints: Mapping[str, str]) -> None:
    """Keep other writers of the shares that hints name waiting, before the quota is taken (``db.order``)."""
    named = [one for hint in KEYS for one in (hints.get(hint) or "").split(",") if one and "\0" not in one]
    if named:
        await table.hold(conn, named)


async def save(
    conn: Conn, ctx: Context, hints: Mapping[str, str], metadata: dict[str, str]
) -> tuple[str, dict[str, str]]:
    """Choose the new share's id and note it at the shares that its hints name.

    Returns:
        the id, and ``metadata`` completed.

    Raises:
        InvalidUUID: 400. ShareNotFound: 404, a hint names a share that the requester doesn't see.
        PolicyNotAuthorized: 403, a hint names a public share of somebody else.
    """
    share_id, result = new_id(), dict(metadata)
    for hint, key in KEYS.items():
        if not hints.get(hint):
            continue
        named = hints[hint].split(",")
        targets = await table.hint_targets(conn, [one for one in named if "\0" not in one], key)
        for one in named:
            if not is_uuid_like(one):
                raise InvalidUUID(uuid=one)
            try:
                visible(ctx, targets.get(one), to_change=True)
            except NotFound:
                raise ShareNotFound(share_id=one) from None
        for one in named:
            known = targets[one]["item"]
            value = share_id if known is None else f"{known},{share_id}"
            await items.put(conn, items.SHARE, one, {key: value})
        result[key] = ",".join(named)
    return share_id, result


async def forget(conn: Conn, share_id: str, metadata: Mapping[str, str]) -> None:
    """A share that goes is no longer named by others; ``share_id`` must be locked."""
    if any(metadata.get(key) for key in KEYS.values()):
        await table.hints_in_turn(conn)
    for key in KEYS.values():
        if not metadata.get(key):
            continue
        for other in metadata[key].split(","):
            value = await items.get_item(conn, items.SHARE, other, key)
            if value is None:
                continue
            left = [one for one in value.split(",") if one != share_id]
            if left:
                await items.put(conn, items.SHARE, other, {key: ",".join(left)})
            else:
                await items.remove(conn, items.SHARE, other, [key])
        await items.remove(conn, items.SHARE, share_id, [key])
