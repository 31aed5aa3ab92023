"""What the administrators' reset actions share."""

from __future__ import annotations

from collections.abc import Collection

from generated.runtime import Fault, Json
from services.context import Context


def wanted_status(data: Json, valid: Collection[str], name: str = "status") -> str:
    """The status that a reset asks for. Raises Fault 400 unless it is one of ``valid``."""
    return str(_wanted(data, sorted(valid), name))


def wanted_task_state(data: Json, valid: Collection[str | None]) -> str | None:
    """The task state that a reset asks for, or None for none. Raises Fault 400 unless it is one of ``valid``."""
    return _wanted(data, valid, "task_state")


def _wanted(data: Json, valid: Collection[str | None], name: str) -> str | None:
    if not isinstance(data, dict) or name not in data:
        raise Fault(400, f"Must specify '{name}'")
    status = data[name]
    if isinstance(status, (dict, list)):
        raise Fault(400)
    if (status is not None and not isinstance(status, str)) or status not in valid:
        raise Fault(400, f"Invalid state. Valid states: {', '.join(str(one) for one in valid)}.")
    return status


def within(ctx: Context, project_id: str | None) -> None:
    """A role that the operator lets reset states, and that is no administrator's, reaches its own project only.

    Raises:
        Fault: 404, as for a thing that is not there.
    """
    if not ctx.is_admin and project_id != ctx.project_id:
        raise Fault(404)
