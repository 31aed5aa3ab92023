"""Share replicas: what there is; they are made by operations to come."""

from __future__ import annotations

from db import share_replicas
from generated.runtime import Fault, Row
from generated.views.share_replicas import SHARE_REPLICA, SHARE_REPLICA_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import next_links, page


def _project(call: Call) -> str | None:
    return call.ctx.scope


async def _list(call: Call, detail: bool) -> Reply:
    async with call.core.db.read() as conn:
        found = await share_replicas.list_all(conn, _project(call), call.query.get("share_id"))
    rows = page(call, found)
    view = (SHARE_REPLICA if detail else SHARE_REPLICA_SUMMARY)[call.version]
    body: Row = {"share_replicas": [view(row, call.see) for row in rows]}
    links = next_links(call, "share-replicas", rows)
    if links:
        body["share_replica_links"] = links
    return Reply(body)


async def list(call: Call) -> Reply:
    """Replicas of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Replicas of the requester's project."""
    return await _list(call, detail=True)


async def show(call: Call) -> Reply:
    """One replica."""
    async with call.core.db.read() as conn:
        row = await share_replicas.get(conn, call.path["id"], _project(call))
    if row is None:
        raise Fault(404, f"Replica {call.path['id']} not found.")
    return Reply({"share_replica": SHARE_REPLICA[call.version](row, call.see)})
