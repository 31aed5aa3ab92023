"""A share has several instances while it is replicated or moved: which of them speaks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from db.connection import Row
from generated.enums import Transitional

_FIRST = ("reverting", "replication_change", "migrating", "server_migrating", "available", "error")
_LAST = tuple(Transitional)
_RULES = {"active": 0, "syncing": 1, "error": 2}


def speaker(instances: Sequence[Row]) -> Row | None:
    """The instance that stands for the share: by status, and the active replica before the others; None if none."""
    ranked = sorted(instances, key=lambda one: _rank(one["status"]))
    if ranked and ranked[0]["status"] != "replication_change":
        ranked = [one for one in ranked if one["replica_state"] == "active"] or ranked
    return ranked[0] if ranked else None


def _rank(status: str) -> int:
    if status in _FIRST:
        return _FIRST.index(status)
    return len(_FIRST) + (1 + _LAST.index(status) if status in _LAST else 0)


def rules_status(statuses: Iterable[str]) -> str:
    """``access_rules_status`` of a share: the worst of its instances'."""
    return max(statuses, key=lambda one: _RULES.get(one, 0), default="active")
