"""The tests that need a Kubernetes, as a session runs them: ``python -m tests.lab.sessions KIND [--late] [ARGUMENTS]``.

KIND is ``api`` or ``node``; ARGUMENTS go to pytest. ``--late``: the storage copies late (OPENKEEL_LAB_LATE says after
which time, 5 s otherwise). Says what it chose and why: the programs are there, or are built if OPENKEEL_LAB_MINUTES
allows it, or the tests are left out.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

from deploy import bootstrap
from tests.lab import build, leftovers, programs
from tests.lab.storage import LATE

WORK = {"api": 11.0, "node": programs.PROGRAMS["kubernetes"].work}
"""Minutes of processor time that a build from nothing costs."""
KINDS = {"api": ["--api-only"], "node": ["--nodes", "2"]}


def choose(kind: str) -> tuple[bool, str]:
    """Whether the tests can run, and why, in one line."""
    api = kind == "api"
    if not api and os.geteuid() != 0:
        return False, "nodes need root (namespaces, mounts)"
    if not api and (lacking := bootstrap.debian_packages(lab=True)):
        return False, lacking
    if there := build.built(api=api):
        return True, f"the programs are there: {there}"
    needed = WORK[kind] / (os.cpu_count() or 1) + programs.SLACK
    if why := programs.refusal("Kubernetes", needed):
        return False, why
    return True, f"Kubernetes is built first, which takes about {needed:.0f} minutes"


def helm() -> str:
    """Build helm, if it may be: some of the tests install the chart. What became of it, in one line."""
    try:
        return programs.provided("helm")[1]
    except SystemExit as error:
        return f"{programs.PROGRAMS['helm'].tests} are LEFT OUT: {error}"


def main() -> int:
    kind, arguments = sys.argv[1], sys.argv[2:]
    if late := arguments[:1] == ["--late"]:
        arguments = arguments[1:]
        os.environ.setdefault(LATE, "5s")
    possible, why = choose(kind)
    storage = f", on storage that copies {os.environ[LATE]} late" if late else ""
    print(f"kube_{kind}{storage}: {'tests run' if possible else 'LEFT OUT'}: {why}", flush=True)
    if not possible:
        return 0
    build.build(api=kind == "api")
    print(f"kube_{kind}: {helm()}", flush=True)
    if kind == "node" and not arguments:
        own = [sys.executable, "-m", "pytest", "-m", "lab", "tests/lab"]
        if code := subprocess.run(own, check=False).returncode:
            return code
    with tempfile.TemporaryDirectory(prefix="openkeel-lab-", ignore_cleanup_errors=True) as folder:
        base = pathlib.Path(folder) / "lab"
        before = leftovers.common()
        tests = [
            sys.executable,
            "-m",
            "pytest",
            "-m",
            f"kube_{kind}",
            *(arguments or ["-s", "--durations=10", f"tests/kube/{kind}"]),
        ]
        words = [sys.executable, "-m", "tests.lab", "run", str(base), *KINDS[kind], "--", *tests]
        if kind == "node":  # a lab has no way to the world
            subprocess.run([sys.executable, "-m", "tests.kube.node.prepare"], check=True)
        code = subprocess.run(words, check=False).returncode
        left = {name: found for name, found in leftovers.seen(base).items() if found}
        if changed := leftovers.changed(before):
            left["machine"] = changed
        print(f"kube_{kind}: left on the machine: {left or 'nothing'}", flush=True)
    return code or bool(left)


if __name__ == "__main__":
    sys.exit(main())
