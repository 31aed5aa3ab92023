"""What a share takes from its type: capabilities, mount point prefix and metadata for the driver."""

from __future__ import annotations

import re

from generated.errors import InvalidExtraSpec, InvalidInput
from generated.runtime import Row
from services.context import Context
from services.core import Core
from services.values import strict_bool

BOOLEANS = (
    "snapshot_support",
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "mount_snapshot_support",
    "mount_point_name_support",
    "snapshot_inherit_share_access_support",
)
_IS = re.compile(r"^<is>\s*(true|false)$", re.IGNORECASE)
_MOUNT_POINT = re.compile(r"^[a-zA-Z0-9_-]{0,255}$")


def boolean_spec(key: str, value: str) -> bool:
    """A boolean extra spec, with or without ``<is>``. Raises InvalidExtraSpec (400)."""
    match = _IS.match(value.strip())
    try:
        return strict_bool(match.group(1) if match else value)
    except ValueError:
        raise InvalidExtraSpec(reason=f"Invalid boolean extra spec {key} : {value}") from None


def of_type(share_type: Row | None) -> Row:
    """The type's booleans and ``replication_type``; a share keeps them when the type changes."""
    specs = (share_type or {}).get("extra_specs") or {}
    found: Row = {key: boolean_spec(key, specs[key]) if key in specs else False for key in BOOLEANS}
    return {**found, "replication_type": specs.get("replication_type")}


def prefixed_mount_point(
    core: Core, ctx: Context, name: str | None, share_type: Row | None, attributes: Row
) -> str | None:
    """``mount_point_name`` with the type's prefix. Raises InvalidInput (400)."""
    if name is None:
        return None
    if share_type is None or not attributes["mount_point_name_support"]:
        type_id = share_type["id"] if share_type else None
        raise InvalidInput(reason=f"Setting a mount point name is not supported by the share type used: {type_id}.")
    prefix = share_type["extra_specs"].get("provisioning:mount_point_prefix")
    if prefix is None:
        prefix = core.settings.default.default_mount_point_prefix
    prefix = prefix.replace("{project_id}", str(ctx.project_id)).replace("{user_id}", str(ctx.user_id))
    if not _MOUNT_POINT.match(prefix + name):
        raise InvalidInput(f"Invalid mount_point_name: {prefix + name}")
    return f"{prefix}{name}"


def driver_metadata(core: Core, share_type: Row | None, metadata: dict[str, str]) -> dict[str, str]:
    """Metadata of a new share: scoped extra specs that the driver may set, then what the client sent."""
    keys = core.settings.default.driver_updatable_metadata
    if not keys or share_type is None:
        return dict(metadata)
    found = {}
    for spec, value in share_type["extra_specs"].items():
        scope, _, key = spec.partition(":")
        if key in keys and ":" not in key and scope.lower() != "provisioning":
            found[key] = value
    return {**found, **metadata}
