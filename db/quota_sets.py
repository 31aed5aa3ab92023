"""Rows of limits: of projects, of users and share types in them, and of quota classes."""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import insert, soft_delete, update

DEFAULT_CLASS = "default"
LEVELS = ("class", "project", "user", "share_type")

_LIMITS = """
    SELECT 'class' AS level, resource, hard_limit FROM quota_classes
    WHERE class_name = %(class)s AND deleted = 0
    UNION ALL
    SELECT 'project', resource, hard_limit FROM quotas
    WHERE project_id = %(project)s AND deleted = 0
    UNION ALL
    SELECT 'user', resource, hard_limit FROM project_user_quotas
    WHERE project_id = %(project)s AND user_id = %(user)s AND deleted = 0
    UNION ALL
    SELECT 'share_type', resource, hard_limit FROM project_share_type_quotas
    WHERE project_id = %(project)s AND share_type_id = %(type)s AND deleted = 0
"""


async def limits(
    conn: Conn, project_id: str, user_id: str | None = None, share_type_id: str | None = None
) -> dict[str, dict[str, int]]:
    """Level (see ``LEVELS``) -> resource -> limit; ``class`` is the default class."""
    params = {"class": DEFAULT_CLASS, "project": project_id, "user": user_id, "type": share_type_id}
    found: dict[str, dict[str, int]] = {level: {} for level in LEVELS}
    for row in await conn.all(_LIMITS, params):
        found[row["level"]][row["resource"]] = row["hard_limit"]
    return found


async def class_limits(conn: Conn, name: str) -> dict[str, int]:
    """Resource -> limit that a quota class sets."""
    rows = await conn.all(
        "SELECT resource, hard_limit FROM quota_classes WHERE class_name = %s AND deleted = 0", (name,)
    )
    return {row["resource"]: row["hard_limit"] for row in rows}


async def user_sums(conn: Conn, project_id: str) -> dict[str, int]:
    """Resource -> sum of the limits set for users of a project."""
    rows = await conn.all(
        """
        SELECT resource, sum(hard_limit)::bigint AS total FROM project_user_quotas
        WHERE project_id = %s AND deleted = 0 GROUP BY resource
        """,
        (project_id,),
    )
    return {row["resource"]: int(row["total"]) for row in rows}


async def set_limits(
    conn: Conn,
    project_id: str,
    values: Mapping[str, int],
    user_id: str | None = None,
    share_type_id: str | None = None,
) -> None:
    """Set limits of a project, or of a user or share type in it. Call it with the project's quota lock held."""
    table, key = _of(project_id, user_id, share_type_id)
    for resource, limit in values.items():
        where = {**key, "resource": resource}
        if not await update(conn, table, where, {"hard_limit": limit}):
            await insert(conn, table, {**where, "hard_limit": limit})


async def forget(conn: Conn, project_id: str, user_id: str | None = None, share_type_id: str | None = None) -> None:
    """Remove the limits of a user or share type in a project, or of the project and its users.

    Usage stays: what is in use does not change with a limit.
    """
    table, key = _of(project_id, user_id, share_type_id)
    await soft_delete(conn, table, key)
    if table == "quotas":
        await soft_delete(conn, "project_user_quotas", key)


async def forget_share_type(conn: Conn, share_type_id: str) -> None:
    """Remove every trace of a share type that is gone: limits, usage and reservations in all projects."""
    for table in ("project_share_type_quotas", "reservations", "quota_usages"):
        await soft_delete(conn, table, {"share_type_id": share_type_id})


async def set_class_limits(conn: Conn, name: str, values: Mapping[str, int]) -> None:
    """Set limits of a quota class."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 17))", (name,))
    for resource, limit in values.items():
        where = {"class_name": name, "resource": resource}
        if not await update(conn, "quota_classes", where, {"hard_limit": limit}):
            await insert(conn, "quota_classes", {**where, "hard_limit": limit})


def _of(project_id: str, user_id: str | None, share_type_id: str | None) -> tuple[str, Row]:
    """The table of a level, and the columns that select its rows."""
    if user_id is not None:
        return "project_user_quotas", {"project_id": project_id, "user_id": user_id}
    if share_type_id is not None:
        return "project_share_type_quotas", {"project_id": project_id, "share_type_id": share_type_id}
    return "quotas", {"project_id": project_id}
