"""The Ganesha driver on one Linux machine: processes, namespaces and loop devices. Needs root.

Debian packages: nfs-ganesha nfs-ganesha-vfs dbus xfsprogs nftables iproute2.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.embedded.backups import EmbeddedBackups
from drivers.ganesha.embedded.gateways import EmbeddedGateways
from drivers.ganesha.embedded.host import PROGRAMS, missing
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.embedded.network import Fabric, inside
from drivers.ganesha.embedded.pool import Pool
from drivers.ganesha.embedded.volumes import EmbeddedVolumes
from drivers.ganesha.embedded.watched import WatchedGateways
from drivers.ganesha.gateway import firewall
from drivers.ganesha.gateway.exports import FolderExports
from drivers.ganesha.options import GaneshaOptions
from drivers.ganesha.rules import Client
from drivers.ganesha.wall import WalledExports, published
from drivers.tenant_ports import Borrowed

__all__ = ["OPTIONS", "PROGRAMS", "driver", "missing"]

OPTIONS: Final = GaneshaOptions
"""What ``driver`` is told."""


def driver(options: GaneshaOptions) -> GaneshaDriver:
    """The driver with the parts for one machine."""
    layout = Layout(Path(options.ganesha_state_path))
    fabric = Fabric(options.ganesha_namespace_prefix)
    pool = Pool(layout, options.ganesha_pool_size_gb, options.ganesha_pool_preallocate, options.ganesha_timeout)
    limit, place = options.ganesha_timeout, options.ganesha_backup_path
    volumes = EmbeddedVolumes(layout, pool, limit)

    async def admit(server_id: str, clients: Iterable[Client]) -> None:
        await firewall.admit(inside(fabric.gateway(server_id)), clients, limit)

    exports, ports = FolderExports(layout.server, admit, limit), Borrowed()
    made = GaneshaDriver(
        options,
        EmbeddedGateways(options, layout, fabric),
        volumes,
        WalledExports(exports, published(exports), ports),
        EmbeddedBackups(Path(place), layout, pool, volumes, limit) if place else None,
        watched=WatchedGateways(layout, exports),
    )
    made.tenant_ports = ports
    return made
