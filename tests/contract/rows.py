"""One of everything for a tenant, as rows: what requests about its things find in the database."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from db import heartbeats, reports
from db.connection import Conn, Database
from db.write import insert, new_id
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from services.core import Core
from services.transfers import crypt_hash
from tests.handlers.catalogue import core_over

HOST = "node1@alpha"
POOL = f"{HOST}#fake_pool_for_ALPHA"
SERVER_HOST = "node1@gamma"
NEUTRON_NET = "00000000-0000-4000-8000-00000000000a"
NEUTRON_SUBNET = "00000000-0000-4000-9000-00000000000a"
AUTH_KEY = "0123456789abcdef"
SPECS = {"snapshot_support": "True", "create_share_from_snapshot_support": "True", "revert_to_snapshot_support": "True"}
SPECS |= {"mount_snapshot_support": "True"}
ADDRESSES = itertools.count(1)


def core(db: Database) -> Core:
    """The parts of a service whose back ends, which have reported once, count as alive for a day (86400 s)."""
    return core_over(
        db,
        default_share_group_type="default_group",
        enabled_share_protocols=("NFS", "CIFS"),
        service_down_time=86400,
    )


@dataclass(slots=True)
class Common:
    """What belongs to nobody: ids of share types and the like."""

    default: str
    servers: str
    replicated: str
    group_type: str
    zone: str


async def common(conn: Conn) -> Common:
    """Types, a QoS type, a zone and two back ends that have reported."""
    types = {}
    for name, servers in (("default", "False"), ("dhss", "True"), ("repl", "False")):
        made = await insert(conn, "share_types", {"name": name, "is_public": True})
        specs = {"driver_handles_share_servers": servers, **SPECS}
        if name == "repl":
            specs["replication_type"] = "readable"
        for key, value in specs.items():
            await _spec(conn, made["id"], key, value)
        types[name] = made["id"]
    for name, servers_too in (("alpha", False), ("beta", False), ("gamma", True)):
        domain = None if servers_too else "replica_domain_1"
        options = BackendOptions(
            name, name.upper(), driver_handles_share_servers=servers_too, replication_domain=domain
        )
        host = f"node1@{name}"
        service = await heartbeats.register(conn, "manila-share", "manila-share", host, "nova")
        await heartbeats.beat(conn, service)
        await reports.save(conn, host, await DummyDriver(options).get_share_stats(refresh=True))
    zone = await conn.one("SELECT id FROM availability_zones WHERE name = 'nova'")
    assert zone is not None
    group_type = await insert(conn, "share_group_types", {"name": "default_group", "is_public": True})
    for name in ("default", "repl"):
        await insert(
            conn,
            "share_group_type_share_type_mappings",
            {"share_group_type_id": group_type["id"], "share_type_id": types[name]},
        )
    return Common(types["default"], types["dhss"], types["repl"], group_type["id"], zone["id"])


async def _spec(conn: Conn, share_type: str, key: str, value: str) -> None:
    row = {"share_type_id": share_type, "spec_key": key, "spec_value": value}
    await insert(conn, "share_type_extra_specs", row)


async def tenant(conn: Conn, shared: Common, project: str, user: str, *, public: bool = False) -> dict[str, str]:
    """Make one of everything and return the ids by kind.

    Kinds: share (with rule, location, instance, snapshot ...), network, subnet, security_service, server, a private
    type and group_type, group, group_snapshot, replica, message, lock, backup, transfer, and the project itself.
    """
    who = {"project_id": project, "user_id": user}
    ids = {"project": project, "user": user}
    await _share(conn, shared, who, ids, public)
    await _snapshot(conn, who, ids)
    await _network(conn, shared, who, ids)
    await _types(conn, shared, project, ids)
    await _replicated(conn, shared, who, ids, public)
    await _group(conn, shared, who, ids, public)
    await _papers(conn, shared, who, ids, public)
    await _moving(conn, shared, who, ids)
    return ids


async def share(
    conn: Conn, shared: Common, who: dict[str, str], share_type: str, public: bool = False, **more: Any
) -> tuple[str, str]:
    """An available share with one instance: both ids. Keys of ``more`` that start with ``i_`` are the instance's."""
    columns = {key: value for key, value in more.items() if not key.startswith("i_")}
    made = await insert(
        conn,
        "shares",
        {
            **who, "size": 1, "share_proto": "NFS", "is_public": public, "display_name": "s", "is_soft_deleted": False,
            "snapshot_support": True, "create_share_from_snapshot_support": True, "revert_to_snapshot_support": True,
            "mount_snapshot_support": True, "snapshot_inherit_share_access_support": False, **columns,
        },
    )  # fmt: skip
    instance = await insert(
        conn,
        "share_instances",
        {
            "share_id": made["id"], "host": POOL, "status": "available", "access_rules_status": "active",
            "cast_rules_to_readonly": False, "share_type_id": share_type, "availability_zone_id": shared.zone,
            **{key.removeprefix("i_"): value for key, value in more.items() if key.startswith("i_")},
        },
    )  # fmt: skip
    await insert(conn, "share_metadata", {"share_id": made["id"], "key": "color", "value": "red"})
    return made["id"], instance["id"]


