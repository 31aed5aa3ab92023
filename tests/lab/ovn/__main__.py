"""The tests that need OVN, as the session ``ovn`` runs them: ``python -m tests.lab.ovn [ARGUMENTS of pytest]``.

Everything is in network, mount and process namespaces of its own, which end with the tests, even if those are killed.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

from deploy import bootstrap
from tests.lab.ovn import programs

ALONE = ("unshare", "--net", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc")
PREPARE = 'ip link set lo up && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && exec "$@"'


def prepared() -> tuple[pathlib.Path | None, str]:
    """The folder of the programs, or None and why there is none."""
    if why := programs.lacking():
        return None, why
    if found := programs.fetched():
        return found, f"the programs are there: {found}"
    try:
        return programs.fetch(), "the programs were fetched"
    except RuntimeError as error:
        return None, f"Open vSwitch and OVN can't be fetched: {error}"


def main() -> int:
    if os.geteuid() == 0:
        bootstrap.debian_packages(lab=True)
    root, why = prepared()
    print(f"ovn: {'tests run' if root else 'LEFT OUT'}: {why}", flush=True)
    if root is None:
        return 0
    with tempfile.TemporaryDirectory(prefix="ok-ovn-", ignore_cleanup_errors=True) as folder:
        env = {**os.environ, "OPENKEEL_OVN": f"{folder}/lab", "OPENKEEL_OVN_ROOT": str(root)}
        tests = [sys.executable, "-m", "pytest", "-m", "ovn", *(sys.argv[1:] or ["-s", "tests/ovn"])]
        before = _seen()
        code = subprocess.run([*ALONE, "--", "sh", "-ec", PREPARE, "sh", *tests], env=env, check=False).returncode
        left = sorted(_seen() - before)
    print(f"ovn: left on the machine: {left or 'nothing'}", flush=True)
    return code or bool(left)


def _seen() -> set[str]:
    """Processes of the programs, and the machine's links and named namespaces."""
    found = {f"link {name}" for name in os.listdir("/sys/class/net")}
    spaces = pathlib.Path("/run/netns")
    if spaces.exists():
        found |= {f"namespace {one.name}" for one in spaces.iterdir() if one.name.startswith("ok-")}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(programs.folder()) in words:
            found.add(f"process {folder.name}")
    return found


if __name__ == "__main__":
    sys.exit(main())
