"""Drivers' private data in the database, so that every worker of a back end finds it."""

from __future__ import annotations

from collections.abc import Mapping

from db import private_data
from db.connection import Database


class DatabaseStorage:
    """``drivers.storage.PrivateStorage`` over the original's table."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def get(self, entity_id: str) -> dict[str, str]:
        async with self._db.read() as conn:
            return await private_data.get(conn, entity_id)

    async def put(self, entity_id: str, items: Mapping[str, str]) -> None:
        async with self._db.write() as conn:
            await private_data.put(conn, entity_id, items)

    async def remove(self, entity_id: str) -> None:
        async with self._db.write() as conn:
            await private_data.remove(conn, entity_id)
