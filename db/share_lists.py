"""Lists of shares: filters, order and pages.

A share counts once however many instances it has. What is sorted by ``created_at`` is read in the order of an index,
and ends with the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row, UnusableValue
from db.keyset import Place, behind, joined, ordered
from db.shares import EXPORTS, FIELDS, JOINS, folded, get_many
from generated.columns import COLUMNS

_OF_SHARE = ("share_group_id", "snapshot_id")
_OF_INSTANCE = (
    "share_server_id", "status", "share_type_id", "host", "share_network_id", "mount_point_name", "encryption_key_ref",
    "availability_zone_id",
)  # fmt: skip
_THROUGH_INSTANCE = {"export_location_id", "export_location_path", "extra_specs"}
IN_ORDER = "s.created_at"
"""The column of the index."""
SORT_KEYS: dict[str, str] = {
    **{name: f"i.{name}" for name in COLUMNS["share_instances"]},
    **{name: f"s.{name}" for name in COLUMNS["shares"]},
}
"""Sort key -> column: a share's own columns first, then those of its instance."""


class _Where:
    """The conditions of a list. Keys of the filters are those of ``find``.

    ``scopes``: on the owner, of which a share meets one at most. ``share``, ``instance``: the others.
    """

    def __init__(self, filters: Row) -> None:
        self.params = dict(filters)
        self.scopes, self.share, self.instance = ["true"], ["s.deleted = 'False'"], ["i.deleted = 'False'"]
        self.share += [f"s.{key} = %({key})s" for key in _OF_SHARE if key in filters]
        if "is_soft_deleted" in filters:
            self.share.append("s.is_soft_deleted" if filters["is_soft_deleted"] else "NOT s.is_soft_deleted")
        self.instance += [f"i.{key} = %({key})s" for key in _OF_INSTANCE if key in filters]
        self.any = len(self.instance) == 1 and not filters.keys() & _THROUGH_INSTANCE
        if not filters.get("deferred"):
            self.instance.append("i.status NOT IN ('deferred_deleting', 'error_deferred_deleting')")
        if filters.get("project_id"):
            self.scopes = ["s.project_id = %(project_id)s"]
            if filters.get("is_public"):
                self.scopes.append("s.is_public AND s.project_id IS DISTINCT FROM %(project_id)s")
        self._texts(filters)
        self._items(filters)

    def _texts(self, filters: Row) -> None:
        for field in ("display_name", "display_description"):
            if filters.get(field):
                self.share.append(f"s.{field} = %({field})s")
            elif filters.get(f"{field}~"):
                self.params[f"like_{field}"] = self.params.pop(f"{field}~")
                self.share.append(f"s.{field} ~ %(like_{field})s")
        for key, column in (("export_location_id", "uuid"), ("export_location_path", "path")):
            if filters.get(key):
                self.instance.append(
                    "EXISTS (SELECT 1 FROM share_instance_export_locations e WHERE e.share_instance_id = i.id"
                    f" AND e.deleted = 0 AND e.{column} = %({key})s)"
                )

    def _items(self, filters: Row) -> None:
        for number, (key, value) in enumerate(self.params.pop("metadata", {}).items()):
            self.params |= {f"mk{number}": str(key), f"mv{number}": str(value)}
            self.share.append(
                f"EXISTS (SELECT 1 FROM share_metadata x WHERE x.share_id = s.id AND x.deleted = 0"
                f" AND x.key = %(mk{number})s AND x.value = %(mv{number})s)"
            )
        for number, (key, value) in enumerate(self.params.pop("extra_specs", {}).items()):
            self.params |= {f"ek{number}": str(key), f"ev{number}": str(value)}
            self.instance.append(
                f"EXISTS (SELECT 1 FROM share_type_extra_specs x WHERE x.share_type_id = i.share_type_id"
                f" AND x.deleted = 0 AND x.spec_key = %(ek{number})s AND x.spec_value = %(ev{number})s)"
            )

    def lives(self, column: str) -> str:
        """SQL: a share has such an instance.

        Where any will do, most shares have one. In the order of an index it is looked up for each share in turn, so the
        planner is not asked.
        """
        if self.any and column == IN_ORDER:
            return f"({self.instances.replace('i.*', 'true', 1)} LIMIT 1)"
        return f"EXISTS ({self.instances})"

    @property
    def own(self) -> str:
        """On the share, but not on who owns it."""
        return " AND ".join(self.share)

    @property
    def instances(self) -> str:
        """SQL: the instances of a share that count."""
        return f"SELECT i.* FROM share_instances i WHERE i.share_id = s.id AND {' AND '.join(self.instance)}"


async def expression(conn: Conn, text: str, *, literal: bool = False) -> str:
    """A regular expression as the filters take it; one that PostgreSQL does not take stands for itself, as ``literal``.

    Args:
        conn: in autocommit.
    """
    if not literal:
        try:
            await conn.one("SELECT '' ~ %s AS found", (text,))
        except UnusableValue:
            literal = True
    return f"***={text}" if literal else text


