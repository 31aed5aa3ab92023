"""Share backups, as far as they are read."""

from __future__ import annotations

from db import pages, zones
from db.connection import Conn, Row
from generated.columns import COLUMNS

BACKUPS = "share_backups"
SORT_KEYS = COLUMNS[BACKUPS]


async def list_page(conn: Conn, page: pages.Page, project_id: str | None) -> list[Row]:
    """A page of the backups of a project, or of all, with the names of their zones."""
    found = await pages.rows(conn, BACKUPS, page, project_id)
    names = await zones.names(conn) if found else {}
    return [{**row, "availability_zone": names.get(row["availability_zone_id"])} for row in found]
