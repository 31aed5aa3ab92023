"""Copies of the data service that run now: one a share. Any process reads how far one is, or asks it to end."""

from __future__ import annotations

from db.connection import Conn, Row


async def begin(conn: Conn, share_id: str) -> None:
    """A copy of this share's data starts, perhaps once more; it is not cancelled."""
    await conn.run(
        """
        INSERT INTO openkeel_copies (share_id) VALUES (%s)
        ON CONFLICT (share_id) DO UPDATE
        SET total_progress = 0, current_file_path = NULL, current_file_progress = 0, cancelled = false,
            updated_at = clock_timestamp()
        """,
        (share_id,),
    )


async def report(conn: Conn, share_id: str, total: int, path: str | None, file: float) -> bool:
    """Note how far the copy is, in percent; whether it is still wanted."""
    row = await conn.one(
        """
        UPDATE openkeel_copies
        SET total_progress = %s, current_file_path = %s, current_file_progress = %s, updated_at = clock_timestamp()
        WHERE share_id = %s RETURNING cancelled
        """,
        (total, path, file, share_id),
    )
    return row is not None and not row["cancelled"]


async def progress(conn: Conn, share_id: str) -> Row | None:
    """``total_progress``, ``current_file_path`` and ``current_file_progress``; None when nothing is copied."""
    return await conn.one(
        "SELECT total_progress, current_file_path, current_file_progress FROM openkeel_copies WHERE share_id = %s",
        (share_id,),
    )


async def cancel(conn: Conn, share_id: str) -> bool:
    """Ask the copy to end; False when there is none."""
    return bool(await conn.run("UPDATE openkeel_copies SET cancelled = true WHERE share_id = %s", (share_id,)))


async def end(conn: Conn, share_id: str) -> None:
    """The copy is over. May be repeated."""
    await conn.run("DELETE FROM openkeel_copies WHERE share_id = %s", (share_id,))
