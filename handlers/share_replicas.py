"""Share replicas: copies of a share on other back ends."""

from __future__ import annotations

from db import share_networks, uses
from db import share_replicas as table
from db.access import lock_share
from db.connection import Conn
from generated.errors import AvailabilityZoneNotFound, NotFound, ReplicationException, ShareBusyException
from generated.microversions import ONLY_HOST_HINT, REPLICA_METADATA, REPLICA_NETWORKS
from generated.runtime import Fault, Json, Row
from generated.views.share_replicas import SHARE_REPLICA, SHARE_REPLICA_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import after_marker, listed, page
from services import share_replicas as rules
from services import shares
from services.literals import items_of_new
from services.share_replicas import Wish


async def locked(call: Call, conn: Conn, replica_id: str) -> Row | None:
    """A replica that the requester sees, with its share kept from other writers; None when there is none."""
    row = await table.get(conn, replica_id, call.ctx.scope)
    if row is None:
        return None
    await lock_share(conn, row["share_id"])
    return await table.get(conn, replica_id, call.ctx.scope)


async def require_network_active(call: Call, conn: Conn, network_id: str) -> bool:
    """Whether the requester sees the network. Raises Fault 400 while it is being changed."""
    network = None if "\0" in network_id else await share_networks.get(conn, network_id, call.ctx.scope)
    if network is None:
        return False
    if network["status"] != "active":
        raise Fault(
            400,
            f"The share network {network_id} used isn't in an 'active' state. Current status is {network['status']}. "
            "The action may be retried after the share network has changed its state.",
        )
    return True


async def _list(call: Call, detail: bool) -> Reply:
    async with call.core.db.read() as conn:
        found = await table.list_all(conn, call.ctx.scope, call.query.get("share_id"))
    rows = page(call, after_marker(call, found))
    view = (SHARE_REPLICA if detail else SHARE_REPLICA_SUMMARY)[call.version]
    return listed(call, "share_replicas", await call.shown(view, rows), rows, links="share_replica_links")


async def list(call: Call) -> Reply:
    """Replicas of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Replicas of the requester's project."""
    return await _list(call, detail=True)


async def show(call: Call) -> Reply:
    """One replica."""
    async with call.core.db.read() as conn:
        row = await table.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, f"Replica {call.path['id']} not found.")
    return Reply({"share_replica": SHARE_REPLICA[call.version](row, call.see)})


async def create(call: Call) -> Reply:
    """Add a replica to a share."""
    data = call.body["share_replica"] if call.has("share_replica") else None
    if not isinstance(data, dict):
        raise Fault(422, "Body does not contain 'share_replica' information.")
    share_id = _text(data, "share_id")
    if not share_id:
        raise Fault(400, "Must provide Share ID to add replica.")
    named = data.get("share_network_id")
    async with call.core.db.write() as conn:
        await uses.hold_networks_of(conn, share_id, named if isinstance(named, str) else None)
        try:
            share = await shares.get(conn, call.ctx, share_id, lock=True, to_change=True)
        except NotFound:
            raise Fault(404, f"No share exists with ID {share_id}.") from None
        for flag, why in (("is_soft_deleted", "soft deleted"), ("encryption_key_ref", "encrypted")):
            if share[flag]:
                been = "has been" if flag == "is_soft_deleted" else "is"
                raise Fault(403, f"Replica cannot be created for share '{share_id}' since it {been} {why}.")
        wish = await _wish(call, conn, data, share)
        try:
            row = await rules.create(call.core, conn, call.ctx, share, wish)
        except (AvailabilityZoneNotFound, ReplicationException, ShareBusyException) as error:
            raise Fault(400, error.msg) from None
    return Reply({"share_replica": SHARE_REPLICA[call.version](row, call.see)})


async def _wish(call: Call, conn: Conn, data: dict[str, Json], share: Row) -> Wish:
    """What the body asks for. Raises Fault 400."""
    if data.get("share_network_id") and call.version < REPLICA_NETWORKS:
        raise Fault(
            400,
            "'share_network_id' option is not supported by this microversion. Use 2.72 or greater microversion to be "
            "able to use 'share_network_id'.",
        )
    named = _text(data, "share_network_id")
    network_id = named or share["share_network_id"]
    if network_id and not await require_network_active(call, conn, network_id):
        raise Fault(400, f"No share network exists with ID {network_id}.")
    hints = (data.get("scheduler_hints") or {}) if call.version >= ONLY_HOST_HINT else {}
    metadata = data.get("metadata") if call.version >= REPLICA_METADATA else {}
    if not isinstance(hints, dict):
        raise Fault(400, "Invalid input for field scheduler_hints: an object is expected.")
    if isinstance(metadata, dict) and any(isinstance(value, (int, float)) for value in metadata.values() if value):
        raise Fault(400)
    return Wish(_text(data, "availability_zone"), network_id, bool(named), hints, items_of_new(metadata))


def _text(data: dict[str, Json], name: str) -> str | None:
    """An id or a name; empty means none. Raises Fault 400 for what is no text."""
    value = data.get(name)
    if not value:
        return None
    if not isinstance(value, str):
        raise Fault(400, f"Invalid input for field {name}: a text is expected.")
    return value


async def delete(call: Call) -> Reply:
    """Remove a replica."""
    async with call.core.db.write() as conn:
        replica = await locked(call, conn, call.path["id"])
        if replica is None:
            raise Fault(404, f"No replica exists with ID {call.path['id']}.")
        try:
            await rules.remove(conn, call.ctx, replica)
        except ReplicationException as error:
            raise Fault(400, error.msg) from None
    return Reply()
