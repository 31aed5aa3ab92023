"""The share server of a new share group: one that exists already, or a new one; as ``worker.servers`` for shares."""

from __future__ import annotations

from db import share_groups, share_servers, subnets, uses
from db.connection import Row
from generated.errors import ShareNetworkSubnetNotFound
from worker.operation import Retry, Work
from worker.servers import WAIT, new_server, require_usable


async def choose(work: Work, group: Row, snapshot: Row | None, zone_id: str | None) -> None:
    """Put a group on a share server of its network, a new row if none fits.

    Args:
        group, snapshot: as drivers get them (``db.group_rows``); ``snapshot`` is the one that the group is a copy of.

    Raises:
        Retry: another operation is making the server.
        ShareNetworkSubnetNotFound: the network has no subnet for the zone.
    """
    async with work.write() as conn:
        await uses.hold(conn, "share_networks", [group["share_network_id"]])
        on = await subnets.in_zone(conn, group["share_network_id"], zone_id, fall_back=True)
        if not on:
            raise ShareNetworkSubnetNotFound(share_network_subnet_id=None)
        await share_servers.lock_subnet(conn, on[0]["id"])
        found = await share_servers.on_subnet(conn, work.on_backend.host, on[0]["id"], ("active", "creating"))
        fitting = [one for one in found if _within_limits(work, one)]
        chosen = await work.driver.choose_share_server_compatible_with_share_group(fitting, group, snapshot)
        if chosen is not None and chosen["status"] == "creating":
            raise Retry(f"share server {chosen['id']} is being made", WAIT)
        if chosen is None:
            chosen = await share_servers.create(conn, new_server(work), [one["id"] for one in on])
        else:
            await require_usable(conn, chosen["id"])
        await share_groups.change(conn, group["id"], {"share_server_id": chosen["id"]}, ("creating",))


def _within_limits(work: Work, server: Row) -> bool:
    """Whether the back end's limits of shares and GiB per server hold; an empty group adds nothing."""
    options = work.driver.options
    if 0 < options.max_shares_per_share_server < server["shares"]:
        return False
    return not 0 < options.max_share_server_size < server["gigabytes"]
