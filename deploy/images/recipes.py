"""What each image holds and how it starts. Data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

SUITE: Final = "bookworm"
"""Debian 12: its Python is the project's lowest. Its nfs-ganesha loses data: gateways have one of Debian 13."""
GANESHA: Final = "/opt/nfs-ganesha"
"""Where an image has NFS-Ganesha with its own libraries: ``drivers.ganesha.program``."""
EPOCH: Final = 1793491200
"""Time of every file and image, unless SOURCE_DATE_EPOCH says another: 2026-11-01."""
USER: Final = 10001
"""Id of the user ``manila`` and its group."""
PREFIX: Final = "localhost"
HEALTH: Final = "manila-healthy"
"""Program in the images: asks ``/healthz`` of the process beside it."""

BASE: Final = (
    "usr-is-merged",
    "python3.11-minimal",
    "libpython3.11-stdlib",
    "ca-certificates",
    "media-types",
    "libstdc++6",
    "tzdata",
)
"""Debian packages in every image, besides the essential ones; the wheel of RE2 needs the C++ library."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One image.

    Attributes:
        name: without registry and tag.
        title: one line of what it is.
        command: what runs unless told otherwise.
        packages: Debian packages besides ``BASE``.
        product: whether it holds the program; all images that do share those layers.
        user: id that it runs as; 0 only where the kernel asks for it.
        why_root: the reason for 0.
        ports: TCP ports that it listens on.
        stop: signal that ends it.
        ganesha: whether it holds the NFS-Ganesha that this release was tested with.
        hooks: shell lines that end the making of its root file system; ``$1`` is the folder.
        environment: variables of the image.
    """

    name: str
    title: str
    command: tuple[str, ...]
    packages: tuple[str, ...] = ()
    product: bool = True
    user: int = USER
    why_root: str = ""
    ports: tuple[int, ...] = ()
    health: tuple[str, ...] = ()
    ganesha: bool = False
    hooks: tuple[str, ...] = ()
    stop: str = "SIGTERM"
    environment: dict[str, str] = field(default_factory=dict)


MTAB: Final = 'ln -sf /proc/self/mounts "$1/etc/mtab"'
"""Ganesha finds file systems through it; containerd, other than podman, does not make it."""
IDMAP: Final = (
    r'printf "[General]\nVerbosity = 0\n[Mapping]\nNobody-User = nobody\nNobody-Group = nogroup\n"'
    ' > "$1/etc/idmapd.conf"'
)

RECIPES: Final = (
    Recipe(
        "manila-api",
        "The Shared File Systems API",
        ("manila-api",),
        ports=(8786, 9090),
        health=(HEALTH,),
    ),
    Recipe(
        "manila-worker",
        "Share manager; the scheduler and the data service are its other commands",
        ("manila-share",),
        ports=(9090,),
        health=(HEALTH,),
    ),
    Recipe(
        "manila-gateway",
        "NFS-Ganesha in a tenant network, and the agent beside it",
        ("manila-gateway",),
        packages=("dbus-daemon", "libnfsidmap1", "nftables", "mount"),
        ganesha=True,
        environment={"GANESHA_ROOT": GANESHA},
        user=0,
        why_root="Ganesha acts as its clients' users; the pod leaves it seven capabilities",
        ports=(2049,),
        health=("test", "-e", "/run/gateway/ready"),
        hooks=(MTAB, IDMAP),
    ),
    Recipe(
        "manila-node-agent",
        "Binds volumes into the gateways of its node",
        ("manila-node-agent",),
        packages=("mount", "nftables", "iproute2"),
        user=0,
        why_root="mounting needs CAP_SYS_ADMIN",
        ports=(9091,),
        health=(HEALTH,),
        environment={"METRICS_PORT": "9091", "MANILA_HEALTH": "http://127.0.0.1:9091/healthz"},
        hooks=(MTAB,),
    ),
    Recipe(
        "manila-postgresql-trial",
        "PostgreSQL for trials only: one process, no standby, no backup",
        ("trial-postgresql",),
        packages=("postgresql-15",),
        product=False,
        ports=(5432,),
        health=("pg_isready", "--quiet"),
        stop="SIGINT",  # at SIGTERM it would wait for its clients, who stay
        # pg_dump and psql in the container find the database by these
        environment={
            "PATH": "/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin",
            "PGHOST": "/tmp",
            "PGUSER": "manila",
            "PGDATABASE": "manila",
        },
    ),
)
