"""The integration bridge of a node: which gateways are plugged into it. Blocking calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from drivers.ganesha.kubernetes.ovn.ovsdb import Database, Row, SwitchFailed, mapping, members, pairs

POD: Final = "openkeel-pod"
"""External id of our interfaces: the pod's UID. Rows without it are somebody else's."""
SANDBOX: Final = "openkeel-sandbox"
"""External id: the pod's network namespace."""


@dataclass(frozen=True, slots=True)
class Plugged:
    """A row of ours: device ``name``, bound to ``port_id`` for a pod's network namespace.

    ``installed``: OVN has given the port to this node and all its flows are there.
    """

    name: str
    port_id: str
    pod: str
    sandbox: str
    mac: str = ""
    installed: bool = False
    error: str = ""


class Switch:
    """Open vSwitch, as its database describes it."""

    def __init__(self, database: Database, bridge: str = "br-int") -> None:
        self._database, self._bridge = database, bridge

    def host(self) -> str:
        """The node's name in OVN, which Neutron calls the host. Raises SwitchFailed: it has none."""
        found = pairs(self._database.select("Open_vSwitch")[0]["external_ids"])
        name = found.get("hostname") or found.get("system-id")
        if not name:
            raise SwitchFailed(msg="Open vSwitch has neither hostname nor system-id")
        return name

    def sums_in_software(self) -> bool:
        """Whether devices must make checksums themselves: the userspace datapath drops packets without them."""
        settings = pairs(self._database.select("Open_vSwitch")[0]["other_config"])
        bridge = self._database.select("Bridge", ["name", "==", self._bridge], columns=("datapath_type",))
        userspace = bool(bridge) and bridge[0]["datapath_type"] == "netdev"
        return userspace and settings.get("userspace-tso-enable") != "true"

    def plugged(self) -> list[Plugged]:
        """Our rows."""
        rows = self._database.select("Interface", columns=("name", "external_ids", "error"))
        return [_plugged(one) for one in rows if POD in pairs(one["external_ids"])]

    def claims(self, port_id: str) -> list[str]:
        """Names of all interfaces that claim a port, whoever made them."""
        condition = ["external_ids", "includes", mapping({"iface-id": port_id})]
        return [str(one["name"]) for one in self._database.select("Interface", condition, columns=("name",))]

    def add(self, wanted: Plugged) -> None:
        """Make the device a port of the bridge.

        Raises:
            SwitchFailed: there is no such bridge, or the device is in one already.
        """
        own = {
            "iface-id": wanted.port_id,
            "iface-status": "active",
            "attached-mac": wanted.mac,
            POD: wanted.pod,
            SANDBOX: wanted.sandbox,
        }
        interface = {"name": wanted.name, "external_ids": mapping(own)}
        port = {"name": wanted.name, "interfaces": ["named-uuid", "interface"]}
        *_, changed = self._database.transact(
            {"op": "insert", "table": "Interface", "uuid-name": "interface", "row": interface},
            {"op": "insert", "table": "Port", "uuid-name": "port", "row": port},
            self._change("insert", [["named-uuid", "port"]]),
        )
        if not changed["count"]:
            raise SwitchFailed(msg=f"Open vSwitch has no bridge {self._bridge}")

    def remove(self, names: Iterable[str]) -> None:
        """Take devices off the bridge; rows that are in no bridge vanish."""
        gone = [
            one["_uuid"]
            for name in names
            for one in self._database.select("Port", ["name", "==", name], columns=("_uuid",))
        ]
        if gone:
            self._database.transact(self._change("delete", gone))

    def _change(self, verb: str, ports: list[list[str]]) -> Row:
        where = [["name", "==", self._bridge]]
        return {"op": "mutate", "table": "Bridge", "where": where, "mutations": [["ports", verb, ["set", ports]]]}


def _plugged(row: Row) -> Plugged:
    own = pairs(row["external_ids"])
    return Plugged(
        name=str(row["name"]),
        port_id=own.get("iface-id", ""),
        pod=own[POD],
        sandbox=own.get(SANDBOX, ""),
        mac=own.get("attached-mac", ""),
        installed=own.get("ovn-installed") == "true",
        error=" ".join(members(row["error"])),
    )
