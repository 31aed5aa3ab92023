"""OVN with as many chassis as are asked for; nothing of it is left after ``down``."""

from __future__ import annotations

import pathlib
from types import TracebackType

from drivers.ganesha.kubernetes.ovn.ovsdb import Database, members
from tests.lab.ovn.chassis import Chassis, folders, serve_database
from tests.lab.ovn.programs import Programs
from tests.lab.ovn.spaces import Spaces, batch
from tests.lab.processes import Processes, sh, wait

UNDERLAY = "192.0.2."
"""Addresses of the tunnels, inside the namespaces only."""


class OvnLab:
    """The central part on Unix sockets, which every network namespace reaches, and chassis joined by a bridge.

    Args:
        base: folder of all files; its path must be short, for sockets are in it.
        root: where the programs are unpacked.
        prefix: begins the names of its network namespaces.
    """

    def __init__(self, base: pathlib.Path, root: pathlib.Path, prefix: str = "ok-") -> None:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.base, self.programs = base, Programs(root)
        self.processes, self.spaces = Processes(base), Spaces(prefix)
        self.chassis: dict[str, Chassis] = {}
        self.northbound = Database(str(base / "nb.sock"), "OVN_Northbound")
        self.southbound = Database(str(base / "sb.sock"), "OVN_Southbound")

    def __enter__(self) -> OvnLab:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.down()

    def up(self, *names: str) -> None:
        """Start the central part and chassis of these names."""
        self.start_databases()
        self.start_northd()
        self.northbound.transact({"op": "insert", "table": "NB_Global", "row": {}})
        wire = self.spaces.add("wire")
        batch(wire, "link add br0 type bridge", "link set br0 up")
        for name in names:
            self.add_chassis(name)

    def start_databases(self) -> None:
        """Both databases."""
        serve_database(self.processes, self.programs, self.base, "nb", "ovn/ovn-nb.ovsschema")
        serve_database(self.processes, self.programs, self.base, "sb", "ovn/ovn-sb.ovsschema")

    def start_northd(self) -> None:
        """What turns the one database into the other."""
        lines = (f"--ovnnb-db=unix:{self.northbound.socket}", f"--ovnsb-db=unix:{self.southbound.socket}")
        words = self.programs.words("ovn-northd", *lines, f"--unixctl={self.base}/northd.ctl", "-vconsole:warn")
        self.processes.spawn("northd", *words, **folders(self.base))

    def add_chassis(self, name: str) -> Chassis:
        """One more chassis, known to OVN when it returns."""
        number = len(self.chassis) + 1
        made = self.spaces.add(name)
        pair = f"link add under type veth peer name w{number} netns {self.spaces.path('wire')}"
        batch(made, pair, "link set under up")
        batch(self.spaces.path("wire"), f"link set w{number} master br0 up")
        address = f"{UNDERLAY}{number}"
        chassis = Chassis(self.programs, self.processes, self.base / name, name, made, address)
        self.chassis[name] = chassis
        chassis.start(f"unix:{self.southbound.socket}")
        wait(f"OVN knows {name}", lambda: self.southbound.select("Chassis", ["name", "==", name]), every=0.01)
        return chassis

    def sync(self) -> None:
        """Wait until every chassis has what is in the northbound database."""
        words = self.programs.words("ovn-nbctl", f"--db=unix:{self.northbound.socket}", "--timeout=10", "--wait=hv")
        sh(*words, "sync")

    def owner(self, port: str) -> str | None:
        """The chassis that has a port now; None: none has."""
        bound = self.southbound.select("Port_Binding", ["logical_port", "==", port], columns=("chassis",))
        chassis = {tuple(one["_uuid"]): str(one["name"]) for one in self.southbound.select("Chassis")}
        owners = [chassis.get(tuple(one)) for row in bound for one in members(row["chassis"])]
        return owners[0] if owners else None

    def memory(self) -> dict[str, float]:
        """MB of each program, shared pages divided."""
        found = {}
        for name in self.processes.names():
            text = pathlib.Path(f"/proc/{self.processes[name].pid}/smaps_rollup").read_text()
            found[name] = next(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("Pss:"))
        return found

    def ended(self) -> list[str]:
        """Programs that ended by themselves."""
        return [
            name
            for name in self.processes.names()
            if not pathlib.Path(f"/proc/{self.processes[name].pid}/smaps_rollup").exists()
        ]

    def down(self) -> None:
        """Stop everything, and remove the namespaces and the databases."""
        order = {"controller": 0, "vswitchd": 1}
        for name in sorted(self.processes.names(), key=lambda one: order.get(one.split("@")[0], 2)):
            self.processes.stop(name)
        self.spaces.clear()
        for file in self.base.rglob("*.db"):  # the next one in this folder begins anew
            file.unlink()
