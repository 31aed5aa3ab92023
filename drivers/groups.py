"""What a driver does with share groups unless it knows better: the same as for each share and each snapshot alone.

A driver that reports ``consistent_snapshot_support`` redefines the entry points of ``drivers.base`` instead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from generated.errors import InvalidShareGroup, InvalidShareInstance, ManilaException, SnapshotResourceNotFound
from generated.runtime import Row

LATER = ("available", "creating_from_snapshot")
"""Statuses that a driver may give a new copy."""


class Snapshots(Protocol):
    """The part of a driver that copies single shares."""

    async def create_snapshot(self, snapshot: Row, share_server: Row | None = None) -> Any: ...
    async def delete_snapshot(self, snapshot: Row, share_server: Row | None = None) -> None: ...
    async def create_share_from_snapshot(
        self, share: Row, snapshot: Row, share_server: Row | None = None, parent_share: Row | None = None
    ) -> Any: ...


async def take(driver: Snapshots, snap_dict: Row, share_server: Row | None) -> tuple[None, list[Row] | None]:
    """A snapshot of each member, or of none: what was taken before a failure is removed again."""
    members, taken, updates = snap_dict["share_group_snapshot_members"], list[Row](), list[Row]()
    if not members:
        return None, None
    for member in members:
        try:
            update = await driver.create_snapshot(member, share_server=share_server)
        except ManilaException:
            for one in taken:
                await driver.delete_snapshot(one, share_server=share_server)
            raise
        taken.append(member)
        if update:
            updates.append({**update, "id": member["id"]})
    return None, updates


async def remove(driver: Snapshots, snap_dict: Row, share_server: Row | None) -> tuple[None, None]:
    """Remove each member; one that is not there is removed."""
    for member in snap_dict["share_group_snapshot_members"]:
        with contextlib.suppress(SnapshotResourceNotFound):
            await driver.delete_snapshot(member, share_server=share_server)
    return None, None


async def copy(
    driver: Snapshots, group: Row, snap_dict: Row, share_server: Row | None
) -> tuple[None, list[Row] | None]:
    """Copy each member to the share of the new group that was made for it.

    Raises:
        InvalidShareGroup: a share has no member. InvalidShareInstance: the driver gave a copy no legal status.
    """
    members: Sequence[Row] = snap_dict["share_group_snapshot_members"]
    if not members:
        return None, None
    by_id = {one["id"]: one for one in members}
    updates = []
    for share in group["shares"]:
        member = by_id.get(share["source_share_group_snapshot_member_id"])
        if member is None:
            raise InvalidShareGroup(
                reason=f"Invalid data supplied for creating share group from share group snapshot {snap_dict['id']}."
            )
        answer = await driver.create_share_from_snapshot(
            share, member, share_server=share_server, parent_share=member["share"]
        )
        updates.append({"id": share["id"], **_read(answer)})
    return None, updates


def _read(answer: Any) -> Row:
    if not isinstance(answer, Mapping):
        return {"export_locations": list(answer or [])}
    if answer.get("status") not in LATER:
        raise InvalidShareInstance(reason=f"Driver returned an invalid status: {answer.get('status')}")
    return {"status": answer["status"], "export_locations": list(answer.get("export_locations") or [])}