async def _moving(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str]) -> None:
    """Shares that a back end moves: ``moving_share`` is under way, ``moved_share`` is through its first phase."""
    states = {"moving_share": "migration_driver_in_progress", "moved_share": "migration_driver_phase1_done"}
    for kind, state in states.items():
        ids[kind], _ = await share(conn, shared, who, shared.default, task_state=state, i_status="migrating")
        row = {
            "share_id": ids[kind], "host": "node1@beta#fake_pool_for_BETA", "status": "migrating_to",
            "access_rules_status": "active", "cast_rules_to_readonly": False, "share_type_id": shared.default,
            "availability_zone_id": shared.zone,
        }  # fmt: skip
        await insert(conn, "share_instances", row)


async def _location(conn: Conn, instance: str) -> str:
    ident = new_id()
    made = await insert(
        conn,
        "share_instance_export_locations",
        {"path": f"10.0.0.1:/{instance}", "share_instance_id": instance, "is_admin_only": False, "uuid": ident},
    )
    row = {"export_location_id": made["id"], "key": "color", "value": "red"}
    await insert(conn, "share_instance_export_locations_metadata", row)
    return ident


async def _share(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str], public: bool) -> None:
    ids["share"], ids["instance"] = await share(conn, shared, who, shared.default, public)
    ids["location"] = await _location(conn, ids["instance"])
    address = f"10.9.{next(ADDRESSES) % 250}.1"
    ids["plain_share"], _ = await share(conn, shared, who, shared.default, public, size=2)
    rule = await insert(
        conn,
        "share_access_map",
        {"share_id": ids["share"], "access_type": "ip", "access_to": address, "access_level": "rw"},
    )
    ids["rule"] = rule["id"]
    row = {"share_instance_id": ids["instance"], "access_id": rule["id"], "state": "active"}
    await insert(conn, "share_instance_access_map", row)
    await insert(conn, "share_access_rules_metadata", {"access_id": rule["id"], "key": "color", "value": "red"})


async def _snapshot(conn: Conn, who: dict[str, str], ids: dict[str, str]) -> None:
    snapshot = await insert(
        conn,
        "share_snapshots",
        {**who, "share_id": ids["share"], "size": 1, "share_size": 1, "share_proto": "NFS", "display_name": "n"},
    )
    ids["snapshot"] = snapshot["id"]
    instance = await insert(
        conn,
        "share_snapshot_instances",
        {
            "snapshot_id": snapshot["id"], "share_instance_id": ids["instance"], "status": "available",
            "progress": "100%",
        },
    )  # fmt: skip
    ids["snapshot_instance"] = instance["id"]
    row = {"share_snapshot_instance_id": instance["id"], "path": "10.0.0.1:/snap", "is_admin_only": False}
    ids["snapshot_location"] = (await insert(conn, "share_snapshot_instance_export_locations", row))["id"]
    await insert(conn, "share_snapshot_metadata", {"share_snapshot_id": snapshot["id"], "key": "color", "value": "r"})
    row = {"share_snapshot_id": snapshot["id"], "access_type": "ip", "access_to": "10.0.0.7"}
    rule = await insert(conn, "share_snapshot_access_map", row)
    ids["snapshot_rule"] = rule["id"]
    row = {"share_snapshot_instance_id": instance["id"], "access_id": rule["id"], "state": "active"}
    await insert(conn, "share_snapshot_instance_access_map", row)


