"""Options of a Ganesha back end and the extra specs that override some of them per share type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.base import BackendOptions
from generated.errors import ShareBackendException

SQUASH: Final = {"none": "No_Root_Squash", "root": "Root_Squash", "all": "All_Squash"}
"""Spellings of the squash option and what Ganesha calls them."""

_ROOT_MODE: Final = re.compile(r"[0-7]{3,4}")
_ROOT_OWNER: Final = re.compile(r"([0-9]{1,10}):([0-9]{1,10})")
_LARGEST_ID: Final = 2**32 - 2
"""The id after it means "unchanged" to the kernel."""


@dataclass(frozen=True, slots=True)
class GaneshaOptions(BackendOptions):
    """What an embedded Ganesha back end is told besides ``BackendOptions``.

    * ``ganesha_state_path``: folder of everything the back end keeps, on a local file system. Its path plus 50
      characters must stay below 108, the limit of a Unix socket's name.
    * ``ganesha_pool_size_gb``: size of the pool file, GiB; ``ganesha_pool_preallocate`` takes its blocks at once,
      without it the disk below may run full under the shares.
    * ``ganesha_namespace_prefix``: how the names of the network namespaces begin.
    * ``ganesha_share_owner`` (``uid:gid``), ``ganesha_share_mode`` (octal), ``ganesha_share_squash`` (``none``,
      ``root``, ``all``): what the root folder of a new share looks like and which users a client may be. A share type
      overrides them by the extra specs ``ganesha:owner``, ``ganesha:mode``, ``ganesha:squash``. A share from a
      snapshot keeps the snapshot's root folder.
    * ``ganesha_grace_period``, ``ganesha_lease_lifetime``: seconds. Clients away longer than the lease lose their
      locks; after a restart of a gateway with a client that does not return, new opens wait for the grace period.
      Below 10 a restart may lose locks.
    * ``ganesha_timeout``: seconds that one outside command or D-Bus call may take.
    * ``ganesha_hang_timeout``: seconds without an answer after which a gateway that runs is killed and started again;
      0: never. ``ganesha_log_size_mb``: size at which a gateway's logs are set aside; five older ones are kept.
    * ``ganesha_root``: folder with a Ganesha of its own (``drivers.ganesha.program``); None: the machine's is run.
      ``ganesha_allow_old``: one older than 9.11 is run, too, without NFS 4.2.
    * ``ganesha_minor_versions``: of NFS 4, separated by commas. ``ganesha_metrics_port``: where Ganesha shows its own
      figures, on the loopback address of the gateway's network namespace; 0: nowhere.
    * ``ganesha_backup_path``: folder of the backups that the back end makes; None: it makes none.
    """

    ganesha_state_path: str = "/var/lib/openkeel-manila"
    ganesha_pool_size_gb: int = 20
    ganesha_pool_preallocate: bool = True
    ganesha_namespace_prefix: str = "manila-"
    ganesha_share_owner: str = "0:0"
    ganesha_share_mode: str = "0777"
    ganesha_share_squash: str = "none"
    ganesha_grace_period: int = 20
    ganesha_lease_lifetime: int = 20
    ganesha_timeout: float = 30.0
    ganesha_hang_timeout: int = 60
    ganesha_log_size_mb: int = 10
    ganesha_root: str | None = None
    ganesha_allow_old: bool = False
    ganesha_minor_versions: str = "1,2"
    ganesha_metrics_port: int = 0
    ganesha_backup_path: str | None = None

    def watched(self) -> dict[str, Any]:
        """Those whose change asks for new exports."""
        return {
            "state_path": self.ganesha_state_path,
            "grace": self.ganesha_grace_period,
            "lease": self.ganesha_lease_lifetime,
        }

    @property
    def many_ports(self) -> bool:
        """Whether a gateway may have several ports."""
        return True

    @property
    def takes_snapshots(self) -> bool:
        """Whether snapshots of shares are taken at all."""
        return True

    @property
    def backup_option(self) -> str:
        """The option that says where backups go."""
        return "ganesha_backup_path"


def minor_versions(options: GaneshaOptions) -> tuple[int, ...]:
    """Minor versions of NFS 4 that are offered, the lowest first.

    Raises:
        ShareBackendException: the option has none, or one that Ganesha does not have.
    """
    words = [word.strip() for word in options.ganesha_minor_versions.split(",") if word.strip()]
    if not words or not set(words) <= {"0", "1", "2"}:
        text = options.ganesha_minor_versions
        raise ShareBackendException(msg=f"ganesha_minor_versions must be some of 0, 1 and 2, not {text!r}")
    return tuple(sorted({int(word) for word in words}))


@dataclass(frozen=True, slots=True)
class Look:
    """Root folder and squash of a new share; ``squash`` in Ganesha's spelling."""

    uid: int
    gid: int
    mode: int
    squash: str


def look(options: GaneshaOptions, extra_specs: Mapping[str, str]) -> Look:
    """What a new share of a type with ``extra_specs`` looks like.

    Raises:
        ShareBackendException: a value cannot be read; the text names it.
    """
    owner = str(extra_specs.get("ganesha:owner", options.ganesha_share_owner))
    mode = str(extra_specs.get("ganesha:mode", options.ganesha_share_mode))
    squash = str(extra_specs.get("ganesha:squash", options.ganesha_share_squash)).lower()
    pair = _ROOT_OWNER.fullmatch(owner)
    if pair is None or max(int(pair[1]), int(pair[2])) > _LARGEST_ID:
        raise ShareBackendException(msg=f"owner of a share must be uid:gid, each 0 to {_LARGEST_ID}, not {owner!r}")
    if not _ROOT_MODE.fullmatch(mode):
        raise ShareBackendException(msg=f"mode of a share must be octal, not {mode!r}")
    if squash not in SQUASH:
        raise ShareBackendException(msg=f"squash of a share must be one of {', '.join(SQUASH)}, not {squash!r}")
    return Look(int(pair[1]), int(pair[2]), int(mode, 8), SQUASH[squash])
