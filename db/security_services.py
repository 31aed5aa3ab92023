"""Security services, and which share networks they are added to."""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import NOW, insert, live, new_id, soft_delete
from generated.columns import COLUMNS

TABLE = "security_services"
LINKS = "share_network_security_service_association"
NAMES = COLUMNS[TABLE]
_COLUMNS = ", ".join(f's."{name}"' for name in NAMES)  # "user" is a word of SQL
_VIEW = f"""
    SELECT {_COLUMNS}, 'new' AS status,
           coalesce((SELECT json_agg(n.id ORDER BY l.id)
                     FROM {LINKS} l JOIN share_networks n ON n.id = l.share_network_id
                     WHERE l.security_service_id = s.id AND {live("l", LINKS)} AND {live("n", "share_networks")}), '[]')
               AS share_networks
    FROM {TABLE} s WHERE {live("s", TABLE)}
"""


async def get(conn: Conn, service_id: str, project_id: str | None) -> Row | None:
    """A service of a project (None: of any), with the ids of its networks under ``share_networks``."""
    return await conn.one(
        f"{_VIEW} AND s.id = %(id)s AND (%(project)s::text IS NULL OR s.project_id = %(project)s)",
        {"id": service_id, "project": project_id},
    )


async def list_all(conn: Conn, project_id: str | None, network_id: str | None = None) -> list[Row]:
    """Services of a project (None: of all), of one network if given, those changed last at the end; one statement."""
    return await conn.all(
        f"""
        {_VIEW} AND (%(project)s::text IS NULL OR s.project_id = %(project)s)
          AND (%(network)s::text IS NULL OR EXISTS (
               SELECT 1 FROM {LINKS} k
               WHERE k.security_service_id = s.id AND k.share_network_id = %(network)s AND {live("k", LINKS)}))
        ORDER BY coalesce(s.updated_at, s.created_at), s.id
        """,
        {"project": project_id, "network": network_id},
    )


async def of_network(conn: Conn, network_id: str) -> list[Row]:
    """The services added to a share network, in that order."""
    return await conn.all(
        f"""
        SELECT {_COLUMNS} FROM {TABLE} s JOIN {LINKS} l ON l.security_service_id = s.id AND {live("l", LINKS)}
        WHERE l.share_network_id = %s AND {live("s", TABLE)} ORDER BY l.id
        """,
        (network_id,),
    )


def _known(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name in NAMES}


async def create(conn: Conn, values: Mapping[str, object]) -> str:
    """Insert a service; its id."""
    row = {"id": new_id(), **_known(values)}
    names = ", ".join(f'"{name}"' for name in row)
    places = ", ".join(f"%({name})s" for name in row)
    await conn.run(f"INSERT INTO {TABLE} ({names}, created_at, deleted) VALUES ({places}, {NOW}, 'False')", row)
    return str(row["id"])


async def update(conn: Conn, service_id: str, values: Mapping[str, object]) -> None:
    """Change columns of a service; nothing to change leaves ``updated_at``."""
    known = _known(values)
    if not known:
        return
    changes = "".join(f'"{name}" = %({name})s, ' for name in known)
    await conn.run(
        f"UPDATE {TABLE} SET {changes} updated_at = {NOW} WHERE id = %(w_id)s AND deleted = 'False'",
        {**known, "w_id": service_id},
    )


async def delete(conn: Conn, service_id: str) -> None:
    """Soft delete a service."""
    await soft_delete(conn, TABLE, {"id": service_id})


async def used_by_servers(conn: Conn, service_id: str) -> bool:
    """Whether a network that the service is added to has share servers."""
    row = await conn.one(
        f"""
        SELECT 1 AS yes FROM {LINKS} l
        JOIN share_network_subnets t ON t.share_network_id = l.share_network_id
             AND {live("t", "share_network_subnets")}
        JOIN share_server_share_network_subnet_mappings p ON p.share_network_subnet_id = t.id AND p.deleted = 0
        JOIN share_servers v ON v.id = p.share_server_id AND {live("v", "share_servers")}
        WHERE l.security_service_id = %s AND {live("l", LINKS)} LIMIT 1
        """,
        (service_id,),
    )
    return row is not None


async def add(conn: Conn, network_id: str, service_id: str) -> None:
    """Add a service to a network."""
    await insert(conn, LINKS, {"share_network_id": network_id, "security_service_id": service_id})


async def take_away(conn: Conn, network_id: str, service_id: str | None = None) -> int:
    """Take one service, or all, from a network; how many there were."""
    where: Row = {"share_network_id": network_id}
    if service_id is not None:
        where["security_service_id"] = service_id
    return await soft_delete(conn, LINKS, where)
