"""What the machine must have."""

from __future__ import annotations

import os
import shutil
from typing import Final

PROGRAMS: Final = {
    "dbus-daemon": "dbus",
    "mkfs.xfs": "xfsprogs",
    "nft": "nftables",
    "ip": "iproute2",
    "nsenter": "util-linux",
}
"""What the driver runs besides Ganesha, and the Debian packages it comes from."""


def missing() -> list[str]:
    """What keeps the driver from working here: Debian packages, or that one is not root."""
    packages = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    return packages if os.geteuid() == 0 else [*packages, "root"]
