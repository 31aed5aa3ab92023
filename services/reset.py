"""What the administrators' reset actions share."""

from __future__ import annotations

from collections.abc import Collection

from generated.runtime import Fault, Json


def wanted_status(data: Json, valid: Collection[str], name: str = "status") -> str:
    """The status that a reset asks for. Raises Fault 400 unless it is one of ``valid``."""
    if not isinstance(data, dict) or name not in data:
        raise Fault(400, f"Must specify '{name}'")
    status = data[name]
    if isinstance(status, (dict, list)):
        raise Fault(400)
    if not isinstance(status, str) or status not in valid:
        raise Fault(400, f"Invalid state. Valid states: {', '.join(sorted(valid))}.")
    return status
