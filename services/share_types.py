"""Share types: which one a request means, and what their extra specs may say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from db import share_create, share_types, uses
from db.connection import Conn
from generated.enums import TENANT_VISIBLE_EXTRA_SPECS
from generated.errors import InvalidExtraSpec, InvalidInput, ShareTypeNotFound, ShareTypeNotFoundByName
from generated.runtime import Fault, Row
from services.context import Context
from services.core import Core
from services.values import is_uuid_like, strict_bool

DHSS = "driver_handles_share_servers"
SNAPSHOT_SUPPORT = "snapshot_support"
AVAILABILITY_ZONES = "availability_zones"
REQUIRED = (DHSS,)
BOOLEANS = (
    SNAPSHOT_SUPPORT,
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "mount_snapshot_support",
    "mount_point_name_support",
    "snapshot_inherit_share_access_support",
)
SIZES = ("provisioning:max_share_size", "provisioning:min_share_size", "provisioning:max_share_extend_size")
TEXTS = ("provisioning:mount_point_prefix", "default_qos_type")
CHOICES = {"replication_type": ("writable", "readable", "dr"), "encryption_support": ("share", "share_server")}
INFERRED = (
    (24, SNAPSHOT_SUPPORT),
    (24, "create_share_from_snapshot_support"),
    (24, "revert_to_snapshot_support"),
    (24, "mount_snapshot_support"),
    (99, "snapshot_inherit_share_access_support"),
)
"""Extra specs that tenants are shown as False when a type has none, each since a minor version."""

_IS = re.compile(r"<is>\s*(true|false)", re.IGNORECASE)


async def default(conn: Conn, core: Core, ctx: Context) -> Row | None:
    """The configured default type; None when none is configured, it isn't there, hidden or broken."""
    name = core.settings.default.default_share_type
    row = None if name is None else await share_types.by_name(conn, name, ctx.scope)
    if row is None or not required_of(row["extra_specs"]):
        return None
    return row


async def default_qos_type(conn: Conn, share_type: Row) -> str | None:
    """Id of the QoS type that the type's extra specs name, which stays; None without one. Raises InvalidInput."""
    name = share_type["extra_specs"].get("default_qos_type")
    if not name:
        return None
    found = await share_create.qos_type_id(conn, name)
    if not await uses.hold(conn, "qos_types", [found]):
        raise InvalidInput(
            reason=f"Share type {share_type['name']} extra-specs 'default_qos_type' specified qos_type does not exist."
        )
    return found


async def find(conn: Conn, core: Core, ctx: Context, name_or_id: str | None) -> Row:
    """The type a request names, by id if it looks like one, else by name; without a name the default.

    Raises:
        ShareTypeNotFound, ShareTypeNotFoundByName: there is none, or the requester may not use it.
    """
    if not name_or_id:
        row = await default(conn, core, ctx)
        if row is None:
            raise ShareTypeNotFound("Default share type not found.")
        return row
    if is_uuid_like(name_or_id):
        row = await share_types.get(conn, name_or_id, ctx.scope)
        if row is None:
            raise ShareTypeNotFound(share_type_id=name_or_id)
        return row
    row = await share_types.by_name(conn, name_or_id, ctx.scope)
    if row is None:
        raise ShareTypeNotFoundByName(share_type_name=name_or_id)
    return row


def parse_boolean(key: str, value: object) -> bool:
    """A boolean extra spec, also in the form ``<is> True``. Raises InvalidExtraSpec."""
    text = str(value).strip()
    found = _IS.fullmatch(text)
    try:
        return strict_bool(found.group(1) if found else text)
    except ValueError:
        raise InvalidExtraSpec(reason=f"Invalid boolean extra spec {key} : {value}") from None


def required_of(specs: Mapping[str, Any]) -> Row:
    """The required extra specs of a type; empty when one is missing or invalid."""
    try:
        return check_required(specs)
    except InvalidExtraSpec:
        return {}


def check_required(specs: Mapping[str, Any]) -> Row:
    """The required extra specs. Raises InvalidExtraSpec when one is missing or invalid."""
    missing = [key for key in REQUIRED if key not in specs]
    if missing:
        raise InvalidExtraSpec(reason=f"Required extra specs '{','.join(missing)}' not specified.")
    for key in REQUIRED:
        if not valid_required(key, specs[key]):
            raise InvalidExtraSpec(reason=f"Value of required extra_spec {key} is not valid")
    return {key: specs[key] for key in REQUIRED}


def valid_required(key: str, value: object) -> bool:
    """Whether ``value`` is good for ``key``, if that is a required extra spec."""
    if key not in REQUIRED:
        return True
    try:
        strict_bool(value)
    except ValueError:
        return False
    return True


def valid_optional(key: str, value: object) -> bool:
    """Whether ``value`` is good for ``key``, if that is a well-known extra spec.

    Raises:
        InvalidExtraSpec: a boolean that is none.
        Fault: 400, a size that is none.
    """
    if key in BOOLEANS:
        parse_boolean(key, value)
        return True
    if key == AVAILABILITY_ZONES:
        return all(zone.strip() for zone in str(value).split(","))
    if key in CHOICES:
        return value in CHOICES[key]
    if key in TEXTS:
        return isinstance(value, str) and len(value) < 256
    if key in SIZES:
        _check_size_spec(value)
    return True


def _check_size_spec(value: object) -> None:
    try:
        size = int(str(value))
    except ValueError:
        raise Fault(400, "share_size must be an integer") from None
    if size < 1:
        raise Fault(400, "share_size must be >= 1")


def check_optional(specs: Mapping[str, Any]) -> None:
    """Raise InvalidExtraSpec when a well-known extra spec has a value it cannot have."""
    for key, value in specs.items():
        if not valid_optional(key, value):
            raise InvalidExtraSpec(reason=f"Value of optional extra_spec {key} is not valid.")


def sanitized(specs: Mapping[str, Any]) -> Row:
    """Extra specs with the list of zones freed of blanks and empty names."""
    out = dict(specs)
    if AVAILABILITY_ZONES in out:
        out[AVAILABILITY_ZONES] = ",".join(zone.strip() for zone in str(out[AVAILABILITY_ZONES]).split(",") if zone)
    return out


def shown_specs(specs: Mapping[str, Any], ctx: Context, minor: int) -> Row:
    """The extra specs a requester may see."""
    if ctx.is_admin:
        return dict(specs)
    shown: Row = {key: value for key, value in specs.items() if key in TENANT_VISIBLE_EXTRA_SPECS}
    for since, key in INFERRED:
        if minor >= since:
            shown.setdefault(key, False)
    return shown
