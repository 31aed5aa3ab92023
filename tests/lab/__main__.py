"""Run a command beside a lab: ``python -m tests.lab run [--api-only | --nodes N] FOLDER -- COMMAND...``.

The command finds KUBECONFIG and OPENKEEL_LAB, the lab's folder, in its environment. As root the lab has network, mount
and process namespaces of its own: nothing listens on the machine's addresses, and nothing is left, however it ends.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time
from types import FrameType

from deploy import bootstrap
from tests.lab import build, machine
from tests.lab.cluster import Cluster
from tests.lab.place import OUTER, network, own_network
from tests.lab.processes import sh

NAMESPACES = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation=private")
REAPER = ("sh", "-c", '"$@"; exit $?', "sh")
"""The first process of a namespace inherits the children of those that end; a shell collects them."""


def _within(folder: pathlib.Path) -> int:
    """Start this program again in namespaces of its own, and give back what it borrowed from the machine."""
    if OUTER in os.environ:
        raise SystemExit("this machine gives root no network namespace")
    words = [*NAMESPACES, "--", *REAPER, sys.executable, "-m", "tests.lab", *sys.argv[1:]]
    signal.signal(signal.SIGTERM, _end)
    with machine.borrowed(folder):
        return subprocess.run(words, env={**os.environ, OUTER: network()}, check=False).returncode


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _prepare() -> None:
    sh("ip", "link", "set", "lo", "up")
    pathlib.Path("/run/netns").mkdir(exist_ok=True)
    sh("mount", "-t", "tmpfs", "tmpfs", "/run/netns")


def _run(folder: pathlib.Path, programs: pathlib.Path, nodes: int | None, command: list[str]) -> int:
    lab, begin = Cluster(folder, programs), time.monotonic()
    try:
        lab.start(nodes)
        print(f"the lab is up after {time.monotonic() - begin:.1f} s", flush=True)
        env = {**os.environ, "KUBECONFIG": str(lab.kubeconfig), "OPENKEEL_LAB": str(lab.place.base)}
        return subprocess.run(command, env=env, check=False).returncode
    finally:
        begin = time.monotonic()
        Cluster.load(folder).stop()  # the command may have restarted or killed parts
        print(f"the lab is down after {time.monotonic() - begin:.1f} s", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("verb", choices=["run"])
    parser.add_argument("folder", type=pathlib.Path)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--api-only", action="store_true", help="API server and etcd only; needs no root")
    kind.add_argument("--nodes", type=int, default=1)
    parser.add_argument("command", nargs="+")
    asked = parser.parse_args()
    if os.geteuid() == 0 and not own_network():
        if lacking := None if asked.api_only else bootstrap.debian_packages(lab=True):
            raise SystemExit(lacking)
        build.build(api=asked.api_only)
        return _within(asked.folder)
    if own_network():
        _prepare()
    return _run(
        asked.folder,
        build.build(api=asked.api_only),
        None if asked.api_only else asked.nodes,
        asked.command,
    )


if __name__ == "__main__":
    sys.exit(main())
