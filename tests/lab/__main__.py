"""Run a command beside a lab: ``python -m tests.lab run [--api-only | --nodes N] FOLDER -- COMMAND...``.

The command finds KUBECONFIG and OPENKEEL_LAB, the lab's folder, in its environment. As root the lab has network and
mount namespaces of its own: nothing listens on the machine's addresses, and nothing is left.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import time

from tests.lab import build
from tests.lab.cluster import Cluster
from tests.lab.place import OUTER, network, own_network
from tests.lab.processes import sh


def _isolate() -> None:
    """Start this program again in namespaces of its own; returns in there, or at once without root."""
    if own_network():
        sh("ip", "link", "set", "lo", "up")
        pathlib.Path("/run/netns").mkdir(exist_ok=True)
        sh("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        return
    if os.geteuid() != 0:
        return
    if OUTER in os.environ:
        raise SystemExit("this machine gives root no network namespace")
    os.environ[OUTER] = network()
    words = ["unshare", "--net", "--mount", "--propagation=private", "--", sys.executable, "-m", "tests.lab"]
    os.execvp(words[0], [*words, *sys.argv[1:]])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("verb", choices=["run"])
    parser.add_argument("folder", type=pathlib.Path)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--api-only", action="store_true", help="API server and etcd only; needs no root")
    kind.add_argument("--nodes", type=int, default=1)
    parser.add_argument("command", nargs="+")
    asked = parser.parse_args()
    programs = build.build(api=asked.api_only)
    _isolate()
    lab, begin = Cluster(asked.folder, programs), time.monotonic()
    try:
        lab.start(None if asked.api_only else asked.nodes)
        print(f"the lab is up after {time.monotonic() - begin:.1f} s", flush=True)
        env = {**os.environ, "KUBECONFIG": str(lab.kubeconfig), "OPENKEEL_LAB": str(lab.place.base)}
        return subprocess.run(asked.command, env=env, check=False).returncode
    finally:
        lab.stop()


if __name__ == "__main__":
    sys.exit(main())
