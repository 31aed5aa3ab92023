"""Another name for a host, a back end or a pool, on everything that stands on it."""

from __future__ import annotations

from db.connection import Conn
from db.write import NOW, live

_TABLES = (("instances", "share_instances"), ("groups", "share_groups"), ("servers", "share_servers"))


async def rename(conn: Conn, current: str, new: str) -> dict[str, int]:
    """Replace the host ``current`` (``a``, ``a@b`` or ``a@b#c``) by ``new``; the rest of a longer host stays.

    Waiting tasks of a renamed back end follow. A host that only begins with the same letters is another host.

    Returns:
        How many ``instances``, ``groups`` and ``servers`` there were.
    """
    params = {"current": current, "new": new}
    counts = {}
    for name, table in _TABLES:
        counts[name] = await conn.run(
            f"""
            UPDATE {table} AS t SET host = %(new)s::text || substr(t.host, length(%(current)s::text) + 1),
                   updated_at = {NOW}
            WHERE {_on("t.host")} AND {live("t", table)}
            """,
            params,
        )
    await conn.run(
        f"""
        UPDATE openkeel_tasks AS t SET queue = split_part(
            %(new)s::text || substr(t.queue, length(%(current)s::text) + 1), '#', 1)
        WHERE t.state = 'queued' AND t.queue <> 'scheduler' AND {_on("t.queue")}
        """,
        params,
    )
    return counts


def _on(column: str) -> str:
    """The host is ``current``, or ``current`` with a back end or pool."""
    following = f"substr({column}, length(%(current)s::text) + 1, 1)"
    return f"starts_with({column}, %(current)s::text) AND {following} IN ('', '@', '#')"
