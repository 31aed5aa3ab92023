"""Remove an empty share group from its back end, then from the database."""

from __future__ import annotations

from db import driver_rows, group_rows, share_groups
from generated.columns import COLUMNS
from generated.errors import StorageResourceNotFound
from services.share_groups import forget
from services.work import ShareGroupDelete
from worker.operation import Finished, Operation, Step, Work


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed."""
    async with work.core.db.read() as conn:
        group = await group_rows.group(conn, work.job(ShareGroupDelete).group_id)
        server = None if group is None else await driver_rows.server(conn, group["share_server_id"])
    if group is None or group["status"] != "deleting":
        raise Finished
    try:
        update = await work.driver.delete_share_group(group, share_server=server)
    except StorageResourceNotFound:
        return
    values = {key: value for key, value in (update or {}).items() if key in COLUMNS["share_groups"] and key != "status"}
    if values:
        async with work.write() as conn:
            await share_groups.change(conn, group["id"], values, ("deleting",))


async def forget_rows(work: Work) -> None:
    """Remove the rows and give the quota back."""
    async with work.write() as conn:
        group = await share_groups.get(conn, work.job(ShareGroupDelete).group_id, lock=True)
        if group is not None and group["status"] == "deleting":
            await forget(conn, group["id"])


async def failed(work: Work, error: Exception) -> None:
    """Error: its owner may ask again."""
    async with work.write() as conn:
        await share_groups.change(conn, work.job(ShareGroupDelete).group_id, {"status": "error"}, ("deleting",))


OPERATION = Operation(ShareGroupDelete, (Step("remove", remove), Step("forget", forget_rows)), failed)
