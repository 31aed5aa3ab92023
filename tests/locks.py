"""Which rows a transaction waits for, in which order: read from the statements it sends, against ``db.order``.

A new row that refers to one that ``db.uses.take`` may lock waits for that (``FOR KEY SHARE`` of the foreign key), as if
it had been asked for; other parents are never locked so that their children would wait.
Nobody waits for rows that a statement takes with ``SKIP LOCKED``, nor for a root that the transaction has made itself.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import psycopg

from db.connection import Conn, Database, Params, Row
from db.order import ORDER, PARTS

_WRITE = re.compile(r"\b(?:UPDATE|DELETE FROM)\s+(?:ONLY\s+)?([a-z_]+)\b")
_ADVISORY = re.compile(r"pg_advisory_xact_lock\((?:hashtextextended\(%s, (\d+)\)|%s)\)")
_FROM = re.compile(r"\bFROM ([a-z_]+)")
_FOR = re.compile(r"\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b(?: OF (?P<alias>[a-z]+))?(?P<skip> SKIP LOCKED)?")
_INSERT = re.compile(r"\bINSERT INTO ([a-z_]+)")
_REFERENCE = re.compile(r"(?:[a-z]_)?([a-z_]+?)(?:_\d+)?")
REFERENCES = {
    "share_network_id": "share_networks",
    "security_service_id": "security_services",
    "share_type_id": "share_types",
    "qos_type_id": "qos_types",
    "share_group_type_id": "share_group_types",
}
"""Column -> the table that it refers to, of those whose rows ``db.uses.take`` locks."""
_PARTS = {part for parts in PARTS.values() for part in parts}


def taken(sql: str) -> list[str]:
    """What a statement may wait for: table names, and advisory locks as ``lock N``."""
    text = re.sub(r"--[^\n]*", "", sql)
    text = " ".join(text.split())
    found = [f"lock {number or 'placement'}" for number in _ADVISORY.findall(text)]
    if locking := _FOR.search(text):
        if locking.group("skip"):
            return found
        alias = locking.group("alias")
        named = re.findall(rf"\b(?:FROM|JOIN) ([a-z_]+) (?:AS )?{alias}\b", text) if alias else _FROM.findall(text)
        found += named[:1]
    return found + _WRITE.findall(_FOR.sub("", text.replace("DO UPDATE SET", "")))


def referred(sql: str, params: Params) -> list[str]:
    """The tables whose rows the new rows of a statement refer to, those of ``REFERENCES``."""
    if "INSERT INTO" not in sql or not isinstance(params, Mapping):
        return []
    named = [_REFERENCE.fullmatch(key) for key, value in params.items() if value is not None]
    found = {REFERENCES.get(match[1]) for match in named if match}
    return sorted(table for table in found if table is not None)


class WatchedConn(Conn):
    """A connection that tells of statements with their parameters."""

    __slots__ = ("_tell",)

    def __init__(self, pg: psycopg.AsyncConnection[Row], tell: Callable[[str, Params], None]) -> None:
        super().__init__(pg, None)
        self._tell = tell

    async def _execute(self, sql: str, params: Params) -> psycopg.AsyncCursor[Row]:
        self._tell(sql, params)
        return await super()._execute(sql, params)


def broken(locks: Sequence[str]) -> str | None:
    """What is wrong with the order in which a transaction took locks; None when it keeps ``db.order``."""
    if len(locks) < 2:
        return None
    held: list[str] = []
    for place, name in enumerate(locks):
        if name in _PARTS:
            roots = [root for root, parts in PARTS.items() if name in parts]
            if locks[place + 1 :] and not set(roots) & set(held):
                return f"{name} without {' or '.join(roots)}, then {', '.join(locks[place + 1 :])}"
            continue
        if name not in ORDER:
            return f"{name} has no place in the order"
        if late := [one for one in held if ORDER.index(one) > ORDER.index(name)]:
            return f"{name} after {', '.join(late)}"
        held.append(name)
    return None


class Watched(Database):
    """A database that notes what is wrong with the order of locks in its transactions."""

    def __init__(self, url: str, *, size: int = 10, name: str = "manila", wait: float = 2.0) -> None:
        super().__init__(url, size=size, name=name, wait=wait)
        self.disorder: list[str] = []

    def write(self) -> Any:
        """See ``Database.write``. What tests write by themselves is not watched."""
        caller = sys._getframe(1).f_globals["__name__"]
        return super().write() if caller.startswith("tests.") else self.watched()

    @contextlib.asynccontextmanager
    async def watched(self) -> AsyncIterator[Conn]:
        """A transaction as those of the service."""
        seen: list[str] = []
        made: set[str] = set()

        def note(sql: str, params: Params) -> None:
            if self.on_statement is not None:
                self.on_statement(sql)
            made.update(_INSERT.findall(sql))
            locks = [*referred(sql, params), *taken(sql)]
            seen.extend(one for one in locks if one not in seen and not (one in PARTS and one in made))

        async with self._transaction() as pg:
            yield WatchedConn(pg, note)
        if wrong := broken(seen):
            self.disorder.append(f"{wrong}: {' > '.join(seen)}")
