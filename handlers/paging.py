"""Lists in pages, as the original reads ``limit``, ``offset`` and ``marker``, and its links to the next page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from generated.errors import InvalidInput
from generated.runtime import Fault, Row, View
from handlers.call import Call, Reply
from handlers.long import Long, Rest
from services.values import LARGEST_INT, naive_utc

T = TypeVar("T")


def _integer(call: Call, name: str, default: int) -> int:
    text = call.query.get(name)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise Fault(400, f"{name} param must be an integer") from None


def _positive(name: str, value: int) -> int:
    if value < 0:
        raise Fault(400, f"{name} param must be positive")
    return value


def page(call: Call, items: Sequence[T]) -> Sequence[T]:
    """The part of ``items`` that ``limit`` and ``offset`` ask for. Raises Fault 400 for what is no number."""
    largest = call.core.settings.default.osapi_max_limit
    offset, limit = _integer(call, "offset", 0), _integer(call, "limit", largest)
    limit = min(_positive("limit", limit) or largest, largest)
    offset = _positive("offset", offset)
    return items[offset : offset + limit]


def after_marker(call: Call, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows after the one whose id is ``marker``; all, when there is no such row or no marker."""
    marker = call.query.get("marker")
    places = [place for place, row in enumerate(rows) if row["id"] == marker] if marker else []
    return rows[places[0] + 1 :] if places else rows


def limit_and_offset(call: Call) -> tuple[int, int]:
    """Both for a query of the database; 0 is a limit of its own here. Raises Fault 400 for what is no number."""
    largest = call.core.settings.default.osapi_max_limit
    limit = min(_positive("limit", _integer(call, "limit", largest)), largest)
    text = call.query.get("offset", "0") or ""
    try:
        offset = int(text)
    except ValueError:
        raise Fault(400, "offset must be an integer") from None
    if not 0 <= offset <= LARGEST_INT:
        bound = ">= 0" if offset < 0 else f"<= {LARGEST_INT}"
        raise Fault(400, f"offset must be {bound}")
    return limit, offset


def next_links(
    call: Call, collection: str, rows: Sequence[Row], unread: Collection[str] = (), *, number: int | None = None
) -> list[Row]:
    """The link to the page after ``rows``: there is one when the page is as long as ``limit``.

    Args:
        number: of the page's rows, of which ``rows`` may then be the last alone.
        unread: parameters that the version does not have; the link leaves them out.

    Raises:
        Fault: 400, the limit is no number; an empty list does not ask.
    """
    if not rows:
        return []
    try:
        limit = int(call.query.get("limit") or "0")
    except ValueError:
        raise Fault(400, "limit param must be an integer") from None
    if limit != (len(rows) if number is None else number):
        return []
    pairs = [(key, value) for key, value in call.query.pairs() if key != "marker" and key not in unread]
    text = "&".join(f"{key}={value}" for key, value in [*pairs, ("marker", str(rows[-1]["id"]))])
    return [{"rel": "next", "href": f"{call.see.here}/{collection}?{text}"}]


def listed(
    call: Call,
    key: str,
    shown: Sequence[Row],
    rows: Sequence[Row],
    *,
    collection: str | None = None,
    links: str | None = None,
    count: int | None = None,
    unread: Collection[str] = (),
) -> Reply:
    """The answer with a page of a list.

    Args:
        key: of the list in the body; ``links`` of the link to the next page (default: ``KEY_links``).
        shown: what is shown of ``rows``, which have the ``id`` that the link needs.
        collection: in the link's path, default ``key`` with hyphens.
        count: how many there are in all, if that was asked for.
        unread: as for ``next_links``.
    """
    body: Row = {key: shown}
    if count is not None:
        body["count"] = count
    if found := next_links(call, collection or key.replace("_", "-"), rows, unread):
        body[links or f"{key}_links"] = found
    return Reply(body)


def long(
    call: Call,
    key: str,
    view: View,
    rows: Sequence[Row],
    rest: Rest,
    limit: int | None,
    *,
    collection: str | None = None,
    links: str | None = None,
    count: int | None = None,
    unread: Collection[str] = (),
) -> Reply:
    """As ``listed``, of a list that goes on behind its first ``rows``: it is sent while it is read."""
    name = collection or key.replace("_", "-")
    next_links(call, name, rows, unread)  # what it refuses is refused before anything is sent
    see = call.see

    def end(number: int, last: Row) -> Row:
        found = next_links(call, name, [{"id": last["id"]}], unread, number=number)
        return {links or f"{key}_links": found} if found else {}

    body: Row = {key: Long(rows, rest, limit, lambda row: view(row, see), end)}
    return Reply(body if count is None else {**body, "count": count})


def sorting(call: Call) -> tuple[str, bool]:
    """The sort key and whether the order descends. Raises InvalidInput for an unknown direction."""
    key = call.query.get("sort_key") or "created_at"
    direction = call.query.get("sort_dir") or "desc"
    if direction.lower() not in ("asc", "desc"):
        raise InvalidInput(
            reason=f"Wrong sorting data provided: sort key is '{key}' and sort direction is '{direction}'."
        )
    return key, direction.lower() == "desc"


def naive_time(name: str, text: str) -> str:
    """A time of the query as the database keeps times: UTC without a zone. Raises Fault 400 for what is none."""
    try:
        return naive_utc(text).isoformat()
    except ValueError:
        raise Fault(400, f"Invalid value specified for the query key: {name}") from None
