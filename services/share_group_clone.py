"""The shares of a group that is made from a snapshot of another: one for each member, on the member's back end."""

from __future__ import annotations

from db import share_changes, share_create, share_group_snapshots
from db.connection import Conn
from generated.errors import InvalidShareType, ShareInstanceNotFound, ShareTypeNotFound
from generated.runtime import Row
from services import share_quota
from services.context import Context
from services.core import Core
from services.share_attributes import driver_metadata, of_type
from services.shares import check_size_of_type


async def shares(core: Core, conn: Conn, ctx: Context, group: Row, snapshot_id: str) -> None:
    """Write the shares of a new group and take their quota; the group's own work makes them on the back end.

    Raises:
        ManilaError: 404, a member's share or type is gone; 413, quota.
    """
    for member in await share_group_snapshots.members(conn, snapshot_id):
        if member["share_id"] is None or member["instance_deleted"]:
            raise ShareInstanceNotFound(share_instance_id=member["share_instance_id"])
        await _share(core, conn, ctx, group, member)


async def _share(core: Core, conn: Conn, ctx: Context, group: Row, member: Row) -> None:
    type_id = member["share_type_id"]
    if type_id is None:
        raise InvalidShareType(reason="id cannot be None")
    share_type = await share_changes.share_type(conn, type_id)
    if share_type is None:
        raise ShareTypeNotFound(share_type_id=type_id)
    check_size_of_type(share_type, member["size"], "create")
    project, user = str(ctx.project_id), str(ctx.user_id)
    limits = await share_quota.limits(core, conn, project, user, type_id)
    share_quota.check_share_size(limits, member["size"])
    attributes = of_type(share_type)
    deltas = {"shares": 1, "gigabytes": member["size"]}
    if attributes["replication_type"]:
        deltas |= {"share_replicas": 1, "replica_gigabytes": member["size"]}
    await share_quota.take(conn, project, user, type_id, deltas, limits)
    share = {
        "user_id": user, "project_id": project, "size": member["size"], "share_proto": member["share_proto"],
        "is_public": False, "share_group_id": group["id"], "source_share_group_snapshot_member_id": member["id"],
        **{name: value for name, value in attributes.items() if name != "mount_point_name_support"},
    }  # fmt: skip
    instance = {
        "status": "creating", "host": member["host"], "share_network_id": member["share_network_id"],
        "share_server_id": member["share_server_id"], "availability_zone_id": group["availability_zone_id"],
        "share_type_id": type_id, "access_rules_status": "active", "cast_rules_to_readonly": False,
    }  # fmt: skip
    await share_create.insert(conn, share, instance, driver_metadata(core, share_type, {}))
