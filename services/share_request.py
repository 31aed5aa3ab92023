"""The body of ``POST /shares``: read, renamed and checked as far as it can be without the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generated.errors import InvalidInput, InvalidParameterValue, NotAuthorized
from generated.microversions import ENCRYPTION_KEYS, MOUNT_POINT_NAMES, ONLY_HOST_HINT, SCHEDULER_HINTS, SHARE_GROUPS
from generated.runtime import Fault, Json
from services.context import Context
from services.literals import items_of_new
from services.values import strict_bool

LONGEST_NAME = 255
HINTS = ("same_host", "different_host", "only_host")


@dataclass(slots=True)
class Wish:
    """What a client asks for. ``size`` (GiB) is as sent until it is checked; texts are as they will be stored."""

    size: Any
    proto: str
    name: str | None = None
    description: str | None = None
    is_public: bool = False
    zone: str | None = None
    group_id: str | None = None
    snapshot_id: str | None = None
    network_id: str | None = None
    share_type: Any = None
    both_types: bool = False
    mount_point_name: str | None = None
    key_ref: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)


def public_flag(ctx: Context, value: Json, rule: str) -> bool:
    """``is_public`` of a body.

    Raises:
        InvalidParameterValue: 400, no boolean.
        NotAuthorized: 403, the requester may not make a share public.
    """
    try:
        flag = strict_bool(value)
    except ValueError as error:
        raise InvalidParameterValue(str(error)) from None
    if flag and not ctx.allows(rule):
        raise NotAuthorized("User is not authorized to set 'is_public' to True in the request.")
    return flag


def check_length(value: Json, name: str) -> None:
    """Raise InvalidInput or Fault (400) for a name or description that is longer than its column, or has no length."""
    if not value:
        return
    if isinstance(value, (int, float)):
        raise Fault(400)
    if len(value) > LONGEST_NAME:
        raise InvalidInput(reason=f"{name} can only be {LONGEST_NAME} characters long.")


def stored_text(value: Json, name: str) -> str | None:
    """A number or a boolean where a text is expected is kept as its text, as the original's database does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise Fault(400, f"Invalid input for field {name}: a text is expected.")
    check_length(value, name)
    return value


def _named(share: dict[str, Json], name: str) -> str | None:
    """``name`` or ``description``: the short key counts before the one with ``display_``."""
    if share.get(name):
        check_length(share[name], name)
        return stored_text(share[name], name)
    return stored_text(share.get(f"display_{name}"), f"display_{name}")


def _text(share: dict[str, Json], key: str) -> str | None:
    """An id or a name; empty means none."""
    value = share.get(key)
    if not value:
        return None
    if not isinstance(value, str):
        raise Fault(400, f"Invalid input for field {key}: a text is expected.")
    return value


def _snapshot_id(share: dict[str, Json]) -> str | None:
    """The snapshot to copy; an empty text, or an empty list, is the id of one that is not there."""
    value = share.get("snapshot_id")
    if value is None or isinstance(value, str):
        return value
    if value == []:
        return "[]"
    raise Fault(400, "Invalid input for field snapshot_id: a text is expected.")


def _key_ref(share: dict[str, Json]) -> str | None:
    """The encryption key; an empty text is none, and shown as it was sent."""
    return "" if share.get("encryption_key_ref") == "" else _text(share, "encryption_key_ref")


def _mount_point_name(share: dict[str, Json]) -> str | None:
    """Whatever was sent, as text: whether the share type takes one at all is looked at before how it is written."""
    value = share.get("mount_point_name")
    return None if value is None else str(value)


def _hints(share: dict[str, Json], version: int) -> dict[str, str]:
    given = share.get("scheduler_hints") if version >= SCHEDULER_HINTS else None
    if not given:
        return {}
    if not isinstance(given, dict):
        raise Fault(400, "Invalid input for field scheduler_hints: an object is expected.")
    hints = {name: given[name] for name in HINTS if given.get(name) is not None}
    if version < ONLY_HOST_HINT or not hints.get("only_host"):
        hints.pop("only_host", None)
    for name, value in hints.items():
        if value == []:
            hints[name] = ""  # as an empty text, it names a share that is not there: no pool will do
        elif not isinstance(value, str):
            raise Fault(400, f"Invalid input for field scheduler_hints: {name} must be a text.")
    return hints


def read(ctx: Context, body: Json, version: int) -> Wish:
    """Read a request body.

    Raises:
        Fault: 422 without an object ``share`` (400 for a list before 2.31), 400 when a field has the wrong type.
        ManilaError: 400 or 403; see the functions above.
    """
    share = body.get("share") if isinstance(body, dict) else None
    if isinstance(share, list) and version < SHARE_GROUPS:
        raise Fault(400)
    if not isinstance(share, dict):
        raise Fault(422)
    is_public = public_flag(ctx, share["is_public"], "share:create_public_share") if "is_public" in share else False
    name, description = _named(share, "name"), _named(share, "description")
    if "size" not in share and not share.get("snapshot_id"):
        raise Fault(400, "Invalid input received: size is missing.")
    if not isinstance(share.get("share_proto"), str):
        raise Fault(400, "Invalid input received: share_proto is missing or no text.")
    if version >= SHARE_GROUPS and share.get("share_group_id") == "":
        raise Fault(400, "Invalid input for field share_group_id: it is empty.")
    share_type = share.get("share_type", share.get("volume_type"))
    if share_type and not isinstance(share_type, str):
        raise Fault(400, "Invalid share type: the share type's name parameter was badly formatted.")
    return Wish(
        size=share.get("size"),
        proto=share["share_proto"].upper(),
        name=name,
        description=description,
        is_public=is_public,
        zone=_text(share, "availability_zone"),
        group_id=_text(share, "share_group_id") if version >= SHARE_GROUPS else None,
        snapshot_id=_snapshot_id(share),
        network_id=_text(share, "share_network_id"),
        share_type=share_type,
        both_types="share_type" in share and "volume_type" in share,
        mount_point_name=_mount_point_name(share) if version >= MOUNT_POINT_NAMES else None,
        key_ref=_key_ref(share) if version >= ENCRYPTION_KEYS else None,
        metadata=share.get("metadata") or {},
        hints=_hints(share, version),
    )


def checked_metadata(wish: Wish) -> dict[str, str]:
    """The wish's metadata with legal items; raises as ``services.literals.items_of_new``."""
    return items_of_new(wish.metadata)
