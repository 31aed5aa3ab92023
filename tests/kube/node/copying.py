"""Copies and reverts as the service asks for them: begun, and asked about until the storage has made the copy."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from drivers.base import ExportLocation, ShareDriver, ShareStatus, Unfinished
from generated.runtime import Row
from tests.datapath.lab import Client, NfsError

LONGEST: Final = 240.0
PAUSE: Final = 0.5
RECOVERS: Final = 20.0
"""Seconds within which a client goes on whose line was cut."""
CUT: Final = ("NfsUncertainOutcomeError", "NfsOperationOutcomeError")


async def copied(driver: ShareDriver, share: Row, snapshot: Row, server: Row) -> str:
    """Make a share from a snapshot; where it is mounted from."""
    answer = await driver.create_share_from_snapshot(share, snapshot, server)
    if not isinstance(answer, list):
        answer = _places(await _until(driver, share, server, str(answer["status"])))
    (place,) = answer
    return place["path"]


async def reverted(driver: ShareDriver, snapshot: Row, rules: list[Row], server: Row) -> int:
    """Put a share back to a snapshot; its size in GiB."""
    answer = await driver.revert_to_snapshot(snapshot, rules, [], server)
    if not isinstance(answer, dict):
        assert isinstance(answer, int)
        return answer
    share = {**snapshot["share"], "id": snapshot["share_instance_id"]}
    return (await _until(driver, share, server, str(answer["status"])))["size"]


async def shown(driver: ShareDriver, snapshot: Row, rules: list[Row], server: Row) -> int:
    """Show a snapshot to the clients of rules; how often it was not copied yet."""
    begin, looks = time.monotonic(), 0
    while True:
        try:
            await driver.snapshot_update_access(snapshot, rules, rules, [], server)
            return looks
        except Unfinished:
            if time.monotonic() - begin > LONGEST:
                raise
            looks += 1
            await asyncio.sleep(PAUSE)


async def read(client: Client, name: str) -> str:
    """A file of a share whose volume was replaced under a mount that is ``direct``.

    The gateway cuts the line for that time, and what was asked in it (to renew a lease) ends with the connection. The
    client's library leaves it to its user to ask again, a kernel does so itself.
    """
    begin = time.monotonic()
    while True:
        try:
            return str(await client("read", name=name))
        except NfsError as error:
            if error.name not in CUT or time.monotonic() - begin > RECOVERS:
                raise
            await asyncio.sleep(PAUSE)


async def _until(driver: ShareDriver, share: Row, server: Row, status: str) -> ShareStatus:
    begin = time.monotonic()
    while time.monotonic() - begin < LONGEST:
        found = await driver.get_share_status({**share, "status": status}, server)
        if found["status"] == "available":
            return found
        assert found["status"] == status
        await asyncio.sleep(PAUSE)
    raise AssertionError(f"share {share['id']} is {status} after {LONGEST:.0f} s")


def _places(found: ShareStatus) -> list[ExportLocation]:
    return found["export_locations"]
