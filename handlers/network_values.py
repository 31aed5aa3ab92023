"""What the creator of a share network may say of it besides names and Neutron ids.

Undocumented, but the original takes it and its functional suite relies on it: the time of creation, and how the
network looks. A network plug-in writes the latter anew when a share server is set up.
"""

from __future__ import annotations

from collections.abc import Mapping

from generated.runtime import Fault, Json, Row
from services.networks import check_texts
from services.values import LARGEST_INT, is_int_like, naive_utc

TEXTS = {"network_type": 32, "cidr": 64, "gateway": 64}
NUMBERS = ("segmentation_id", "ip_version", "mtu")


def given_time(values: Mapping[str, Json]) -> Row:
    """``created_at`` as a UTC time without zone, if it is given. Raises Fault 400."""
    value = values.get("created_at")
    if value is None:
        return {}
    try:
        return {"created_at": naive_utc(value)}
    except (TypeError, ValueError):
        raise Fault(400, f"created_at must be a time, not {value}.") from None


def segment(values: Mapping[str, Json]) -> Row:
    """Type, number, addresses and MTU of the network, as far as they are given. Raises Fault 400."""
    check_texts(values, TEXTS)
    found: Row = {name: values[name] for name in TEXTS if name in values}
    for name in NUMBERS:
        value = values.get(name)
        if value is None:
            continue
        if not is_int_like(value) or not 0 <= int(value) <= LARGEST_INT:
            raise Fault(400, f"{name} must be an integer.")
        found[name] = int(value)
    return found
