"""From the bytes of a body to JSON and back, and to the key of an action."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any, Final

import orjson

from db.turns import SLICE, turn
from generated.runtime import Fault, Json
from handlers.long import Long


class Absent:
    """No body: nothing was sent, or something of another content type than JSON."""


ABSENT: Final = Absent()


def is_json(content_type: str | None) -> bool:
    """Whether a Content-Type header names JSON; without the header there is no body as far as the original goes."""
    return content_type is not None and content_type.partition(";")[0].strip() == "application/json"


def decode(content_type: str | None, body: bytes) -> Json | Absent:
    """The JSON document, or ``ABSENT``. Raises Fault 400 for what is no JSON."""
    if not body or not is_json(content_type):
        return ABSENT
    try:
        return json.loads(body.decode())
    except (ValueError, RecursionError):
        raise Fault(400, "Malformed request body") from None


def encode(body: Any) -> bytes:
    """A document as JSON without blanks, whatever a client's own values in it are."""
    try:
        return orjson.dumps(body, default=str)
    except TypeError:  # a number of more than 64 bits or half a surrogate pair, shown as it was sent
        return json.dumps(body, default=str, separators=(",", ":")).encode()


async def encode_slices(body: Any) -> bytes:
    """As ``encode``, of long lists in a document a slice at a time, between which others run."""
    if not isinstance(body, dict) or not any(isinstance(one, list) and len(one) > SLICE for one in body.values()):
        return encode(body)
    parts: list[bytes] = []
    try:
        for key, value in body.items():
            parts += (b"," if parts else b"{", orjson.dumps(key), b":")
            if not isinstance(value, list) or len(value) <= SLICE:
                parts.append(orjson.dumps(value, default=str))
                continue
            for at in range(0, len(value), SLICE):
                parts += (b"," if at else b"[", orjson.dumps(value[at : at + SLICE], default=str)[1:-1])
                await turn()
            parts.append(b"]")
    except TypeError:
        return encode(body)
    return b"".join([*parts, b"}"])


async def encode_long(body: dict[str, Any]) -> AsyncGenerator[bytes]:
    """As ``encode``, of a document with a list of any length (``Long``), which is read meanwhile."""
    begun, head = b"{", b""
    for key, value in body.items():
        head, begun = begun + orjson.dumps(key) + b":", b","
        if not isinstance(value, Long):
            yield head + encode(value)
            continue
        head += b"["
        async for page in value.pages(encode):
            yield head + page
            head = b","
        yield b"]"
    for one in body.values():
        if isinstance(one, Long) and one.after:
            yield b"," + encode(one.after)[1:-1]
    yield b"}"


def action_key(body: Json | Absent) -> str:
    """The one key of an action's body.

    Raises:
        Fault: 400 without a body or with another number of keys, 404 for what has no keys at all.
    """
    if body is ABSENT:
        raise Fault(400, "There is no such action: None")
    if not isinstance(body, dict | list | str):
        raise Fault(404)
    if len(body) != 1:
        raise Fault(400, "Malformed request body")
    if not isinstance(body, dict):
        raise Fault(404)
    key: str = next(iter(body))
    return key