async def find(
    conn: Conn,
    filters: Row,
    *,
    sort_key: str = "created_at",
    descending: bool = True,
    limit: int | None = None,
    offset: int = 0,
    marker: str | Place | None = None,
    detail: bool = True,
    exports: bool = False,
    of: Sequence[str] | None = None,
) -> list[Row]:
    """Shares that match every filter, in order; ``v`` is the text of what a row is sorted by.

    Filters: the columns of shares and instances that the API filters by, ``project_id`` (with ``is_public``: also the
    public shares of others), ``display_name~`` and ``display_description~`` (see ``expression``),
    ``export_location_id``, ``export_location_path``, ``metadata`` and ``extra_specs`` (all items must match),
    ``deferred`` (also shares that are removed in the background). Without ``detail`` only ``id`` and ``display_name``
    are read.

    ``marker`` is the last share of the page before, by its id or its place, and makes ``offset`` meaningless. An id
    that is not there, or not to be seen, is no marker. ``of``: those of these shares, in the order of their ids here.
    """
    where, column = _Where(filters), SORT_KEYS[sort_key]
    place = marker if isinstance(marker, Place) else None
    if isinstance(marker, str) and marker:
        place = await _place(conn, filters, where, column, marker, descending=descending)
    if place is not None:
        where.params |= place.params
    columns = "s.*" if detail else "s.id, s.display_name"
    page = _page(where, column, columns, (limit, 0 if marker else offset), place, descending=descending)
    if of is not None:
        where.params["of"], descending = list(of), False
        page = f"""
            SELECT {columns}, o.v FROM unnest(%(of)s::text[]) WITH ORDINALITY o (id, v) JOIN shares s ON s.id = o.id
            WHERE {where.own} {ordered("o.v", "s.id", descending=False)}
        """
    if not detail:
        brief = f"SELECT p.id, p.display_name, p.v::text FROM ({page}) p"
        return await conn.all(f"{brief} {ordered('p.v', 'p.id', descending=descending)}", where.params)
    paths, more = (", el.paths", EXPORTS) if exports else ("", "")
    # OFFSET 0: the instances of a page are looked up by their share, never all read, whatever the planner thinks
    whole = f"""
        WITH page AS MATERIALIZED ({page})
        SELECT {FIELDS}{paths}, s.v::text FROM page s CROSS JOIN LATERAL ({where.instances} OFFSET 0) i {JOINS}{more}
        {ordered("s.v", "s.id", descending=descending)}
    """
    rows = await conn.all(whole, where.params)
    if any(row["replica_state"] for row in rows):
        places = {row["id"]: row["v"] for row in rows}
        every = await get_many(conn, places, exports=exports)
        return [{**every[id_], "v": v} for id_, v in places.items() if id_ in every]
    return await folded(rows)


async def ids(conn: Conn, filters: Row, *, sort_key: str, descending: bool, limit: int | None, marker: Place) -> str:
    """The ids of shares as ``find`` finds them, separated by blanks: of 100,000 less than 4 MB."""
    where = _Where(filters)
    page = _page(where, SORT_KEYS[sort_key], "s.id", (limit, 0), marker, descending=descending)
    row = await conn.one(f"SELECT string_agg(p.id, ' ') AS ids FROM ({page}) p", {**where.params, **marker.params})
    return (row and row["ids"]) or ""


async def _place(
    conn: Conn, filters: Row, where: _Where, column: str, marker: str, *, descending: bool
) -> Place | None:
    """Where a share stands that may be seen: it is live, and the project's own or public."""
    seen = "AND (s.project_id = %(project_id)s OR s.is_public)" if filters.get("project_id") else ""
    row = await conn.one(
        f"""
        SELECT {column} AS v FROM shares s JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'
        WHERE s.id = %(marker)s AND s.deleted = 'False' {seen} ORDER BY 1 {"DESC" if descending else "ASC"} LIMIT 1
        """,
        {"project_id": where.params.get("project_id"), "marker": marker},
    )
    return None if row is None else Place(row["v"], marker)


def _page(
    where: _Where, column: str, columns: str, limits: tuple[int | None, int], place: Place | None, *, descending: bool
) -> str:
    """SQL: ``columns`` of shares in order, and the value ``v`` that they are sorted by."""
    make = _by_share if column.startswith("s.") else _by_instance
    return make(where, column, columns, limits, place, descending=descending)


def _by_share(
    where: _Where, column: str, columns: str, limits: tuple[int | None, int], place: Place | None, *, descending: bool
) -> str:
    """SQL: a page in the order of a column of shares."""
    order = ordered(column, "s.id", descending=descending)
    ranges = [
        f"SELECT {columns}, {column} AS v FROM shares s"
        f" WHERE {where.own} AND {scope} AND {later} AND {where.lives(column)}"
        for scope in where.scopes
        for later in behind(column, "s.id", place, descending=descending)
    ]
    return joined(ranges, order, *limits)


def _by_instance(
    where: _Where, column: str, columns: str, limits: tuple[int | None, int], place: Place | None, *, descending: bool
) -> str:
    """SQL: a page in the order of a column of instances; a share stands where the first of them would."""
    direction = "DESC" if descending else "ASC"
    later = " OR ".join(f"({one})" for one in behind("f.v", "f.id", place, descending=descending))
    ids = f"""
        SELECT f.id, f.v FROM (
            SELECT s.id, (array_agg({column} ORDER BY {column} {direction}))[1] AS v
            FROM shares s JOIN share_instances i ON i.share_id = s.id AND {" AND ".join(where.instance)}
            WHERE {where.own} AND ({" OR ".join(where.scopes)}) GROUP BY s.id) f
        WHERE {later}
    """
    page = joined([ids], ordered("f.v", "f.id", descending=descending), *limits)
    return f"""
        SELECT {columns}, o.v FROM ({page}) o JOIN shares s ON s.id = o.id
        {ordered("o.v", "s.id", descending=descending)}
    """


async def count(conn: Conn, filters: Row) -> int:
    """How many shares match; see ``find``."""
    where = _Where(filters)
    row = await conn.one(
        f"SELECT count(*) AS n FROM shares s WHERE {where.own} AND ({' OR '.join(where.scopes)})"
        f" AND EXISTS ({where.instances})",
        where.params,
    )
    return int(row["n"]) if row else 0
