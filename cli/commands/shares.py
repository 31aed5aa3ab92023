"""``manila-manage share`` and ``share_server``: repairs of rows whose back end has another name or is gone."""

from __future__ import annotations

import argparse

from cli.commands.base import Command, Refused, argument, in_transaction
from db import host_moves, instances, share_servers
from db.connection import Conn
from generated.settings import Settings
from services import share_changes

HOST = (
    "a host is HOST@BACKEND#POOL; with the host alone, or host and back end alone, that part of the host is changed"
    " wherever it is found"
)
CAPABILITIES = ["security_service_update_support", "network_allocation_update_support"]


def update_host(settings: Settings, arguments: argparse.Namespace) -> int | None:
    """Give everything on a host another host."""
    current, new = arguments.currenthost, arguments.newhost
    missing = None
    if "@" in current and not arguments.force:
        if "#" in current and "#" not in new:
            missing = "pool"
        elif "@" not in new:
            missing = "backend"
    if missing:
        print(f"{current} specifies a {missing} but {new} does not.")
        return 1
    count = in_transaction(settings, lambda conn: host_moves.rename(conn, current, new))
    print(
        f"Updated host of {count['instances']} share instances, {count['groups']} share groups and "
        f"{count['servers']} share servers on {current} to {new}."
    )
    return None


def delete(settings: Settings, arguments: argparse.Namespace) -> None:
    """Remove a share's rows, whose back end is gone; its quota is given back."""
    share_id = arguments.share_id

    async def forget(conn: Conn) -> list[str]:
        found = await instances.of_share(conn, share_id)
        active = [one for one in found if one["replica_state"] == "active"]
        for one in [one for one in found if one["replica_state"] != "active"] + active:
            await share_changes.forget(conn, one["id"])
        if not found:
            raise Refused("Resource could not be found.")
        return [one["id"] for one in active]

    for instance_id in in_transaction(settings, forget):
        print(f"Deleted share instance {instance_id}")
    print(f"Deleted share {share_id}")


def update_capabilities(settings: Settings, arguments: argparse.Namespace) -> int | None:
    """Note what share servers support."""
    servers = [one.strip() for one in arguments.share_servers.split(",")]
    capabilities = [one.strip() for one in arguments.capabilities.split(",")]
    if any(one not in CAPABILITIES for one in capabilities):
        print(
            "One or more capabilities are invalid for this operation. The supported capability(ies) is(are) "
            f"{CAPABILITIES}."
        )
        return 1
    values = dict.fromkeys(capabilities, arguments.value)
    in_transaction(settings, lambda conn: share_servers.set_capabilities(conn, servers, values))
    print(
        f"The capability(ies) {capabilities} of the following share server(s) {servers} was(were) updated to "
        f"{arguments.value}."
    )
    return None


COMMANDS = (
    Command(
        "share", "update_host", "give everything on a host another host", update_host,
        (
            argument("--currenthost", required=True, help=f"the host now; {HOST}"),
            argument("--newhost", required=True, help="the host from now on"),
            # any text is true, as the original takes it
            argument("--force", required=False, type=bool, default=False, help="do not check the two hosts"),
        ),
    ),
    Command(
        "share", "delete", "remove a share from the database whose back end is gone", delete,
        (argument("--share_id", required=True, help="the share's id"),),
    ),
    Command(
        "share_server", "update_share_server_capabilities", "note what share servers support", update_capabilities,
        (
            argument("--share_servers", required=True, help="ids, separated by commas"),
            argument("--capabilities", required=True, help=f"of {', '.join(CAPABILITIES)}, separated by commas"),
            argument("--value", required=False, type=bool, default=False, help="any text is true; without it false"),
        ),
    ),
)  # fmt: skip
