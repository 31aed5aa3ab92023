"""The addresses of a share server that moves, carried to the back end it goes to through Neutron's port bindings.

With ``server_migration_extend_neutron_network`` the ports that a server has are bound to the new back end's host as
well, before its driver is asked; they become active there when the migration is completed. All of it happens on the
back end that the server goes to.
"""

from __future__ import annotations

from db import migrations_of_servers as table
from db import network_allocations, share_servers, subnets
from db.connection import Conn, Row
from generated.errors import NetworkBadConfigurationException
from network.base import Allocation, BindingPlugin
from worker.operation import Work

SEGMENT = "segmentation_id"


def wanted(work: Work) -> bool:
    """Whether servers take their addresses along."""
    return work.core.settings.default.server_migration_extend_neutron_network


def plugin_of(work: Work) -> BindingPlugin:
    """The back end's plugin. Raises NetworkBadConfigurationException: it can't bind ports."""
    plugin = work.on_backend.network
    if not isinstance(plugin, BindingPlugin):
        raise NetworkBadConfigurationException(
            reason="server_migration_extend_neutron_network needs the network plugin NeutronBindNetworkPlugin"
        )
    return plugin


async def _addresses(conn: Conn, server_id: str) -> list[Allocation]:
    have = await network_allocations.of_server(conn, server_id)
    return [one for one in have if one["label"] == "user"]


async def extend(work: Work, server: Row) -> dict[str, int | None]:
    """Bind a server's ports to this back end too, and show its driver the segments they have here.

    Args:
        server: the server that moves, as drivers know it; gets ``network_allocations``.

    Returns:
        Neutron network -> segmentation id.

    Raises:
        NetworkException, NetworkBadConfigurationException: some ports may be bound; ``retract`` takes them back.
    """
    plugin = plugin_of(work)
    async with work.core.db.read() as conn:
        have = await _addresses(conn, server["id"])
        on = await subnets.of_server(conn, server["id"])
    found: dict[str, int | None] = {}
    for subnet in on:
        here = [one for one in have if one["share_network_subnet_id"] == subnet["id"]]
        found[subnet["neutron_net_id"]] = segment = await plugin.extend(here, subnet)
        for one in here:
            one[SEGMENT] = segment
    server["network_allocations"] = have
    return found


async def retract(work: Work, server_id: str) -> None:
    """The server stays where it is: its ports are bound to this back end no more. What fails is logged."""
    if not wanted(work) or not isinstance(work.on_backend.network, BindingPlugin):
        return
    async with work.core.db.read() as conn:
        have = await _addresses(conn, server_id)
    await work.on_backend.network.retract(have)


async def cut_over(work: Work, source: Row, destination_id: str) -> None:
    """The ports of the server that is left belong to the new one, active here. Raises NetworkException."""
    async with work.core.db.read() as conn:
        have = await _addresses(conn, source["id"])
    await plugin_of(work).cut_over(have, str(source["host"]).partition("@")[0], destination_id)


async def take(conn: Conn, source_id: str, destination_id: str) -> None:
    """Write what ``cut_over`` did: the addresses of the old server are the new one's, on the segments of here."""
    segments = (await table.notes(conn, source_id)).get("segments") or {}
    for subnet in await subnets.of_server(conn, source_id):
        values = {SEGMENT: segments[subnet["neutron_net_id"]]} if subnet["neutron_net_id"] in segments else {}
        await table.take_addresses(conn, source_id, destination_id, subnet["id"], values)
    for subnet in await subnets.of_server(conn, destination_id):
        if subnet["neutron_net_id"] in segments:
            await subnets.describe(conn, subnet["id"], {SEGMENT: segments[subnet["neutron_net_id"]]})


async def tell(work: Work, server: Row) -> None:
    """Show the driver that moves a server its ``network_allocations`` again, with the segments they have here."""
    if not wanted(work):
        return
    async with work.core.db.read() as conn:
        segments = (await table.notes(conn, server["id"])).get("segments") or {}
        networks = {one["id"]: one["neutron_net_id"] for one in await subnets.of_server(conn, server["id"])}
        server["network_allocations"] = have = await _addresses(conn, server["id"])
    for one in have:
        one[SEGMENT] = segments.get(networks.get(one["share_network_subnet_id"]), one[SEGMENT])


async def show(conn: Conn, source_id: str, destination_id: str) -> None:
    """The new server's details tell its driver the segment, as the original's do."""
    segments = (await table.notes(conn, source_id)).get("segments") or {}
    for segment in list(segments.values())[:1]:
        await share_servers.set_details(conn, destination_id, {SEGMENT: segment})
