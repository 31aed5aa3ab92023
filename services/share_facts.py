"""What a share is to a requester: visible or not, and the state its instances add up to.

The rows are those of ``db.access.share``.
"""

from __future__ import annotations

from generated.enums import Transitional
from generated.errors import NotFound, PolicyNotAuthorized
from generated.runtime import Fault, Row
from services.context import Context
from services.shares import visible

_FIRST = ("reverting", "replication_change", "migrating", "server_migrating", "available", "error")
TRANSITIONAL = tuple(Transitional)
_RULES_STATUS = {"active": 0, "syncing": 1, "error": 2}


def primary(share: Row) -> Row | None:
    """The instance that stands for the share; None when it has none."""

    def rank(instance: Row) -> int:
        status = instance["status"]
        if status in _FIRST:
            return _FIRST.index(status)
        return len(_FIRST) + 1 + TRANSITIONAL.index(status) if status in TRANSITIONAL else len(_FIRST)

    ordered = sorted(share["instances"], key=rank)
    if not ordered:
        return None
    if ordered[0]["status"] != "replication_change":
        ordered = [one for one in ordered if one["replica_state"] == "active"] or ordered
    first: Row = ordered[0]
    return first


def status(share: Row) -> str | None:
    """Status of the share."""
    first = primary(share)
    return None if first is None else first["status"]


def rules_status(share: Row) -> str:
    """``access_rules_status`` of the share: the worst of its available instances."""
    found = [one["access_rules_status"] for one in share["instances"] if one["status"] == "available"]
    return max(found, key=lambda one: _RULES_STATUS.get(one, 0), default="active")


def require_visible(ctx: Context, share: Row | None, *, to_change: bool = False) -> Row:
    """The share with its ``status``, if the requester may know of it; errors as ``services.shares.visible``."""
    if share is None:
        raise NotFound
    return visible(ctx, {**share, "status": status(share)}, to_change=to_change)


def require_owner(ctx: Context, share: Row | None) -> Row:
    """The share, for what even a public share shows to its owners only. Raises NotFound."""
    try:
        return require_visible(ctx, share, to_change=True)
    except PolicyNotAuthorized:
        raise NotFound from None


def require_network_active(share: Row) -> None:
    """Raise Fault 400 while the share's network is being changed."""
    first = primary(share)
    if first is None or first["share_network_id"] is None or first["share_network_status"] == "active":
        return
    raise Fault(
        400,
        f"The share network {first['share_network_id']} used isn't in an 'active' state. Current status is "
        f"{first['share_network_status']}. The action may be retried after the share network has changed its state.",
    )
