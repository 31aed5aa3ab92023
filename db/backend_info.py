"""What a back end said of itself when its shares were last exported anew: a hash, in the original's table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from db.connection import Conn
from db.write import NOW


def hash_of(info: Mapping[str, Any]) -> str | None:
    """The hash as the original makes it, so that an adopted database is understood; None of nothing."""
    if not info:
        return None
    return hashlib.sha1(str(sorted(info.items())).encode(), usedforsecurity=False).hexdigest()


async def known(conn: Conn, host: str) -> str | None:
    """The hash that is kept for a back end's host."""
    row = await conn.one("SELECT info_hash FROM backend_info WHERE host = %s AND deleted = 0", (host,))
    return None if row is None else row["info_hash"]


async def keep(conn: Conn, host: str, info_hash: str) -> None:
    """Keep a hash for a back end's host."""
    await conn.run(
        f"""
        INSERT INTO backend_info AS b (host, info_hash, deleted, created_at) VALUES (%s, %s, 0, {NOW})
        ON CONFLICT (host) DO UPDATE SET info_hash = excluded.info_hash, deleted = 0, deleted_at = NULL,
                                         updated_at = {NOW}
        """,
        (host, info_hash),
    )
