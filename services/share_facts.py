"""What a share is to a requester: visible or not, and the state its instances add up to.

The rows are those of ``db.access.share``.
"""

from __future__ import annotations

from db.speaker import rules_status as speaker_rules
from db.speaker import speaker
from generated.errors import NotFound, PolicyNotAuthorized
from generated.runtime import Fault, Row
from services.context import Context
from services.shares import visible


def primary(share: Row) -> Row | None:
    """The instance that stands for the share; None when it has none."""
    return speaker(share["instances"])


def replicas(share: Row) -> list[Row]:
    """The share's instances that are replicas; a share of a replicated type has one, the active, from the start."""
    return [one for one in share["instances"] if one["replica_state"] is not None]


def status(share: Row) -> str | None:
    """Status of the share."""
    first = primary(share)
    return None if first is None else first["status"]


def rules_status(share: Row) -> str:
    """``access_rules_status`` of the share: the worst of its available instances."""
    available = [one for one in share["instances"] if one["status"] == "available"]
    return speaker_rules(one["access_rules_status"] for one in available)


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
