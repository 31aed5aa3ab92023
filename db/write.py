"""Plain writes by table name: insert, update and the original's soft delete.

A live row has ``deleted`` = 'False' (text) or 0 (integer); a deleted one carries its own id there (contract: database).
Table and column names are checked against the contract, values always travel as parameters.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from db.connection import Conn, Row
from generated.columns import COLUMNS, ID_KIND, SOFT_DELETE

NOW = "timezone('utc', clock_timestamp())"


def live(alias: str, table: str) -> str:
    """The condition that a row of ``table``, known in the query as ``alias``, is not deleted."""
    return f"{alias}.deleted = 'False'" if SOFT_DELETE[table] == "string" else f"{alias}.deleted = 0"


def new_id() -> str:
    """A fresh id, in the original's form."""
    return str(uuid.uuid4())


def columns(alias: str, table: str, prefix: str = "") -> str:
    """The columns of ``table`` for a select list, each renamed with ``prefix``."""
    if not prefix:
        return ", ".join(f"{alias}.{name}" for name in COLUMNS[table])
    return ", ".join(f"{alias}.{name} AS {prefix}{name}" for name in COLUMNS[table])


def _quoted(names: Iterable[str]) -> str:
    """A list of columns; quoted, since ``user`` and ``binary`` are words of SQL."""
    return ", ".join(f'"{name}"' for name in names)


def _known(table: str, values: Row) -> None:
    unknown = values.keys() - set(COLUMNS[table])
    if unknown:
        raise KeyError(f"{table} has no column {', '.join(sorted(unknown))}")


def _condition(table: str, where: Row) -> tuple[str, Row]:
    """Equality on each given column (a list or tuple means "one of"), among live rows."""
    _known(table, where)
    parts, params = [], {}
    for name, value in where.items():
        if isinstance(value, (list, tuple)):
            parts.append(f"t.{name} = ANY(%(w_{name})s)")
            value = list(value)
        elif value is None:
            parts.append(f"t.{name} IS NULL")
            continue
        else:
            parts.append(f"t.{name} = %(w_{name})s")
        params[f"w_{name}"] = value
    if table in SOFT_DELETE:
        parts.append(live("t", table))
    return " AND ".join(parts), params


def _completed(table: str, values: Row) -> Row:
    row = dict(values)
    if ID_KIND[table] == "string" and "id" in COLUMNS[table] and "id" not in row:
        row["id"] = new_id()
    if table in SOFT_DELETE and "deleted" not in row:
        row["deleted"] = "False" if SOFT_DELETE[table] == "string" else 0
    _known(table, row)
    return row


async def insert(conn: Conn, table: str, values: Row) -> Row:
    """Insert one row and return it whole. ``id``, ``created_at`` and ``deleted`` are filled in."""
    return (await insert_many(conn, table, [values]))[0]


async def insert_many(conn: Conn, table: str, rows: list[Row]) -> list[Row]:
    """Insert rows of the same keys in one statement and return them in no particular order."""
    if not rows:
        return []
    full = [_completed(table, row) for row in rows]
    names = list(full[0])
    stamp = "created_at" in COLUMNS[table] and "created_at" not in names
    head = _quoted([*names, "created_at"] if stamp else names)
    tuples, params = [], {}
    for index, row in enumerate(full):
        places = [f"%({name}_{index})s" for name in names]
        params.update({f"{name}_{index}": row[name] for name in names})
        tuples.append(f"({', '.join([*places, NOW] if stamp else places)})")
    sql = f"INSERT INTO {table} ({head}) VALUES {', '.join(tuples)} RETURNING {_quoted(COLUMNS[table])}"
    return await conn.all(sql, params)


async def update(conn: Conn, table: str, where: Row, values: Row) -> int:
    """Change live rows; ``updated_at`` is set. Returns how many rows matched."""
    _known(table, values)
    condition, params = _condition(table, where)
    changes = [f'"{name}" = %(v_{name})s' for name in values]
    if "updated_at" in COLUMNS[table] and "updated_at" not in values:
        changes.append(f"updated_at = {NOW}")
    params |= {f"v_{name}": value for name, value in values.items()}
    return await conn.run(f"UPDATE {table} AS t SET {', '.join(changes)} WHERE {condition}", params)


async def soft_delete(conn: Conn, table: str, where: Row) -> int:
    """Mark live rows deleted, as the original does. Returns how many there were."""
    condition, params = _condition(table, where)
    key = "id" if "id" in COLUMNS[table] else None
    if SOFT_DELETE[table] == "string":
        mark = f"t.{key}::text" if key else "'True'"
    else:
        mark = f"t.{key}" if key and ID_KIND[table] != "string" else "1"
    return await conn.run(f"UPDATE {table} AS t SET deleted = {mark}, deleted_at = {NOW} WHERE {condition}", params)


async def lock(conn: Conn, table: str, ident: str) -> None:
    """Keep other writers of a row waiting until the transaction ends; nothing if there is no such row.

    What is read with it must be read by a later statement: a statement sees what was committed when it began, so one
    that waits for the lock itself shows the rows of other tables as they were before the wait.
    """
    if "\0" not in ident:
        await conn.run(f"SELECT 1 FROM {table} WHERE id = %s FOR NO KEY UPDATE", (ident,))


async def hold_share(conn: Conn, instance_id: str) -> None:
    """As ``lock``, for the share of an instance: who changes several of its rows begins with it (``db.order``)."""
    await conn.run(
        "SELECT 1 FROM shares WHERE id = (SELECT share_id FROM share_instances WHERE id = %s) FOR NO KEY UPDATE",
        (instance_id,),
    )


async def hold_snapshot(conn: Conn, instance_id: str) -> None:
    """As ``lock``, for the snapshot of a snapshot instance."""
    await conn.run(
        """
        SELECT 1 FROM share_snapshots WHERE id = (SELECT snapshot_id FROM share_snapshot_instances WHERE id = %s)
        FOR NO KEY UPDATE
        """,
        (instance_id,),
    )


async def delete(conn: Conn, table: str, where: Row) -> int:
    """Really remove rows; only for tables that keep no history."""
    condition, params = _condition(table, where)
    return await conn.run(f"DELETE FROM {table} AS t WHERE {condition}", params)
