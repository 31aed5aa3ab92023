"""Limits: what a project, a user in it and a share type in it may use.

A limit that nobody set comes from the quota class ``default``, and where that has none from the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from db import quota_sets
from db.connection import Conn
from db.quotas import UNLIMITED, Limits
from generated.runtime import Row
from generated.settings import QuotaSection
from services.core import Core

RESOURCES = (
    "shares",
    "snapshots",
    "gigabytes",
    "per_share_gigabytes",
    "snapshot_gigabytes",
    "share_networks",
    "share_groups",
    "share_group_snapshots",
    "share_replicas",
    "replica_gigabytes",
    "backups",
    "backup_gigabytes",
    "encryption_keys",
)
"""Everything that has a limit; the options of the section ``quota`` have the same names."""

NOT_PER_SHARE_TYPE = ("share_networks", "share_groups", "share_group_snapshots")
"""What no share type limits, so its answers leave it out."""

MAX_LIMIT = 2**31 - 1
"""The database keeps limits as 32-bit integers."""

assert {field.name for field in fields(QuotaSection)} >= set(RESOURCES)


def configured(core: Core) -> dict[str, int]:
    """Resource -> limit of the configuration."""
    return {name: getattr(core.settings.quota, name) for name in RESOURCES}


def _over(base: Mapping[str, int], rows: Mapping[str, int]) -> dict[str, int]:
    """``base`` with the known resources of ``rows`` replaced."""
    return {name: rows.get(name, limit) for name, limit in base.items()}


async def defaults(conn: Conn, core: Core) -> dict[str, int]:
    """Resource -> limit of a project for which nothing is set."""
    return _over(configured(core), await quota_sets.class_limits(conn, quota_sets.DEFAULT_CLASS))


async def class_limits(conn: Conn, core: Core, name: str) -> dict[str, int]:
    """Resource -> limit of a quota class; what it does not set is the configuration's, whatever class it is."""
    return _over(configured(core), await quota_sets.class_limits(conn, name))


async def limits_for(
    conn: Conn, core: Core, project_id: str, user_id: str | None, share_type_id: str | None = None
) -> Limits:
    """The limits that hold for one piece of work, for ``db.quotas.reserve``; one statement.

    What is not set for a user or a share type is the project's. ``share_type`` is empty without a share type.
    """
    levels = await quota_sets.limits(conn, project_id, user_id, share_type_id)
    project = _over(_over(configured(core), levels["class"]), levels["project"])
    return Limits(
        project=project,
        user=_over(project, levels["user"]),
        share_type=_over(project, levels["share_type"]) if share_type_id is not None else {},
    )


def settable(
    limits: Limits, usage: Mapping[str, Row], user_sums: Mapping[str, int], narrower: bool
) -> dict[str, tuple[int, int]]:
    """Resource -> lowest and highest value a limit may be set to; -1 as the highest is unlimited.

    Args:
        usage: of the level whose limit is set.
        user_sums: resource -> sum of the limits of the project's users; the project's may not be below.
        narrower: the limit is for a user or a share type and stays within the project's.
    """
    used = {name: _used(usage, name) for name in RESOURCES}
    if narrower:
        return {name: (used[name], limits.project[name]) for name in RESOURCES}
    return {name: (max(user_sums.get(name, 0), used[name]), UNLIMITED) for name in RESOURCES}


def _used(usage: Mapping[str, Row], name: str) -> int:
    row = usage.get(name)
    return 0 if row is None else int(row["in_use"]) + int(row["reserved"])


def with_usage(limits: Mapping[str, int], usage: Mapping[str, Row]) -> Row:
    """Resource -> ``{"limit", "in_use", "reserved"}``."""
    nothing = {"in_use": 0, "reserved": 0}
    return {name: {"limit": limit, **usage.get(name, nothing)} for name, limit in limits.items()}
