"""Neutron in front of a real OVN: what ML2/OVN does with the requests of a share service.

A network is a logical switch ``neutron-<id>``; a port is a logical switch port named by its id, with addresses, port
security, ``enabled`` and ``requested-chassis`` from ``binding:host_id``; a security group is a port group with one ACL
for each rule; every port with port security is in the group that drops what no rule allows. A port is ACTIVE when OVN
has said that it is up since it was bound where it is: one that was up before, as after plug and then bind, stays DOWN.
The whole port is kept in its row, so a Neutron that is started again knows it.
"""

from __future__ import annotations

import contextlib
import json
import threading
from typing import Any

from drivers.ganesha.kubernetes.ovn.ovsdb import Database, SwitchFailed, mapping, members, pairs
from tests.lab.ovn.accounts import Row, Server, fake
from tests.lab.ovn.groups import GroupState

DROP = "neutron_pg_drop"
KEPT = "share:port"
ALLOWED, DROPPED = 1002, 1001
LISTEN = 0.05
"""Seconds between looks at what OVN says of ports."""
DIRECTIONS = {"ingress": ("to-lport", "outport", "src"), "egress": ("from-lport", "inport", "dst")}


class Northbound:
    """The rows that stand for Neutron's objects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_switch(self, network: Row) -> None:
        """A network's switch, unless it is there."""
        name = switch_name(network["id"])
        if not self._database.select("Logical_Switch", ["name", "==", name]):
            about = {"neutron:network_name": network["name"], "neutron:mtu": str(network["mtu"])}
            row = {"name": name, "external_ids": mapping(about)}
            self._database.transact({"op": "insert", "table": "Logical_Switch", "row": row})

    def add_port(self, port: Row, cidrs: str) -> None:
        """A new port, in its groups from the start."""
        row = {"name": port["id"], **_columns(port, cidrs)}
        self._database.transact(
            {"op": "insert", "table": "Logical_Switch_Port", "uuid-name": "port", "row": row},
            _change("Logical_Switch", switch_name(port["network_id"]), "insert", ["named-uuid", "port"]),
            *(_change("Port_Group", one, "insert", ["named-uuid", "port"]) for one in _groups(port)),
        )

    def update_port(self, port: Row, cidrs: str, groups: list[str]) -> None:
        """A changed port; ``groups``: all port groups that are known."""
        uuid = self._uuid(port["id"])
        mine = _groups(port)
        self._database.transact(
            {
                "op": "update",
                "table": "Logical_Switch_Port",
                "where": [["name", "==", port["id"]]],
                "row": _columns(port, cidrs),
            },
            *(_change("Port_Group", one, "insert" if one in mine else "delete", uuid) for one in groups),
        )

    def delete_port(self, port: Row) -> None:
        """A port goes, out of its groups too; a missing one is gone."""
        uuid = self._uuid(port["id"])
        if uuid is not None:
            self._database.transact(
                _change("Logical_Switch", switch_name(port["network_id"]), "delete", uuid),
                *(_change("Port_Group", one, "delete", uuid) for one in _groups(port)),
            )

    def _uuid(self, port: str) -> Any:
        rows = self._database.select("Logical_Switch_Port", ["name", "==", port], columns=("_uuid",))
        return rows[0]["_uuid"] if rows else None

    def ports(self) -> list[tuple[Row, bool]]:
        """All ports as they were kept, and whether OVN says that they are up."""
        rows = self._database.select("Logical_Switch_Port", columns=("external_ids", "up"))
        kept = [(pairs(one["external_ids"]), members(one["up"]) == [True]) for one in rows]
        return [(json.loads(ids[KEPT]), up) for ids, up in kept if KEPT in ids]

    def set_group(self, name: str, acls: list[Row]) -> None:
        """A port group has exactly these ACLs; made at need. One transaction: there is no moment without rules."""
        inserts = [
            {"op": "insert", "table": "ACL", "uuid-name": f"acl{number}", "row": one} for number, one in enumerate(acls)
        ]
        wanted = ["set", [["named-uuid", f"acl{number}"] for number in range(len(acls))]]
        if self._database.select("Port_Group", ["name", "==", name]):
            row = {"acls": wanted}
            last: Row = {"op": "update", "table": "Port_Group", "where": [["name", "==", name]], "row": row}
        else:
            last = {"op": "insert", "table": "Port_Group", "row": {"name": name, "acls": wanted}}
        self._database.transact(*inserts, last)

    def delete_group(self, name: str) -> None:
        """A port group and its ACLs go."""
        self._database.transact({"op": "delete", "table": "Port_Group", "where": [["name", "==", name]]})