async def _network(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str]) -> None:
    """``network`` has a server and a share on it, the others nothing; ``free_network`` has two subnets."""
    networks = {"network": "subnet", "free_network": "free_subnet", "lone_network": "lone_subnet"}
    networks["moving_network"] = "moving_subnet"
    for kind, subnet in networks.items():
        ids[kind] = (await insert(conn, "share_networks", {**who, "name": "n", "status": "active"}))["id"]
        row = {
            "share_network_id": ids[kind], "neutron_net_id": NEUTRON_NET, "neutron_subnet_id": NEUTRON_SUBNET,
            "ip_version": 4, "cidr": "10.0.0.0/24",
        }  # fmt: skip
        ids[subnet] = (await insert(conn, "share_network_subnets", row))["id"]
        row = {"share_network_subnet_id": ids[subnet], "key": "color", "value": "red"}
        await insert(conn, "share_network_subnet_metadata", row)
    row = {
        "share_network_id": ids["free_network"], "availability_zone_id": shared.zone, "neutron_net_id": NEUTRON_NET,
        "neutron_subnet_id": NEUTRON_SUBNET, "ip_version": 4, "cidr": "10.0.0.0/24",
    }  # fmt: skip
    ids["second_subnet"] = (await insert(conn, "share_network_subnets", row))["id"]
    for kind in ("security_service", "free_security_service", "lone_security_service"):
        row = {"project_id": who["project_id"], "type": "ldap", "name": "l", "password": "secret"}
        ids[kind] = (await insert(conn, "security_services", row))["id"]
    row = {"project_id": who["project_id"], "type": "kerberos", "name": "k", "password": "secret"}
    ids["other_security_service"] = (await insert(conn, "security_services", row))["id"]
    for kind, service in (("network", "security_service"), ("lone_network", "lone_security_service")):
        row = {"share_network_id": ids[kind], "security_service_id": ids[service]}
        await insert(conn, "share_network_security_service_association", row)
    for kind, subnet in (("server", "subnet"), ("idle_server", "subnet")):
        ids[kind] = await _server(conn, ids[subnet])
    moved = {"task_state": "migration_driver_phase1_done"}  # ``moved_server`` is through the first phase of its move
    ids["moved_server"] = await _server(conn, ids["moving_subnet"], status="server_migrating", **moved)
    place: dict[str, Any] = {"status": "server_migrating_to", "source_share_server_id": ids["moved_server"]}
    ids["filled_server"] = await _server(conn, ids["moving_subnet"], **place, **moved)
    served: dict[str, Any] = {"i_share_network_id": ids["network"], "i_share_server_id": ids["server"]}
    ids["served_share"], _ = await share(
        conn, shared, who, shared.servers, i_host=f"{SERVER_HOST}#fake_pool_for_GAMMA", **served
    )


async def _server(conn: Conn, subnet: str, **more: Any) -> str:
    server = await insert(
        conn,
        "share_servers",
        {
            "host": SERVER_HOST, "status": "active", "is_auto_deletable": True,
            "security_service_update_support": True, "network_allocation_update_support": True, **more,
        },
    )  # fmt: skip
    row = {"share_server_id": server["id"], "share_network_subnet_id": subnet}
    await insert(conn, "share_server_share_network_subnet_mappings", row)
    row = {"share_server_id": server["id"], "key": "ip", "value": "10.0.0.4"}
    await insert(conn, "share_server_backend_details", row)
    return str(server["id"])


async def _types(conn: Conn, shared: Common, project: str, ids: dict[str, str]) -> None:
    """A private share type and a private group type of the project, and a QoS type, which is everybody's."""
    made = await insert(conn, "share_types", {"name": f"private-{new_id()}", "is_public": False})
    ids["type"] = made["id"]
    for key, value in {"driver_handles_share_servers": "False", **SPECS}.items():
        await _spec(conn, made["id"], key, value)
    await insert(conn, "share_type_projects", {"share_type_id": made["id"], "project_id": project})
    made = await insert(conn, "qos_types", {"name": f"gold-{new_id()}"})
    ids["qos_type"] = made["id"]
    await insert(conn, "qos_type_specs", {"qos_type_id": made["id"], "key": "color", "value": "red"})
    made = await insert(conn, "share_group_types", {"name": f"private-{new_id()}", "is_public": False})
    ids["group_type"] = made["id"]
    row = {"share_group_type_id": made["id"], "share_type_id": shared.default}
    await insert(conn, "share_group_type_share_type_mappings", row)
    await insert(conn, "share_group_type_projects", {"share_group_type_id": made["id"], "project_id": project})
    row = {"share_group_type_id": made["id"], "spec_key": "color", "spec_value": "red"}
    await insert(conn, "share_group_type_specs", row)


