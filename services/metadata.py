"""Rules of metadata that all resources share: what a legal item is, and the six operations on it."""

from __future__ import annotations

from collections.abc import Iterable

from db import metadata as table
from db.connection import Conn
from db.metadata import Kind, Owner
from generated.errors import InvalidMetadata, InvalidMetadataSize, MetadataItemNotFound
from generated.runtime import Fault, Json
from services.context import Context

LONGEST_KEY = 255
LONGEST_VALUE = 1023
MALFORMED = "Malformed request body"


def check_items(metadata: Json) -> dict[str, str]:
    """The items as given, or {} for null.

    Raises:
        InvalidMetadata, InvalidMetadataSize: an item is blank or too long (400).
        Fault: 400 when it is no object of texts.
    """
    return texts(legal(metadata))


def texts(items: dict[str, Json] | None) -> dict[str, str]:
    """The items as they are. Raises Fault 400 when they are none (see ``all_items``), or a value is no text."""
    if items is None or not all(isinstance(value, str) for value in items.values()):
        raise Fault(400, MALFORMED)
    return items


def legal(metadata: Json) -> dict[str, Json]:
    """The items as given, or {} for null; a value may still be a list or an object. Raises as ``check_items``."""
    if not metadata:
        return {}
    if not isinstance(metadata, dict):
        raise Fault(400, MALFORMED)
    for key, value in metadata.items():
        if not key:
            raise InvalidMetadata("Metadata property key is blank.")
        if len(key) > LONGEST_KEY:
            raise InvalidMetadataSize("Metadata property key is greater than 255 characters.")
        if not value:
            raise InvalidMetadata("Metadata property value is blank.")
        if not isinstance(value, (str, list, dict)):
            raise Fault(400, MALFORMED)
        if len(value) > LONGEST_VALUE:
            raise InvalidMetadataSize("Metadata property value is greater than 1023 characters.")
    return metadata


def protected(ctx: Context, keys: tuple[str, ...], rule: str, items: dict[str, Json]) -> tuple[str, ...]:
    """Those of the administrators' ``keys`` that a request may not touch. Raises Fault 403 when ``items`` has one."""
    if not set(items).intersection(keys):
        return keys
    if not ctx.allows(rule):
        raise Fault(403, "Cannot set or update admin only metadata.")
    return ()


def body_items(body: Json) -> dict[str, Json]:
    """The metadata of a request body, with legal keys and sizes.

    Whether the values are texts is looked at in ``add`` and ``replace``: the original minds it after a missing owner.
    Raises as ``check_items``.
    """
    if not isinstance(body, dict) or not isinstance(body.get("metadata"), dict):
        raise Fault(400, MALFORMED)
    return legal(body["metadata"])


def all_items(body: Json, *, null_is_empty: bool = False) -> dict[str, Json] | None:
    """As ``body_items``, but None for what is empty and no object: the original minds that, too, after a missing owner.

    Args:
        null_is_empty: null means no items.
    """
    given = body.get("metadata", ...) if isinstance(body, dict) else ...
    if given or given == {}:
        return body_items(body)
    return {} if null_is_empty and given is None else None


def body_item(body: Json, key: str) -> dict[str, Json]:
    """The single item of a body for ``.../metadata/{key}``. Raises Fault 400 when it is another, or not alone."""
    nothing = isinstance(body, dict) and "metadata" in body and not body["metadata"]
    if nothing and not isinstance(body["metadata"], (str, list, dict)):
        raise Fault(400)
    items = {} if nothing else body_items(body)
    if key not in items:
        raise Fault(400, "Request body and URI mismatch")
    if len(items) > 1:
        raise Fault(400, "Request body contains too many items")
    return items


async def add(conn: Conn, kind: Kind, owner: Owner, items: dict[str, Json] | None) -> dict[str, str]:
    """Set items; the others stay. Raises as ``texts``."""
    wanted = texts(items)
    await table.lock(conn, kind, owner)
    await table.put(conn, kind, owner, wanted)
    return wanted


async def replace(
    conn: Conn, kind: Kind, owner: Owner, items: dict[str, Json] | None, keep: Iterable[str] = ()
) -> dict[str, str]:
    """Make ``items`` the whole metadata, but leave the items named by ``keep`` as they are; the result.

    Raises as ``texts``.
    """
    wanted = texts(items)
    await table.lock(conn, kind, owner)
    current = await table.get(conn, kind, owner)
    wanted = {**wanted, **{key: current[key] for key in keep if key in current}}
    gone = [key for key in current if key not in wanted]
    if gone:
        await table.remove(conn, kind, owner, gone)
    await table.put(conn, kind, owner, wanted)
    return wanted


async def show(conn: Conn, kind: Kind, owner: Owner, key: str) -> dict[str, str]:
    """One item. Raises MetadataItemNotFound (404)."""
    value = await table.get_item(conn, kind, owner, key)
    if value is None:
        raise MetadataItemNotFound
    return {key: value}


async def drop(conn: Conn, kind: Kind, owner: Owner, key: str) -> None:
    """Remove one item. Raises MetadataItemNotFound (404)."""
    if not await table.remove(conn, kind, owner, [key]):
        raise MetadataItemNotFound
