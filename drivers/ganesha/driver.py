"""The Ganesha driver: a gateway inside each tenant network, a file system per share behind it.

A share is exported as ``<address of the share server>:/<share instance id>``; this path never changes while the share
lives. The driver keeps no state of its own between calls and may run in several workers at once.
"""

from __future__ import annotations

import datetime
import ipaddress
import json
import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

from drivers import room
from drivers.base import (
    WITHOUT_SNAPSHOTS,
    ExportLocation,
    RuleUpdate,
    ShareStatus,
    ShareUpdate,
    SnapshotUpdate,
    Stats,
)
from drivers.client_counts import Seen
from drivers.ganesha.managing import gateway_of
from drivers.ganesha.options import GaneshaOptions, look
from drivers.ganesha.ports import Address, Backups, Export, Exports, Gateways, Overseer, Owner, Server, Volumes, Watched
from drivers.ganesha.rules import Client, plan
from drivers.ganesha.swapping import COPYING, Swapping
from drivers.reconciling import Findings, Orphan, ReadRows
from generated.errors import ShareBackendException, ShareResourceNotFound
from generated.runtime import ManilaError, Row

log = logging.getLogger(__name__)


class GaneshaDriver(Swapping):
    """Drives gateways, volumes and exports through their ports; ``drivers.ganesha.embedded`` has them for one machine.

    Shrinking is not possible (XFS) and answers NotImplementedError. Reverting a share takes its export away for a
    moment: clients get NFS4ERR_STALE meanwhile and lose their locks.
    """

    restore_to_target_support: ClassVar[bool] = True
    tells_clients: ClassVar[bool] = True

    def __init__(
        self,
        options: GaneshaOptions,
        gateways: Gateways,
        volumes: Volumes,
        exports: Exports,
        backups: Backups | None = None,
        overseer: Overseer | None = None,
        watched: Watched | None = None,
    ) -> None:
        super().__init__(options)
        self._watched = watched
        self._overseer = overseer
        self._kept = backups
        self._ganesha = options
        self._gateways = gateways
        self._volumes = volumes
        self._exports = exports

    # ---- life cycle

    async def do_setup(self) -> None:
        """Make the storage ready and bring every gateway back that should run; a broken one stops no other.

        Where an overseer looks, what is not as it should be becomes tasks instead: a start does not wait for gateways
        whose node is lost.

        Raises:
            ShareBackendException: the storage is not usable, the back end is configured without share servers, or an
                option of new shares cannot be read.
        """
        if not self.driver_handles_share_servers:
            raise ShareBackendException(msg="the Ganesha driver needs driver_handles_share_servers = True")
        # an option that cannot be read would end every new share in error
        look(self._ganesha, {})
        await self._gateways.check()
        if self._overseer is not None:
            await self._overseer.begin(self.private_storage)
        await self._volumes.setup()
        if why := await self._volumes.unproven():
            log.warning("neither reverts to snapshots nor shares from them are offered: %s", why)
        for server in () if self._overseer is not None else await self._gateways.known():
            try:
                await self._revive(server)
            except ManilaError:
                log.exception("share server %s does not come up", server.id)

    async def get_backend_info(self) -> dict[str, Any]:
        """Options whose change asks for new exports."""
        return self._ganesha.watched()

    async def clients_seen(self) -> Sequence[Seen]:
        """See the contract. On Kubernetes the node agents tell it."""
        return await self._watched.clients_seen() if self._watched is not None else ()

    async def ensure_shares(self, shares: Sequence[Row]) -> Mapping[str, ShareUpdate]:
        """Mount and export again; a share whose volume is gone is in error, one that fails otherwise is left out."""
        updates: dict[str, ShareUpdate] = {}
        for share in shares:
            try:
                updates[share["id"]] = await self._ensure(share, share.get("share_server"))
            except ShareResourceNotFound:
                log.error("volume of share %s is gone", share["id"])
                updates[share["id"]] = {"status": "error"}
            except ManilaError:
                log.exception("share %s does not come up", share["id"])
        return updates

    async def _ensure(self, share: Row, share_server: Row | None) -> ShareUpdate:
        if share_server is not None and not await self._volumes.bring(share["id"], gateway_of(share_server)):
            log.info("the gateway of share %s does not serve yet; what it lacks then is found", share["id"])
            return {}
        server = await self._started(share_server)
        rules = share.get("access_rules")
        export = await self._serve(server, share, None if rules is None else plan(rules).clients)
        # no status: whatever the share's operation is waiting for, it goes on
        return {"export_locations": _locations(server, export), "reapply_access_rules": False}

    async def _serve(self, server: Server, share: Row, clients: tuple[Client, ...] | None) -> Export:
        """Export a share whose volume is there; one that was never exported, or is not any more, as its type says.

        Args:
            clients: None: they stay as they are.

        Raises:
            ShareResourceNotFound: its volume is gone, or its export went meanwhile.
        """
        known = await self._exports.find(server.id, share["id"])
        path = await self._volumes.attach(share["id"], server.id)
        export = known or Export(share["id"], path, look(self._ganesha, _extra_specs(share)).squash)
        wanted = replace(export, path=path, read_only=False, clients=export.clients if clients is None else clients)
        await self._exports.publish(server.id, wanted)
        return wanted

    async def _revive(self, server: Server) -> None:
        """Mount before Ganesha starts, so that it never sees an unmounted volume; then publish what it lacks."""
        await self._gateways.renew(server)
        exports = []
        for name in await self._exports.names(server.id):
            export = await self._exports.find(server.id, name)
            try:
                path = await self._attached(export, name, server.id)
            except ManilaError:
                log.exception("volume of share %s does not mount", name)
            else:
                exports.extend([replace(export, path=path)] if export else [])
        await self._gateways.start(server)
        for export in exports:
            await self._exports.publish(server.id, export)

    async def _attached(self, export: Export | None, name: str, server_id: str) -> str:
        """Mount what an export shows: a share's volume, or the view of a snapshot."""
        if export is not None and export.read_only:
            return await self._volumes.attach_snapshot(name, server_id)
        return await self._volumes.attach(name, server_id)

    async def _update_share_stats(self, data: Stats | None = None) -> None:
        """Besides, as this is called at regular times: start gateways that were killed with their supervisor."""
        try:
            await self._gateways.heal()
        except ManilaError:
            log.exception("a gateway does not come back")
        rooms = await self._volumes.rooms()
        options, proven = self._ganesha, not await self._volumes.unproven()
        if tuple(rooms) == ("",):
            told: Stats = room.told(options, rooms[""])
        else:
            told = {"pools": room.pools(options, rooms)}
        await super()._update_share_stats(
            {
                "vendor_name": "OpenKeel",
                "storage_protocol": "NFS",
                **told,
                "revert_to_snapshot_support": proven,
                "mount_snapshot_support": True,
                "share_server_multiple_subnet_support": self._ganesha.many_ports,
            }
            | ({} if proven else {"create_share_from_snapshot_support": False})
            | ({} if self._ganesha.takes_snapshots else WITHOUT_SNAPSHOTS)
            | (data or {})
        )

    async def get_pool(self, share: Row) -> str | None:
        return await self._volumes.pool(share["id"])

    def get_configured_ip_versions(self) -> Collection[int]:
        """Gateways serve both families."""
        return (4, 6)

    # ---- shares

    async def create_share(self, share: Row, share_server: Row | None = None) -> list[ExportLocation]:
        """An empty file system, exported to nobody yet."""
        appearance = look(self._ganesha, _extra_specs(share))
        _check_protocol(share)
        server = await self._started(share_server)
        await self._volumes.create(share["id"], share["size"], room.pool_of(share), _owner(share, server))
        path = await self._volumes.attach(share["id"], server.id)
        export = await self._exports.find(server.id, share["id"])
        if export is None:
            # once it is published the root folder is the tenant's
            await self._volumes.prepare(share["id"], appearance.uid, appearance.gid, appearance.mode)
            export = Export(share["id"], path, appearance.squash)
        await self._exports.publish(server.id, export)
        return _locations(server, export)

    async def create_share_from_snapshot(
        self, share: Row, snapshot: Row, share_server: Row | None = None, parent_share: Row | None = None
    ) -> list[ExportLocation] | ShareStatus:
        """A file system with the snapshot's data, root folder included, grown to the share's size.

        It is not shown before its data is proven whole; what takes longer than a call may wait is gone on with by
        ``get_share_status``.
        """
        look(self._ganesha, _extra_specs(share))
        _check_protocol(share)
        server = await self._started(share_server)
        pool, owner = room.pool_of(share), _owner(share, server)
        await self._volumes.create_from_snapshot(share["id"], snapshot["id"], share["size"], pool, owner)
        if not await self._volumes.filled(share["id"], server.id):
            return {"status": COPYING}
        return await self._shown_copy(share, server)

    async def _shown_copy(self, share: Row, server: Server) -> list[ExportLocation]:
        """Export a share whose copy is whole."""
        appearance = look(self._ganesha, _extra_specs(share))
        path = await self._volumes.attach(share["id"], server.id)
        await self._volumes.extend(share["id"], share["size"])
        export = await self._exports.find(server.id, share["id"]) or Export(share["id"], path, appearance.squash)
        await self._exports.publish(server.id, export)
        return _locations(server, export)

    async def delete_share(self, share: Row, share_server: Row | None = None) -> None:
        """Access first, then the export, the mount, the data. A gateway for which there is no room need not come up."""
        gateway = None if share_server is None else await self._gateways.find(gateway_of(share_server))
        rests = gateway is not None and await self._gateways.rests(gateway.id)
        if gateway is not None and not rests:
            server = await self._started(share_server)
            await self._exports.withdraw(server.id, share["id"])
        await self._volumes.detach(share["id"])
        if gateway is not None and rests:
            # nobody was served; what else admits the share's clients follows
            await self._exports.withdraw(gateway.id, share["id"])
        await self._volumes.delete(share["id"])

    async def extend_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Grow in place; clients see it in their next statfs."""
        server = await self._started(share_server)
        await self._volumes.attach(share["id"], server.id)
        await self._volumes.extend(share["id"], new_size)

    async def update_share_usage_size(self, shares: Sequence[Row]) -> list[Row]:
        """Used sizes in GiB, as a client's ``df`` shows them; a share that is not mounted now is left out."""
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        used = {share["id"]: await self._volumes.used(share["id"]) for share in shares}
        return [
            {"id": name, "used_size": round(size, 3), "gathered_at": now}
            for name, size in used.items()
            if size is not None
        ]

    async def update_access(
        self,
        share: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        update_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """Publish the whole list; it holds for open files too. Only ``ip`` rules can be enforced."""
        planned = plan(access_rules)
        if not access_rules and (share_server is None or not await self._gateways.find(gateway_of(share_server))):
            return planned.results
        server = await self._started(share_server)
        if not planned.clients and await self._exports.find(server.id, share["id"]) is None:
            return planned.results
        try:
            await self._serve(server, share, planned.clients)
        except ShareResourceNotFound:
            # somebody has removed the export meanwhile: it comes back from the volume, if that is there
            await self._serve(server, share, planned.clients)
        return planned.results

    # ---- snapshots

    async def create_snapshot(self, snapshot: Row, share_server: Row | None = None) -> SnapshotUpdate | None:
        """Share the blocks of the volume as it is at one moment."""
        server = await self._started(share_server)
        name = snapshot["share_instance_id"]
        await self._volumes.attach(name, server.id)
        await self._volumes.snapshot(name, snapshot["id"])
        locations = _locations(server, Export(snapshot["id"], "", "", read_only=True))
        return {"provider_location": snapshot["id"], "export_locations": locations}

    async def delete_snapshot(self, snapshot: Row, share_server: Row | None = None) -> None:
        """Shares made from it keep their data."""
        if share_server is not None and await self._gateways.find(gateway_of(share_server)):
            await self._hide_snapshot(await self._started(share_server), snapshot)
        await self._volumes.delete_snapshot(snapshot["id"])

    async def snapshot_update_access(
        self,
        snapshot: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """Show a view of the snapshot to the rules' clients, for reading; without clients there is no view."""
        planned = plan([{**rule, "access_level": "ro"} for rule in access_rules])
        if not planned.clients and (share_server is None or not await self._gateways.find(gateway_of(share_server))):
            return planned.results
        server, name = await self._started(share_server), snapshot["id"]
        if not planned.clients:
            await self._hide_snapshot(server, snapshot)
            return planned.results
        known = await self._exports.find(server.id, snapshot["share_instance_id"])
        path = await self._volumes.attach_snapshot(name, server.id)
        squash = known.squash if known else look(self._ganesha, _extra_specs(snapshot["share"] or {})).squash
        await self._exports.publish(server.id, Export(name, path, squash, planned.clients, read_only=True))
        return planned.results

    async def _hide_snapshot(self, server: Server, snapshot: Row) -> None:
        await self._exports.withdraw(server.id, snapshot["id"])
        await self._volumes.detach_snapshot(snapshot["id"])

    # ---- comparison with the rows

    @property
    def _watching(self) -> Overseer:
        if self._overseer is None:
            raise NotImplementedError
        return self._overseer

    async def prepare_to_inspect(self) -> None:
        await self._watching.begin(self.private_storage)

    async def inspect(self, read: ReadRows) -> Findings:
        return await self._watching.inspect(read)

    def changes(self) -> AsyncIterator[str]:
        return self._watching.changes()

    async def ensure_server(self, share_server: Row) -> None:
        await self._started(share_server)

    async def ensure_snapshot(
        self, snapshot: Row, access_rules: Sequence[Row], share_server: Row | None = None
    ) -> None:
        await self._watching.revive_snapshot(snapshot["id"])
        if access_rules:
            if share_server is not None and not await self._volumes.bring(snapshot["id"], gateway_of(share_server)):
                return
            await self.snapshot_update_access(snapshot, access_rules, [], [], share_server)

    async def remove_orphan(self, orphan: Orphan) -> None:
        await self._watching.remove(orphan)

    # ---- share servers

    def get_network_allocations_number(self) -> int:
        """One port per subnet."""
        return 1

    async def setup_server(self, network_info: Sequence[Row], metadata: Row | None = None) -> dict[str, str]:
        """Start a gateway on the ports; the details say all that is needed to start it again."""
        server = _server(network_info)
        details = _details(server)
        if (identifier := await self._gateways.identifier(server)) != server.id:
            details["identifier"] = identifier
        try:
            await self._gateways.start(server)
        except Exception as error:
            failure = error if isinstance(error, ManilaError) else ShareBackendException(msg=repr(error))
            failure.detail_data["server_details"] = details
            raise failure from error
        return details

    async def teardown_server(
        self, server_details: Mapping[str, str], security_services: Sequence[Row] | None = None
    ) -> None:
        """End the gateway; details without a server's id name nothing to end."""
        if server_id := server_details.get("server_id"):
            await self._gateways.remove(server_id)

    def _shown(self, server: Server, export: Export) -> list[ExportLocation]:
        return _locations(server, export)

    def _owner(self, share: Row, server: Server) -> Owner:
        return _owner(share, server)

    async def _started(self, share_server: Row | None) -> Server:
        """The gateway of the share server, running; started again if it is not."""
        if share_server is None:
            raise ShareBackendException(msg="a share of this back end needs a share server")
        server = await self._gateways.find(gateway_of(share_server)) or _from_details(share_server)
        await self._gateways.start(server)
        return server


def _extra_specs(share: Row) -> Mapping[str, str]:
    return share.get("extra_specs") or {}


def _owner(share: Row, server: Server) -> Owner:
    return Owner(str(share.get("share_id") or ""), server.id)


def _check_protocol(share: Row) -> None:
    if str(share["share_proto"]).upper() != "NFS":
        raise ShareBackendException(msg=f"this back end serves NFS only, not {share['share_proto']}")


def _locations(server: Server, export: Export) -> list[ExportLocation]:
    hosts = [f"[{address.ip}]" if ":" in address.ip else address.ip for address in server.addresses]
    return [
        {"path": f"{host}:{export.pseudo}", "is_admin_only": False, "preferred": number == 0}
        for number, host in enumerate(hosts)
    ]


def _server(network_info: Sequence[Row]) -> Server:
    addresses = []
    for info in network_info:
        network_id = info.get("neutron_net_id") or "-".join(
            str(info[key]) for key in ("network_type", "segmentation_id") if info.get(key)
        )
        for port in info["network_allocations"]:
            network = ipaddress.ip_network(port.get("cidr") or info["cidr"], strict=False)
            gateway = ipaddress.ip_address(port["gateway"]) if port.get("gateway") else None
            addresses.append(
                Address(
                    ip=str(ipaddress.ip_address(port["ip_address"])),
                    prefix=network.prefixlen,
                    network_id=network_id or "flat",
                    mac=port.get("mac_address"),
                    gateway=str(gateway) if gateway and gateway in network else None,
                    mtu=port.get("mtu"),
                    port_id=port.get("id"),
                    subnet_id=port.get("share_network_subnet_id"),
                )
            )
    if not addresses:
        raise ShareBackendException(msg="no port was allocated for the share server")
    return Server(network_info[0]["server_id"], tuple(addresses), str(network_info[0].get("project_id") or ""))


def _details(server: Server) -> dict[str, str]:
    return {
        "server_id": server.id,
        "addresses": json.dumps([asdict(address) for address in server.addresses], separators=(",", ":")),
        **({"project_id": server.project} if server.project else {}),
    }


def _from_details(share_server: Row) -> Server:
    details = share_server.get("backend_details") or {}
    if "addresses" not in details:
        raise ShareBackendException(msg=f"share server {share_server['id']} was never set up")
    addresses = tuple(Address(**address) for address in json.loads(details["addresses"]))
    place = str(details.get("identifier", "")).rpartition("/")[0]
    return Server(gateway_of(share_server), addresses, details.get("project_id", ""), place)
