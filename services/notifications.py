"""Notifications: what the service tells others about what happened, with the original's events and payloads.

They are written to an outbox in the transaction that changes the rows, and sent from there (``worker.notifier``).
Without a driver in ``[oslo_messaging_notifications]`` nothing is written.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from db import notifications
from db.connection import Conn
from db.notifications import Envelope
from generated.runtime import Row
from generated.settings import Settings
from services.context import Context

NOOP = "noop"
_SHARE = (
    *("size", "user_id", "project_id", "metadata", "snapshot_support", "create_share_from_snapshot_support"),
    *("revert_to_snapshot_support", "mount_snapshot_support", "share_proto", "share_type_id", "is_public"),
    *("share_group_id", "source_share_group_snapshot_member_id", "snapshot_id"),
)
_INSTANCE = (
    *("availability_zone_id", "share_network_id", "share_server_id", "share_id", "host", "status", "qos_type_id"),
)
_CAPABILITIES = (
    *("snapshot_support", "create_share_from_snapshot_support", "revert_to_snapshot_support"),
    *("mount_snapshot_support", "mount_point_name_support", "snapshot_inherit_share_access_support"),
)


def enabled(settings: Settings) -> bool:
    """Whether somebody may want to know: a driver other than ``noop`` is configured."""
    return any(driver != NOOP for driver in settings.oslo_messaging_notifications.driver)


def host_of(settings: Settings) -> str:
    """The host that processes without a back end publish under."""
    return settings.default.host or socket.gethostname()


def context_of(ctx: Context) -> Row:
    """What a notification says about who asked."""
    return {"request_id": ctx.request_id, "user_id": ctx.user_id, "project_id": ctx.project_id}


async def tell(
    conn: Conn,
    settings: Settings,
    service: str,
    event: str,
    payload: Row,
    *,
    priority: str = "INFO",
    context: Row | None = None,
    once: str | None = None,
) -> None:
    """Tell an event in the caller's transaction.

    Args:
        service: name of the publishing service, ``shareType`` ...
        priority: ``INFO`` or ``ERROR``.
        context: see ``context_of``.
        once: a name under which the event is told once, however often this runs.
    """
    if enabled(settings):
        envelope = Envelope(event, f"{service}.{host_of(settings)}", priority, context, once)
        await notifications.add(conn, envelope, payload)


async def tell_share(
    conn: Conn,
    settings: Settings,
    instance_id: str,
    event: str,
    *,
    host: str | None = None,
    status: str | None = None,
    extra: Row | None = None,
    context: Row | None = None,
    once: str | None = None,
) -> None:
    """Tell ``share.EVENT`` about a live share instance, as it is in the caller's transaction.

    Args:
        host: of the back end that does the work, ``node1@alpha``; None: of this service.
        status: the status that the work found the share in, when the row has another one now.
        extra: further keys of the payload.
    """
    if enabled(settings):
        envelope = Envelope(f"share.{event}", f"share.{host or host_of(settings)}", context=context, once=once)
        await notifications.add_share(conn, envelope, instance_id, status=status, extra=extra)


async def tell_unscheduled(
    conn: Conn,
    settings: Settings,
    instance_id: str,
    method: str,
    state: Row,
    reason: str,
    *,
    wanted: Mapping[str, Any] | None = None,
    context: Row | None = None,
    once: str | None = None,
) -> None:
    """Tell ``scheduler.METHOD``: no pool was found.

    Args:
        method: ``create_share``, ``extend_share``, ``manage_share`` or ``migrate_share_to_host``.
        state: columns of the share that change by it.
        reason: why, after "No valid host was found. ".
        wanted: ``snapshot_host``, ``zones``, ``several_subnets`` of a new share.
    """
    if not enabled(settings):
        return
    found = await notifications.scheduled(conn, instance_id)
    if found is None:
        return
    spec = _new_spec(found, wanted or {}) if method == "create_share" else _known_spec(found, method)
    payload = {
        "request_spec": spec,
        "share_properties": spec["share_properties"],
        "share_id": found["share_id"],
        "state": state,
        "method": method,
        "reason": f"NoValidHost('No valid host was found. {reason}')",
    }
    await tell(
        conn, settings, "scheduler", f"scheduler.{method}", payload, priority="ERROR", context=context, once=once
    )


def _new_spec(found: Row, wanted: Mapping[str, Any]) -> Row:
    """What the scheduler was asked for a new share, in the original's form."""
    share = {name: found[name] for name in _SHARE} | {
        "id": found["share_id"],
        "share_server_id": found["share_server_id"],
        "replication_type": found["replication_type"],
    }
    instance = {name: found[name] for name in _INSTANCE} | {
        "id": found["instance_id"],
        "host": found["host"] or "",
        "replica_state": found["replica_state"],
        "share_type_id": found["share_type_id"],
        "encryption_key_ref": found["encryption_key_ref"],
    }
    return {
        "share_properties": share,
        "share_instance_properties": instance,
        "share_proto": found["share_proto"],
        "share_id": found["share_id"],
        "snapshot_id": found["snapshot_id"],
        "snapshot_host": wanted.get("snapshot_host"),
        "share_type": found["share_type"],
        "share_group": None,
        "availability_zone_id": found["availability_zone_id"],
        "availability_zones": list(wanted.get("zones") or ()),
        "az_request_multiple_subnet_support_map": wanted.get("several_subnets") or None,
        "resource_properties": share | instance,
    }


def _known_spec(found: Row, method: str) -> Row:
    """What the scheduler was asked about a share that has its place already."""
    specs = (found["share_type"] or {}).get("extra_specs") or {}
    share = {name: found[name] for name in _SHARE} | {name: specs.get(name) for name in _CAPABILITIES}
    instance = {name: found[name] for name in _INSTANCE}
    spec = {
        "share_properties": share,
        "share_instance_properties": instance,
        "share_type": found["share_type"],
        "share_id": found["share_id"],
        "resource_properties": share | instance,
    }
    return {**spec, "is_share_extend": True} if method == "extend_share" else spec


def share_type(row: Row, required: Row | None = None) -> Row:
    """A share type as notifications show it; ``required``: its required extra specs, where they are shown."""
    shown = {
        "id": row["id"],
        "deleted": "False",
        "name": row["name"],
        "description": row["description"],
        "is_public": row["is_public"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": None,
        "extra_specs": row["extra_specs"],
    }
    return shown if required is None else {**shown, "required_extra_specs": required}


def qos_type(row: Row) -> Row:
    """A QoS type as notifications show it."""
    names = ("id", "deleted", "name", "description", "created_at", "updated_at", "deleted_at", "specs")
    return {name: row[name] for name in names}
