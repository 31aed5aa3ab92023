"""Every kernel and way to mount, other people's suites, and an hour of contention.

python -m tests.datapath.clients.session [--kernels 5.10,6.12] [--minutes 60] [--short] [PYTEST ARGUMENTS]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from deploy import bootstrap
from tests.datapath.kernel.kernels import NAMED


def main() -> int:
    """Run the tests; the status of pytest."""
    options = argparse.ArgumentParser(prog="nfs_clients", description=__doc__)
    options.add_argument("--kernels", default="all", help=f"of {', '.join(NAMED)}, with commas between; all of them")
    options.add_argument("--minutes", type=float, default=60, help="of contention")
    options.add_argument("--short", action="store_true", help="without what takes hours")
    asked, rest = options.parse_known_args()
    if asked.kernels != "all" and (unknown := sorted(set(asked.kernels.split(",")) - NAMED.keys())):
        options.error(f"no kernel {', '.join(unknown)}; there are {', '.join(NAMED)}")
    if lacking := bootstrap.debian_packages(kernel=True):
        print(f"nfs_clients: LEFT OUT: {lacking}", flush=True)
        return 0
    env = {**os.environ, "NFS_KERNELS": asked.kernels, "NFS_MINUTES": str(asked.minutes)}
    env["NFS_LONG"] = "" if asked.short else "1"
    paths = [] if any("tests/" in word for word in rest) else ["tests/datapath/clients"]
    words = ["-m", "pytest", "-s", "-m", "kernel or nfs_clients", *rest, *paths]
    return subprocess.run([sys.executable, *words], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
