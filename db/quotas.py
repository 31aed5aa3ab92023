"""Quota usage: taken and given back in the transaction of the work itself, so that it can never leak.

One advisory lock per project puts its quota changes in a line; a single place to wait cannot deadlock as several usage
rows can. Usage is kept in the original's rows: one per project, user and resource, and one per project, share type and
resource. The original's two-phase reservations are not needed: what is taken here is rolled back with the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from db.connection import Conn, Row
from db.write import NOW

UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits by resource; -1 is unlimited, a resource that is absent is not limited at that level."""

    project: Mapping[str, int]
    user: Mapping[str, int]
    share_type: Mapping[str, int] = field(default_factory=dict)


class OverQuota(Exception):
    """A limit would be passed. Nothing was taken.

    ``overs`` names the resources that are over at the project or the user, or else at the share type; ``quotas`` are
    the limits of the user, or the share type, and ``usages`` what is ``in_use`` and ``reserved`` there (in the project
    where its limits are the user's). ``level`` (project, user or share_type) says who refused first.
    """

    def __init__(self, overs: list[str], quotas: dict[str, int], usages: dict[str, Row], level: str) -> None:
        super().__init__(", ".join(overs))
        self.overs = overs
        self.quotas = quotas
        self.usages = usages
        self.level = level


LARGEST = 2**31 - 1
"""What the database can count of one resource, where there is no limit."""

_USAGE = """
    SELECT resource,
           coalesce(sum(in_use) FILTER (WHERE share_type_id IS NULL), 0)::bigint AS project_in_use,
           coalesce(sum(reserved) FILTER (WHERE share_type_id IS NULL), 0)::bigint AS project_reserved,
           coalesce(sum(in_use) FILTER (WHERE user_id = %(user)s AND share_type_id IS NULL), 0)::bigint AS user_in_use,
           coalesce(sum(reserved) FILTER (WHERE user_id = %(user)s AND share_type_id IS NULL), 0)::bigint
               AS user_reserved,
           coalesce(sum(in_use) FILTER (WHERE share_type_id = %(type)s), 0)::bigint AS share_type_in_use,
           coalesce(sum(reserved) FILTER (WHERE share_type_id = %(type)s), 0)::bigint AS share_type_reserved,
           bool_or(user_id = %(user)s AND share_type_id IS NULL) AS user_row,
           bool_or(coalesce(share_type_id = %(type)s, false)) AS type_row
    FROM quota_usages
    WHERE project_id = %(project)s AND resource = ANY(%(resources)s) AND deleted = 0
    GROUP BY resource
"""

_ADD = f"""
    UPDATE quota_usages AS q SET in_use = greatest(q.in_use + d.delta, 0), updated_at = {NOW}
    FROM unnest(%(resources)s::text[], %(deltas)s::int[]) AS d(resource, delta)
    WHERE q.project_id = %(project)s AND q.resource = d.resource AND q.deleted = 0
      AND ((q.user_id = %(user)s AND q.share_type_id IS NULL) OR q.share_type_id = %(type)s)
"""

_NEW = f"""
    INSERT INTO quota_usages (project_id, user_id, share_type_id, resource, in_use, reserved, deleted, created_at)
    SELECT %(project)s, n.user_id, n.type, n.resource, greatest(n.delta, 0), 0, 0, {NOW}
    FROM unnest(%(users)s::text[], %(types)s::text[], %(resources)s::text[], %(deltas)s::int[])
         AS n(user_id, type, resource, delta)
"""


async def lock(conn: Conn, project_id: str) -> None:
    """Wait for our turn to change this project's usage; held until the transaction ends."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 7))", (project_id,))


async def reserve(
    conn: Conn,
    project_id: str,
    user_id: str,
    deltas: Mapping[str, int],
    limits: Limits | None = None,
    share_type_id: str | None = None,
) -> None:
    """Change usage by ``deltas`` (resource -> amount; sizes in GiB) within the caller's transaction.

    A negative amount gives back and is never refused. Without ``limits`` nothing is checked.

    Raises:
        OverQuota: a positive amount would pass a limit; no usage has changed.
    """
    await lock(conn, project_id)
    names = list(deltas)
    params = {"project": project_id, "user": user_id, "type": share_type_id, "resources": names}
    found = {row["resource"]: row for row in await conn.all(_USAGE, params)}
    if limits is not None:
        _check(deltas, found, limits)
    await conn.run(_ADD, {**params, "deltas": [deltas[name] for name in names]})
    fresh: list[tuple[str | None, str | None, str]] = []
    for name in names:
        row = found.get(name) or {}
        if not row.get("user_row"):
            fresh.append((user_id, None, name))
        if share_type_id is not None and not row.get("type_row"):
            fresh.append((None, share_type_id, name))
    if fresh:
        users, types, resources = (list(column) for column in zip(*fresh, strict=True))
        values = [deltas[str(name)] for name in resources]
        await conn.run(
            _NEW, {"project": project_id, "users": users, "types": types, "resources": resources, "deltas": values}
        )


def _check(deltas: Mapping[str, int], found: Mapping[str, Row], limits: Limits) -> None:
    project, user = _Level("project", limits.project, found, deltas), _Level("user", limits.user, found, deltas)
    first, share_type = {*project.overs, *user.overs}, _Level("share_type", limits.share_type, found, deltas)
    if first:
        usages = project.usages if project.quotas == user.quotas else user.usages
        raise OverQuota(sorted(first), user.quotas, usages, "project" if project.overs else "user")
    if share_type.overs:
        raise OverQuota(sorted(share_type.overs), share_type.quotas, share_type.usages, "share_type")


class _Level:
    """What one level says about ``deltas``: its limits and usage of their resources, and which it would pass."""

    def __init__(
        self, level: str, quotas: Mapping[str, int], found: Mapping[str, Row], deltas: Mapping[str, int]
    ) -> None:
        self.quotas = {name: quotas[name] for name in deltas if name in quotas}
        rows = {name: found.get(name, {}) for name in deltas}
        self.usages: dict[str, Row] = {
            name: {key: row.get(f"{level}_{key}", 0) for key in ("in_use", "reserved")} for name, row in rows.items()
        }
        self.overs = [name for name, delta in deltas.items() if delta >= 0 and self._is_over(name, delta)]

    def _is_over(self, name: str, delta: int) -> bool:
        used = sum(int(amount) for amount in self.usages[name].values())
        limit = self.quotas.get(name, UNLIMITED)
        return delta + used > (LARGEST if limit < 0 else min(limit, LARGEST))


async def usage(conn: Conn, project_id: str, user_id: str | None = None, share_type_id: str | None = None) -> Row:
    """Resource -> ``{"in_use", "reserved"}`` of a project, of one user in it, or of one share type in it."""
    level = "share_type_id IS NULL"
    if share_type_id is not None:
        level = "share_type_id = %(type)s"
    elif user_id is not None:
        level = "share_type_id IS NULL AND user_id = %(user)s"
    rows = await conn.all(
        f"""
        SELECT resource, sum(in_use)::bigint AS in_use, sum(reserved)::bigint AS reserved FROM quota_usages
        WHERE project_id = %(project)s AND deleted = 0 AND {level} GROUP BY resource
        """,
        {"project": project_id, "user": user_id, "type": share_type_id},
    )
    return {row["resource"]: {"in_use": row["in_use"], "reserved": row["reserved"]} for row in rows}
