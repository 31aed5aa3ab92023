"""The bodies of requests that take over what exists on a back end, read as far as it can be without the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generated.microversions import (
    MANAGED_SERVERS,
    MOUNT_POINTS_OF_MANAGED_SHARES,
    PUBLIC_MANAGED_SHARES,
    SNAPSHOT_METADATA,
    SUBNETS,
)
from generated.runtime import Fault, Json
from services.share_request import stored_text

LONGEST_NAME = 255
LONGEST_PATH = 2000


@dataclass(slots=True)
class ShareWish:
    """A share to take over. ``host`` names the pool.

    ``name``, ``description`` and ``is_public`` (False when it was not) are as sent, the texts of any length: whether
    they can be kept is looked at last (``kept``), where the original's database refuses them.
    """

    path: str
    host: str
    proto: str
    share_type: Any = None
    name: Json = None
    description: Json = None
    is_public: Json = False
    server_id: str | None = None
    mount_point_name: str | None = None
    driver_options: Json = field(default_factory=dict)


@dataclass(slots=True)
class SnapshotWish:
    """A snapshot to take over; ``metadata`` is unchecked, ``name`` and ``description`` are as sent.

    A number or boolean there is kept as its text (``stored_text``), but shown once as it was sent.
    """

    share_id: str
    location: str
    name: Json = None
    description: Json = None
    metadata: Json = None
    driver_options: Json = field(default_factory=dict)


def _sent(data: Mapping[str, Json], short: str) -> Json:
    """``display_name`` counts before ``name`` here, and so for the description."""
    return data.get(f"display_{short}", data.get(short))


def text(data: Mapping[str, Json], name: str, longest: int) -> str:
    """A text that must be there and fit its column. Raises Fault 400."""
    value = data[name]
    if not isinstance(value, str) or len(value) > longest or "\0" in value:
        raise Fault(400, f"{name} must be a text of at most {longest} characters.")
    return value


def looked_up(data: Mapping[str, Json], name: str) -> str:
    """What is looked up, an id or a host: any text will do, since one too long is found nowhere. Raises Fault 400."""
    value = data[name]
    if not isinstance(value, str) or "\0" in value:
        raise Fault(400, f"{name} must be a text.")
    return value


def _required(data: Mapping[str, Json], names: Sequence[str], *, status: int, end: str = "") -> None:
    for name in names:
        if name not in data:
            raise Fault(status, f"Required parameter {name} not found{end}")
        if not data[name]:
            raise Fault(status, f"Required parameter {name} is empty{end}")


def read_share(body: Json, version: int) -> ShareWish:
    """Read ``POST /shares/manage``.

    Raises:
        Fault: 422 for what is missing, 400 for a value of another type.
    """
    if version < MOUNT_POINTS_OF_MANAGED_SHARES:
        _require_object(body, "share")
    data = body.get("share") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise Fault(422, "Share entity not found in request body")
    _required(data, ("export_path", "service_host", "protocol"), status=422)
    path = data["export_path"]
    if isinstance(path, dict):
        if "path" not in path:
            raise Fault(422, "Export path must be a string, or a dictionary with a 'path' item")
        path = path["path"]
    host = looked_up(data, "service_host")
    if not host.partition("#")[2]:
        raise Fault(400, "service_host parameter should contain pool.")
    return ShareWish(
        path=looked_up({"export_path": path}, "export_path"),
        host=host,
        proto=looked_up(data, "protocol").upper(),
        share_type=data.get("share_type"),
        name=_sent(data, "name"),
        description=_sent(data, "description"),
        is_public=data.get("is_public", False) if version >= PUBLIC_MANAGED_SHARES else False,
        server_id=_server_id(data) if version >= MANAGED_SERVERS else None,
        mount_point_name=_mount_point(data) if version >= MOUNT_POINTS_OF_MANAGED_SHARES else None,
        driver_options=data.get("driver_options", {}),
    )


def kept(wish: ShareWish) -> dict[str, str | None]:
    """Columns of the new share from what was sent. Raises Fault, InvalidInput: 400, a text does not fit its column."""
    text({"export_path": wish.path}, "export_path", LONGEST_PATH)
    return {
        "display_name": stored_text(wish.name, "name"),
        "display_description": stored_text(wish.description, "description"),
        "share_proto": text({"protocol": wish.proto}, "protocol", LONGEST_NAME),
    }


def _require_object(body: Json, key: str) -> None:
    """Older versions look into the object at once. Raises Fault 400."""
    if not isinstance(body, dict) or not isinstance(body.get(key, {}), dict):
        raise Fault(400)


def _server_id(data: Mapping[str, Json]) -> str | None:
    return looked_up(data, "share_server_id") if data.get("share_server_id") else None


def _mount_point(data: Mapping[str, Json]) -> str | None:
    value = data.get("mount_point_name")
    return None if value is None else stored_text(value, "mount_point_name")


def read_snapshot(body: Json, version: int) -> SnapshotWish:
    """Read ``POST /snapshots/manage``; errors as ``read_share``."""
    data = body.get("snapshot") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise Fault(422, "Snapshot entity not found in request body.")
    for name in ("share_id", "provider_location"):
        _required(data, (name,), status=422, end=".")
        if not isinstance(data[name], str):
            raise Fault(422, f"Parameter {name} must be a string.")
    return SnapshotWish(
        share_id=data["share_id"],
        location=looked_up(data, "provider_location"),
        name=_sent(data, "name"),
        description=_sent(data, "description"),
        metadata=data.get("metadata") if version >= SNAPSHOT_METADATA else None,
        driver_options=data.get("driver_options", {}),
    )


def read_server(body: Json, version: int) -> dict[str, Any]:
    """Read ``POST /share-servers/manage``: ``host``, ``share_network_id``, ``identifier``, ``share_network_subnet_id``.

    ``host``, ``identifier`` and ``driver_options`` are as sent: they are looked at after the network. Raises Fault 422
    without a body's object, 400 for the rest.
    """
    if version < SUBNETS:
        _require_object(body, "share_server")
    data = body.get("share_server") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise Fault(422, "Share Server entity not found in request body")
    _required(data, ("host", "share_network_id", "identifier"), status=400)
    found: dict[str, Any] = {name: data[name] for name in ("host", "identifier")}
    found["share_network_id"] = looked_up(data, "share_network_id")
    subnet = data.get("share_network_subnet_id") if version >= SUBNETS else None
    found["share_network_subnet_id"] = looked_up(data, "share_network_subnet_id") if subnet else None
    found["driver_options"] = data.get("driver_options")
    return found
