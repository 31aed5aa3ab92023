"""How a share or replica that has no place yet comes to its pools."""

from __future__ import annotations

from collections.abc import Sequence

from db import placement, reports
from db.connection import Conn, Row
from generated.errors import InvalidParameterValue
from scheduler.pools import pools_of
from scheduler.request import Pool
from worker.operation import Finished


async def waiting(conn: Conn, instance_id: str) -> Row:
    """The row of ``db.placement.subject`` of an instance that waits for its place.

    Raises:
        Finished: it does not wait any more. InvalidParameterValue: its share has no type.
    """
    subject = await placement.subject(conn, instance_id)
    if subject is None or subject["status"] != "creating" or subject["host"]:
        raise Finished
    if subject["extra_specs"] is None:
        raise InvalidParameterValue(err="the share has no share type")
    return subject


async def pools_in_turn(conn: Conn, down_time: float, only_host: str | None = None) -> Sequence[Pool]:
    """All pools as they are; nobody else places anything until the transaction ends.

    Args:
        only_host: the request names its pool: those of disabled services count too.
    """
    await reports.lock_placement(conn)
    return pools_of(await reports.backends(conn, down_time, disabled=bool(only_host)))