async def _replicated(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str], public: bool) -> None:
    """A replicated share with a second, passive replica."""
    ids["replicated_share"], ids["active_replica"] = await share(
        conn, shared, who, shared.replicated, public, replication_type="readable", i_replica_state="active"
    )
    replica = await insert(
        conn,
        "share_instances",
        {
            "share_id": ids["replicated_share"], "host": "node1@beta#fake_pool_for_BETA", "status": "available",
            "access_rules_status": "active", "cast_rules_to_readonly": True, "share_type_id": shared.replicated,
            "availability_zone_id": shared.zone, "replica_state": "in_sync",
        },
    )  # fmt: skip
    ids["replica"] = replica["id"]
    row = {"share_instance_id": replica["id"], "key": "color", "value": "red"}
    await insert(conn, "share_instance_metadata", row)
    ids["replica_location"] = await _location(conn, replica["id"])


async def _group(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str], public: bool) -> None:
    """``group`` holds a share and a group snapshot, ``empty_group`` nothing."""
    for kind in ("group", "empty_group"):
        group = await insert(
            conn,
            "share_groups",
            {
                **who, "host": POOL, "name": "g", "status": "available", "share_group_type_id": shared.group_type,
                "availability_zone_id": shared.zone,
            },
        )  # fmt: skip
        ids[kind] = group["id"]
        row = {"share_group_id": group["id"], "share_type_id": shared.default}
        await insert(conn, "share_group_share_type_mappings", row)
    member, instance = await share(conn, shared, who, shared.default, public, share_group_id=ids["group"])
    ids["member"] = member
    taken = await insert(
        conn, "share_group_snapshots", {**who, "share_group_id": ids["group"], "name": "g", "status": "available"}
    )
    ids["group_snapshot"] = taken["id"]
    await insert(
        conn,
        "share_snapshot_instances",
        {
            **who, "share_instance_id": instance, "status": "available", "size": 1, "share_proto": "NFS",
            "share_group_snapshot_id": taken["id"],
        },
    )  # fmt: skip


async def _papers(conn: Conn, shared: Common, who: dict[str, str], ids: dict[str, str], public: bool) -> None:
    """What only the database knows: a message, locks, a backup and a transfer, each about a share of its own."""
    message = await insert(
        conn,
        "messages",
        {
            "project_id": who["project_id"], "request_id": f"req-{new_id()}", "resource_type": "SHARE",
            "resource_id": ids["share"], "action_id": "001", "detail_id": "002", "message_level": "ERROR",
        },
    )  # fmt: skip
    ids["message"] = message["id"]
    lock = await insert(
        conn,
        "resource_locks",
        {
            **who, "resource_action": "delete", "resource_type": "share", "resource_id": ids["served_share"],
            "lock_context": "user",
        },
    )  # fmt: skip
    ids["lock"] = lock["id"]
    saved, _ = await share(conn, shared, who, shared.default, public)
    backup = await insert(
        conn,
        "share_backups",
        {
            **who, "share_id": saved, "size": 1, "status": "available", "progress": "100", "restore_progress": "0",
            "host": POOL, "topic": "manila-share", "availability_zone_id": shared.zone, "display_name": "b",
        },
    )  # fmt: skip
    ids["backup"] = backup["id"]
    moved, _ = await share(conn, shared, who, shared.default, i_status="awaiting_transfer")
    ids["transferred_share"] = moved
    salt = "00ff00ff"
    transfer = await insert(
        conn,
        "transfers",
        {
            "resource_id": moved, "resource_type": "share", "display_name": "t", "salt": salt,
            "crypt_hash": crypt_hash(salt, AUTH_KEY),
            "source_project_id": who["project_id"], "accepted": False,
        },
    )  # fmt: skip
    ids["transfer"] = transfer["id"]


async def usage(conn: Conn, who: dict[str, str]) -> None:
    """Usage enough that giving back never goes below zero, and no limits."""
    resources = ("shares", "gigabytes", "snapshots", "snapshot_gigabytes", "share_networks", "share_groups")
    more = ("share_group_snapshots", "share_replicas", "replica_gigabytes", "backups", "backup_gigabytes")
    for resource in (*resources, *more):
        await insert(conn, "quota_usages", {**who, "resource": resource, "in_use": 20, "reserved": 0})
        row = {"project_id": who["project_id"], "resource": resource, "hard_limit": -1}
        await insert(conn, "quotas", row)
