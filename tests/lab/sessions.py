"""The tests that need a Kubernetes, as a session runs them: ``python -m tests.lab.sessions api|node [ARGUMENTS]``.

ARGUMENTS go to pytest. Says what it chose and why: the programs are there, or are built if OPENKEEL_LAB_MINUTES allows
it, or the tests are left out.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from deploy import bootstrap
from deploy.helm import build as helm_build
from tests.lab import build, leftovers

MINUTES = "OPENKEEL_LAB_MINUTES"
"""Environment variable: minutes that a build may take; 0 for none."""
ALLOWED = 25.0
WORK = {"api": 11.0, "node": 22.0, "helm": 5.0}
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
    if shutil.which("go") is None:
        return False, "the programs are not built, and there is no Go to build them"
    needed, allowed = _minutes(kind)
    words = f"the programs are not built; that takes about {needed:.0f} minutes, and {MINUTES} allows {allowed:.0f}"
    return needed <= allowed, words


def helm() -> str:
    """Build helm, if it may be: some of the tests install the chart. What became of it, in one line."""
    if there := helm_build.built():
        return f"tests that install the chart run: {there}"
    needed, allowed = _minutes("helm")
    if needed > allowed:
        return (
            f"tests that install the chart are LEFT OUT: helm is not built; that takes about {needed:.0f} minutes, "
            f"and {MINUTES} allows {allowed:.0f}"
        )
    try:
        return f"tests that install the chart run: {helm_build.build()}"
    except SystemExit as error:
        return f"tests that install the chart are LEFT OUT: {error}"


def _minutes(what: str) -> tuple[float, float]:
    """What a build from nothing takes on this machine, and what is allowed."""
    return WORK[what] / (os.cpu_count() or 1) + 2, float(os.environ.get(MINUTES) or ALLOWED)


def main() -> int:
    kind, arguments = sys.argv[1], sys.argv[2:]
    possible, why = choose(kind)
    print(f"kube_{kind}: {'tests run' if possible else 'LEFT OUT'}: {why}", flush=True)
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
