"""The bodies of ``POST`` and ``PUT`` of share groups and group snapshots, checked in the original's order."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from db import share_group_types, share_types, zones
from db.connection import Conn
from generated.runtime import Fault, Json, Row
from services.core import Core
from services.share_request import stored_text
from services.share_types import required_of
from services.values import is_uuid_like

FIELDS = (
    "name", "description", "share_types", "share_group_type_id", "source_share_group_snapshot_id", "share_network_id",
    "availability_zone",
)  # fmt: skip
TEXTS = ("name", "description")
_SOURCE = "source_share_group_snapshot_id"


@dataclass(slots=True)
class Wish:
    """What a client asks for: a new group, of share types or from a snapshot of another (``source_id``)."""

    group_type_id: str
    type_ids: list[str]
    shown: Row
    """``name`` and ``description`` as they came, those given: the answer to a number is the number."""
    source_id: str | None = None
    network_id: str | None = None
    zone: Row | None = field(default=None)


def content(body: Json, key: str) -> dict[str, Json]:
    """The object under ``key``. Raises Fault 400."""
    given = body.get(key) if isinstance(body, dict) else None
    if not isinstance(given, dict):
        raise Fault(400, f"'{key}' is missing from the request body.")
    return given


def check_fields(given: Collection[str], allowed: Collection[str], end: str) -> None:
    """Raise Fault 400 that names the fields outside ``allowed``."""
    wrong = sorted(set(given) - set(allowed))
    if wrong:
        names = ", ".join(repr(one) for one in wrong)
        raise Fault(400, f"The fields {{{names}}} are invalid{end}.")


def shown_texts(given: dict[str, Json]) -> Row:
    """``name`` and ``description`` as they came, those given."""
    return {name: given[name] for name in TEXTS if name in given}


def stored_texts(shown: Row) -> Row:
    """Texts as they are stored. Raises Fault 400, InvalidInput; the original notices last what it cannot store."""
    return {name: stored_text(value, name) for name, value in shown.items()}


def changes_of(body: Json, key: str) -> Row:
    """What a ``PUT`` changes, as it came. Raises Fault 400."""
    given = content(body, key)
    check_fields(given, TEXTS, " or not allowed to be updated")
    return shown_texts(given)


async def read(core: Core, conn: Conn, body: Json) -> Wish:
    """Read the body of ``POST /share-groups``.

    Raises:
        Fault, InvalidInput: 400; 404 for an availability zone that is not there.
    """
    given = content(body, "share_group")
    check_fields(given, FIELDS, "")
    from_source = _SOURCE in given
    if "share_types" in given and from_source:
        raise Fault(400, f"Cannot supply both 'share_types' and '{_SOURCE}' attributes.")
    type_ids = given.get("share_types") or ([] if from_source else await _default_types(core, conn))
    type_ids = _checked_types(type_ids)
    if "share_network_id" in given and from_source:
        raise Fault(
            400,
            f"Cannot supply both 'share_network_id' and '{_SOURCE}' attributes as the share network is inherited from "
            "the source.",
        )
    zone = await _zone(conn, given.get("availability_zone"), from_source)
    source = _id(given, _SOURCE) if from_source else None
    network = _id(given, "share_network_id") if not from_source and "share_network_id" in given else None
    if "share_group_type_id" in given:
        group_type = _id(given, "share_group_type_id")
    else:
        group_type = await _default_group_type(core, conn)
    return Wish(group_type, type_ids, shown_texts(given), source, network, zone)


def _id(given: dict[str, Json], key: str) -> str:
    if not is_uuid_like(given[key]):
        raise Fault(400, f"The '{key}' attribute must be a uuid.")
    return str(given[key])


def _checked_types(given: Json) -> list[str]:
    if isinstance(given, (int, float)):
        raise Fault(400)
    ids = list(given)
    if not all(is_uuid_like(one) for one in ids):
        raise Fault(400, "The 'share_types' attribute must be a list of uuids")
    return [str(one) for one in ids]


async def _default_types(core: Core, conn: Conn) -> list[str]:
    name = core.settings.default.default_share_type
    row = None if name is None else await share_types.by_name(conn, name)
    if row is None or not required_of(row["extra_specs"]):
        raise Fault(400, "Must specify at least one share type as a default share type has not been configured.")
    return [row["id"]]


async def _default_group_type(core: Core, conn: Conn) -> str:
    name = core.settings.default.default_share_group_type
    row = None if name is None else await share_group_types.by_name(conn, name)
    if row is None:
        raise Fault(400, "Must specify a share group type as a default share group type has not been configured.")
    return str(row["id"])


async def _zone(conn: Conn, given: Json, from_source: bool) -> Row | None:
    if not given:
        return None
    if from_source:
        raise Fault(
            400,
            f"Cannot supply both 'availability_zone' and '{_SOURCE}' attributes as the availability zone is inherited "
            "from the source.",
        )
    if not isinstance(given, str):
        raise Fault(400, "Invalid input for field availability_zone: a text is expected.")
    zone = await zones.find(conn, given)
    if zone is None:
        raise Fault(404, f"Availability zone {given} could not be found.")
    return zone
