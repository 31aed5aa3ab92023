"""Usage that a request took ahead of an operation: it is settled once, in the transaction that says what became of it.

The task remembers it (``services.work.base.Charged``). A row that takes it, another task that goes on with it, or its
return clears it there in the same transaction; what nobody cleared is given back when the task ends
(``worker.runner``). So it doesn't matter what an administrator does to the resource meanwhile.
"""

from __future__ import annotations

from db.connection import Conn
from services import share_quota
from worker.operation import Work


async def passed_on(work: Work, conn: Conn) -> None:
    """A row, or another task, answers for the usage from now."""
    if work.payload.get("ahead") is not None:
        await work.remember(conn, ahead=None)


async def give_back(work: Work, conn: Conn) -> None:
    """What the usage was taken for does not come."""
    taken = work.payload.get("ahead")
    if taken is not None:
        await share_quota.return_ahead(conn, taken)
        await passed_on(work, conn)


async def settle(work: Work, conn: Conn, share_id: str, size: int) -> None:
    """A share, which is locked, has ``size`` GiB now; the caller writes that afterwards."""
    await share_quota.settle(conn, share_id, size, work.payload.get("ahead"))
    await passed_on(work, conn)