class OvnState(GroupState):
    """The stand-in's state, each change of which is one of OVN, too."""

    def __init__(self, database: Database, *, default_groups: bool = True) -> None:
        self.ovn = Northbound(database)
        super().__init__(default_groups=default_groups)

    def reset(self) -> None:
        super().reset()
        self.silent: set[str] = set()
        """Ports that were up when they were bound, and have not been down since: OVN has nothing new to say."""
        for network in self.networks.values():
            self.ovn.add_switch(network)
        drop = [{"priority": DROPPED, "direction": way, "match": f"{port} == @{DROP} && ip", "action": "drop"}
                for way, port, _ in DIRECTIONS.values()]  # fmt: skip
        self.ovn.set_group(DROP, drop)
        for port, _ in self.ovn.ports():
            self.ports[port["id"]] = port
            self.mac = max(self.mac, int(port["mac_address"].replace(":", ""), 16) & 0xFFFF)

    def group_changed(self, group: str) -> None:
        rules = [one for one in self.rules.values() if one["security_group_id"] == group]
        self.ovn.set_group(group_name(group), [_acl(one) for one in rules])

    def group_gone(self, group: str) -> None:
        self.ovn.delete_group(group_name(group))

    def create_port(self, body: Row) -> Row:
        port = super().create_port(body)
        try:
            self.ovn.add_port(port, self._cidrs(port))
        except SwitchFailed as error:
            del self.ports[port["id"]]
            raise fake.NeutronError(500, "HTTPInternalServerError", f"OVN: {error}") from error
        self.ports[port["id"]] = port
        return port

    def update_port(self, ident: str, body: Row) -> Row:
        port = super().update_port(ident, body)
        self.ovn.update_port(port, self._cidrs(port), [DROP, *(group_name(one) for one in self.groups)])
        return port

    def handle(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        before = dict(self.ports)
        if method == "GET" and "/ports" in path:
            self.listen()
        answer = super().handle(method, path, query, body)
        for ident in before.keys() - self.ports.keys():
            self.ovn.delete_port(before[ident])
        return answer

    def listen(self) -> None:
        """What OVN says of the ports now."""
        for row, up in self.ovn.ports():
            ident = row["id"]
            if not up:
                self.silent.discard(ident)
            port = self.ports.get(ident)
            if port is not None:
                active = up and port["binding:host_id"] and ident not in self.silent
                port["status"] = "ACTIVE" if active else "DOWN"

    def bound(self, port: Row) -> None:
        super().bound(port)
        if port["id"] in {row["id"] for row, up in self.ovn.ports() if up}:
            self.silent.add(port["id"])

    def _cidrs(self, port: Row) -> str:
        found = [(one["ip_address"], self.subnets[one["subnet_id"]]["cidr"]) for one in port["fixed_ips"]]
        return " ".join(f"{ip}/{cidr.rpartition('/')[2]}" for ip, cidr in found)


class OvnNeutron(Server):
    """The HTTP server."""

    state: OvnState

    def __init__(self, database: Database, port: int = 0, host: str = "127.0.0.1", **settings: Any) -> None:
        super().__init__(OvnState(database, **settings), port, host)
        self._ended = threading.Event()

    def start(self) -> Any:
        """Serve, and hear of each change of a port in OVN."""
        threading.Thread(target=self._listen, daemon=True).start()
        return super().start()

    def _listen(self) -> None:
        while not self._ended.wait(LISTEN):
            with self.state.lock, contextlib.suppress(SwitchFailed):
                self.state.listen()

    def server_close(self) -> None:
        self._ended.set()
        super().server_close()


def switch_name(network: str) -> str:
    """A network's switch."""
    return f"neutron-{network}"


def group_name(group: str) -> str:
    """A security group's port group, whose name may have no dashes."""
    return "pg_" + group.replace("-", "_")


def _groups(port: Row) -> list[str]:
    """The port groups of a port."""
    if not port["port_security_enabled"]:
        return []
    return [DROP, *(group_name(one) for one in port["security_groups"])]


def _columns(port: Row, cidrs: str) -> Row:
    addresses = " ".join([port["mac_address"], *(one["ip_address"] for one in port["fixed_ips"])])
    host = port["binding:host_id"]
    about = {
        "neutron:port_name": port["name"],
        "neutron:device_id": port["device_id"],
        "neutron:device_owner": port["device_owner"],
        "neutron:project_id": port["project_id"],
        "neutron:cidrs": cidrs,
        KEPT: json.dumps(port),
    }
    return {
        "addresses": addresses,
        "port_security": addresses if port["port_security_enabled"] else ["set", []],
        "enabled": port["admin_state_up"],
        "options": mapping({"requested-chassis": host} if host else {}),
        "external_ids": mapping(about),
    }


def _change(table: str, name: str, verb: str, port: Any) -> Row:
    mutation = ["ports", verb, ["set", [port]]]
    return {"op": "mutate", "table": table, "where": [["name", "==", name]], "mutations": [mutation]}


def _acl(rule: Row) -> Row:
    """A rule as ML2/OVN writes it."""
    way, port, end = DIRECTIONS[rule["direction"]]
    group, family = group_name(rule["security_group_id"]), rule["ethertype"].lower().replace("ipv", "ip")
    parts = [f"{port} == @{group}", family]
    if rule["remote_ip_prefix"]:
        parts.append(f"{family}.{end} == {rule['remote_ip_prefix']}")
    if rule["remote_group_id"]:
        parts.append(f"{family}.{end} == ${group_name(rule['remote_group_id'])}_{family}")
    if rule["protocol"]:
        parts.append(rule["protocol"])
        if rule["port_range_min"]:
            low, high = rule["port_range_min"], rule["port_range_max"]
            parts.append(f"{rule['protocol']}.dst >= {low} && {rule['protocol']}.dst <= {high}")
    return {"priority": ALLOWED, "direction": way, "match": " && ".join(parts), "action": "allow-related"}
