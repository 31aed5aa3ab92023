"""The rows of a page as ranges of an index, so that a statement ends after a page whatever is stored.

An order is that of one column, then of the id, both in one direction; NULL is the largest value, as PostgreSQL has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.connection import Row


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: its value in the column of the order, as text or as it is read, and its id."""

    value: Any
    id: str

    @property
    def params(self) -> Row:
        """What the conditions of ``behind`` refer to."""
        return {"place_value": self.value, "place_id": self.id}


def ordered(column: str, ident: str, *, descending: bool) -> str:
    """SQL: the order."""
    direction = "DESC" if descending else "ASC"
    return f"ORDER BY {column} {direction}, {ident} {direction}"


def behind(column: str, ident: str, place: Place | None, *, descending: bool) -> list[str]:
    """SQL: conditions on the rows behind a place (None: all rows). Each is one range of an index, no row meets two."""
    if place is None:
        return ["true"]
    ahead = "<" if descending else ">"
    if place.value is None:
        same = f"{column} IS NULL AND {ident} {ahead} %(place_id)s"
        return [same, f"{column} IS NOT NULL"] if descending else [same]
    later = f"({column}, {ident}) {ahead} (%(place_value)s, %(place_id)s)"
    return [later] if descending else [later, f"{column} IS NULL"]


def joined(ranges: Sequence[str], order: str, limit: int | None, offset: int = 0, *, by: str = "v") -> str:
    """SQL: a page of queries that share no row.

    Args:
        ranges: the queries, without order.
        order: of each of them.
        by: their column of the page's order, in the same direction; equal ones are ordered by their column ``id``.
    """
    limits = "" if limit is None else f" LIMIT {int(limit)}"
    limits += f" OFFSET {int(offset)}" if offset else ""
    if len(ranges) == 1:
        return f"{ranges[0]} {order}{limits}"
    most = "" if limit is None else f" LIMIT {int(limit) + int(offset)}"
    parts = " UNION ALL ".join(f"({one} {order}{most})" for one in ranges)
    return f"SELECT * FROM ({parts}) u {ordered(by, 'id', descending=' DESC,' in order)}{limits}"
