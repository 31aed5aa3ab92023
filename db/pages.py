"""Pages of a table: filters, order and the place after the last row of the page before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from db.connection import Conn, Row
from db.keyset import Place, behind, joined, ordered
from db.write import live
from generated.columns import COLUMNS


@dataclass(frozen=True, slots=True)
class Page:
    """What a list asks for.

    ``sort_key`` is a column of the table, equal keys are ordered by id; ``marker`` is the id of the last row of the
    page before; one that is unknown, or not of the project, is ignored.
    """

    sort_key: str = "created_at"
    descending: bool = True
    limit: int = 1000
    offset: int = 0
    marker: str | None = None
    filters: dict[str, str] = field(default_factory=dict)
    """Column -> value, or column with ``~`` -> a part of it, in which ``_`` and ``%`` are those of LIKE.

    ``created_since`` and ``created_before`` -> time.
    """


def _filter(name: str, columns: Sequence[str], place: str) -> str:
    if name == "created_since":
        return f"t.created_at >= {place}::timestamp"
    if name == "created_before":
        return f"t.created_at <= {place}::timestamp"
    column = name.removesuffix("~")
    assert column in columns
    return f"t.{column}::text = {place}" if column == name else f"t.{column} LIKE '%%' || {place} || '%%'"


def _conditions(table: str, page: Page, project: tuple[str, str | None]) -> tuple[list[str], Row]:
    column, project_id = project
    conditions, params = [live("t", table)], Row()
    if project_id is not None:
        assert column in COLUMNS[table]
        conditions.append(f"t.{column} = %(project)s")
        params["project"] = project_id
    for index, (name, value) in enumerate(page.filters.items()):
        conditions.append(_filter(name, COLUMNS[table], f"%(f{index})s"))
        params[f"f{index}"] = value
    return conditions, params


async def rows(conn: Conn, table: str, page: Page, project_id: str | None, column: str = "project_id") -> list[Row]:
    """Live rows of a table, of one project (found in ``column``) or, with None, of all."""
    key = page.sort_key
    assert key in COLUMNS[table]
    conditions, params = _conditions(table, page, (column, project_id))
    place = None
    if page.marker is not None:
        same = "" if project_id is None else f" AND t.{column} = %(project)s"
        known = f"SELECT t.{key} AS v FROM {table} t WHERE t.id = %(marker)s{same}"
        row = await conn.one(known, {"project": project_id, "marker": page.marker})
        place = None if row is None else Place(row["v"], page.marker)
    if place is not None:
        params |= place.params
    names = ", ".join(f"t.{name}" for name in COLUMNS[table])
    ranges = [
        f"SELECT {names} FROM {table} t WHERE {' AND '.join([*conditions, later])}"
        for later in behind(f"t.{key}", "t.id", place, descending=page.descending)
    ]
    order = ordered(f"t.{key}", "t.id", descending=page.descending)
    return await conn.all(joined(ranges, order, page.limit, page.offset, by=key), params)


async def count(conn: Conn, table: str, page: Page, project_id: str | None, column: str = "project_id") -> int:
    """How many rows ``rows`` would find without limit, offset and marker."""
    conditions, params = _conditions(table, page, (column, project_id))
    row = await conn.one(f"SELECT count(*) AS n FROM {table} t WHERE {' AND '.join(conditions)}", params)
    return 0 if row is None else int(row["n"])
