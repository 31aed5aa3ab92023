"""A chassis: an own network namespace with Open vSwitch (userspace datapath) and ovn-controller in it."""

from __future__ import annotations

import pathlib
import secrets
import signal
import socket

from drivers.ganesha.kubernetes.ovn import space
from drivers.ganesha.kubernetes.ovn.ovsdb import Database, mapping
from drivers.ganesha.kubernetes.ovn.switch import Switch
from tests.lab.ovn.programs import Programs
from tests.lab.ovn.spaces import batch, within
from tests.lab.processes import Processes, sh, wait

MTU = 1442


def connects(path: pathlib.Path) -> bool:
    """Whether a server listens on a socket: its file is there a moment before."""
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(path))
        except OSError:
            return False
    return True


def serve_database(
    processes: Processes, programs: Programs, folder: pathlib.Path, name: str, schema: str, owner: str = ""
) -> pathlib.Path:
    """Start an OVSDB server on a socket of its own, with the data of the last time if there is some; the socket."""
    folder.mkdir(exist_ok=True)
    data, line = folder / f"{name}.db", folder / f"{name}.sock"
    if not data.exists():
        sh(*programs.words("ovsdb-tool", "create", str(data), programs.schema(schema)))
    line.unlink(missing_ok=True)
    words = programs.words("ovsdb-server", str(data), f"--remote=punix:{line}", f"--unixctl={folder}/{name}.ctl")
    processes.spawn(f"{name}{owner}", *words, "--no-chdir", "-vconsole:warn", **folders(folder))
    wait(f"{name} of {folder.name}", lambda: connects(line), every=0.01)
    return line


def folders(run: pathlib.Path) -> dict[str, str]:
    """Environment that keeps a daemon's files in one folder."""
    names = ("OVS_RUNDIR", "OVN_RUNDIR", "OVS_DBDIR", "OVS_SYSCONFDIR", "OVN_SYSCONFDIR", "OVS_LOGDIR", "OVN_LOGDIR")
    return dict.fromkeys(names, str(run))


class Chassis:
    """One chassis; ``name`` is its host's name in OVN, ``address`` that of its tunnels."""

    def __init__(
        self, programs: Programs, processes: Processes, run: pathlib.Path, name: str, space_file: str, address: str
    ) -> None:
        self.name, self.space, self.address, self.run = name, space_file, address, run
        self._programs, self._processes = programs, processes
        self.socket = run / "conf.sock"

    @property
    def switch(self) -> Switch:
        """The product's view of it."""
        return Switch(Database(str(self.socket)))

    def vsctl(self, *words: str) -> str:
        """Ask the switch's own program."""
        return sh(*self._programs.words("ovs-vsctl", f"--db=unix:{self.socket}", "--timeout=10", *words))

    def start(self, southbound: str) -> None:
        """Start all daemons; the device ``under`` of the namespace leads to the other chassis."""
        serve_database(
            self._processes, self._programs, self.run, "conf", "openvswitch/vswitch.ovsschema", f"@{self.name}"
        )
        self.vsctl("--no-wait", "init")
        known = {
            "system-id": self.name,
            "hostname": self.name,
            "ovn-remote": southbound,
            "ovn-encap-type": "geneve",
            "ovn-encap-ip": self.address,
            "ovn-bridge-datapath-type": "netdev",
            "ovn-openflow-probe-interval": "0",
            "ovn-remote-probe-interval": "0",
        }
        row = {"external_ids": mapping(known)}
        Database(str(self.socket)).transact({"op": "update", "table": "Open_vSwitch", "where": [], "row": row})
        self.start_switch()
        # userspace tunnels need the tunnel's address on a port of Open vSwitch itself
        bridges = ["--may-exist", "add-br", "br-ex", "--", "set", "Bridge", "br-ex", "datapath_type=netdev"]
        bridges += ["--", "--may-exist", "add-port", "br-ex", "under"]
        bridges += ["--", "--may-exist", "add-br", "br-int", "--", "set", "Bridge", "br-int", "datapath_type=netdev"]
        self.vsctl(*bridges, "fail_mode=secure")
        batch(self.space, f"addr replace {self.address}/24 dev br-ex", "link set br-ex up")
        space.for_userspace_datapath(self.space, "br-ex")
        self.start_controller()

    def start_switch(self) -> None:
        """Start ovs-vswitchd."""
        control = self.run / "vswitchd.ctl"
        control.unlink(missing_ok=True)
        words = self._programs.words("ovs-vswitchd", f"unix:{self.socket}", f"--unixctl={control}", "-vconsole:warn")
        self._processes.spawn(f"vswitchd@{self.name}", *within(self.space, *words), **folders(self.run))
        wait(f"the switch of {self.name}", lambda: connects(control), every=0.01)

    def start_controller(self) -> None:
        """Start ovn-controller."""
        words = self._programs.words("ovn-controller", f"unix:{self.socket}", "-vconsole:warn")
        self._processes.spawn(f"controller@{self.name}", *within(self.space, *words), **folders(self.run))

    def kill(self) -> None:
        """As if the power went; what OVN knows of the chassis stays."""
        for part in ("controller", "vswitchd"):
            self._processes.signal(f"{part}@{self.name}", signal.SIGKILL)
            self._processes.stop(f"{part}@{self.name}")

    def plug(self, port: str, pod: str, mac: str, ip: str, device: str = "eth0") -> str:
        """A client's interface in the namespace of the file ``pod``; the name of its other end."""
        name = "t" + secrets.token_hex(5)
        pair = ("link", "add", name, "mtu", str(MTU), "type", "veth", "peer", "name", device)
        sh(*within(self.space, "ip", *pair, "mtu", str(MTU), "address", mac, "netns", pod))
        batch(pod, f"addr add {ip}/24 dev {device}", f"link set {device} up")
        space.for_userspace_datapath(pod, device)
        batch(self.space, f"link set {name} up")
        own = ("--", "set", "Interface", name, f"external_ids:iface-id={port}")
        self.vsctl("add-port", "br-int", name, *own)
        return name

    def unplug(self, name: str) -> None:
        """Remove the row, then the device."""
        self.vsctl("del-port", "br-int", name)
        batch(self.space, f"link del {name}")
