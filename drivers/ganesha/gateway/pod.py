"""A gateway's pod as its programs see it, and how Ganesha is started in it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.ganesha.gateway import config, files, places, supervise
from drivers.ganesha.gateway.exports import FOLDERS
from drivers.ganesha.ports import Address, Server


@dataclass(frozen=True, slots=True)
class Gateway:
    """What a pod is told: the server, the pod's identity, its addresses and the interfaces that have them.

    ``grace``, ``lease``, ``hang``: seconds, as in the driver's options; ``volumes``: seconds to wait for the volumes of
    the shares that were served last; ``metrics``: port of Ganesha's own figures, 0: none; ``minors``: minor versions of
    NFS 4 that are offered; ``ganesha``: folder with a Ganesha of its own, None: the one in PATH. Other folders: of the
    orders, the answers, the volumes, Ganesha's state, of the marks and the bus, and of the volumes' device nodes.
    """

    server: str
    pod: str
    addresses: tuple[str, ...]
    interfaces: tuple[str, ...]
    grace: int = 20
    lease: int = 20
    hang: int = 60
    volumes: int = 60
    metrics: int = 0
    minors: tuple[int, ...] = (1, 2)
    ganesha: Path | None = None
    control: Path = Path(places.CONTROL)
    answers: Path = Path(places.ANSWERS)
    shares: Path = Path(places.SHARES)
    state: Path = Path(places.STATE)
    run: Path = Path(places.RUN)
    devices: Path = Path(places.DEVICES)

    @classmethod
    def described(cls, said: Mapping[str, str]) -> Gateway:
        """What the environment of a pod says.

        Raises:
            KeyError, ValueError: a variable is missing or is no number.
        """
        addresses, interfaces = (
            tuple(one for one in said[f"GATEWAY_{name}"].split(",") if one) for name in ("ADDRESSES", "INTERFACES")
        )
        numbers = {
            name: int(said[f"GATEWAY_{name.upper()}"])
            for name in ("grace", "lease", "hang", "volumes", "metrics")
            if f"GATEWAY_{name.upper()}" in said
        }
        folders = {
            name: Path(said[f"GATEWAY_{name.upper()}_FOLDER"])
            for name in ("control", "answers", "shares", "state", "run", "devices")
            if f"GATEWAY_{name.upper()}_FOLDER" in said
        }
        minors = tuple(int(one) for one in said.get("GATEWAY_MINORS", "1,2").split(","))
        root = said.get("GANESHA_ROOT")
        own = {"minors": minors, "ganesha": Path(root) if root else None}
        return cls(said["GATEWAY_SERVER"], said["GATEWAY_POD"], addresses, interfaces, **own, **numbers, **folders)  # type: ignore[arg-type]

    def make(self) -> None:
        """Make the folders inside the state; nobody else may look into it."""
        for name in ("", *FOLDERS, "prepared"):
            files.folder(self.state / name, 0o700)

    def closed(self, since: float) -> bool:
        """Whether the packet filter was known to be loaded at the time ``since`` or later."""
        try:
            return (self.run / places.CLOSED).stat().st_mtime >= since
        except FileNotFoundError:
            return False

    def bound(self) -> bool:
        """Whether the volumes are there, or were waited for long enough."""
        return (self.run / places.BOUND).exists()

    def command(self) -> list[str]:
        """Write the configuration of bus and Ganesha; the command that supervises both.

        Raises:
            Unusable: there is no Ganesha.
        """
        # the agent, which is there once a gateway, needs none of it
        from drivers.ganesha.gateway import recovery
        from drivers.ganesha.program import found

        self.make()
        server = Server(self.server, tuple(Address(one, 0, "") for one in self.addresses))
        program = found.chosen(self.ganesha, checked=False)
        serving = config.Serving(
            version=program.version,
            plugins=program.plugins,
            minors=self.minors,
            grace=self.grace,
            lease=self.lease,
            metrics=self.metrics,
            own_addresses_only=True,
        )
        recovery.carry_over(self.state / "recovery", program.version)
        files.write(self.state / "bus.conf", config.bus(self.run))
        files.write(self.state / "ganesha.conf", config.gateway(server, self.state, serving))
        asked = self.addresses[0] if len(self.addresses) == 1 else "127.0.0.1"
        words = ["--run", self.run, "--hang", self.hang, "--log", "STDERR", "--address", asked, "--patience", 60]
        words += ["--identities", self.run / places.IDENTITIES]
        words += [f"--program={word}" for word in program.words]
        # nothing but the standard library: every gateway has such a process
        return [sys.executable, "-I", "-S", supervise.__file__, str(self.state), *map(str, words)]
