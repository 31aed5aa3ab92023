"""The original's functional suite against the running service, with a real Keystone, all from nothing.

``python -m tests.tempest.run [--profile nodhss|dhss|both] [--part 1/4] [--concurrency 2] [REGEX]``. Every test that
passes on the original must pass; exit status 1 if one does not. Results and logs: ``dist/tempest/PROFILE``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

from deploy.bootstrap import ROOT
from tests.peers import environments, keystone
from tests.peers.cloud import cloud
from tests.tempest import chosen, conf

Results = dict[str, dict[str, Any]]


def suite(profile: str, names: list[str], out: pathlib.Path, options: argparse.Namespace) -> Results:
    """Bring everything up, run the tests and return their results by name without attributes."""
    with cloud(out, servers=profile == "dhss", count=options.processes) as at:
        return _tempest(profile, names, out, at.identity, options)


def _tempest(
    profile: str, names: list[str], out: pathlib.Path, at: keystone.Keystone, options: argparse.Namespace
) -> Results:
    programs = environments.programs("tempest")
    workspace = out / "workspace"
    init = [programs / "tempest", "init", "--workspace-path", out / "workspaces.yaml", workspace]
    subprocess.run([str(word) for word in init], check=True, capture_output=True)
    settings = workspace / "etc" / "tempest.conf"
    (settings.parent / "lock").mkdir(exist_ok=True)
    conf.write(settings, profile, at)
    include, stream = out / "include.txt", out / "stream.subunit"
    include.write_text(chosen.expressions(names))
    run = [programs / "tempest", "run", "--config-file", settings, "--include-list", include, "--subunit"]
    run += ["--concurrency", options.concurrency]
    env = {**os.environ, "TEMPEST_CONFIG_DIR": str(settings.parent), "PYTHONWARNINGS": "ignore"}
    with open(stream, "wb") as stdout, open(out / "run.log", "wb") as stderr:
        child = subprocess.Popen([str(word) for word in run], cwd=workspace, env=env, stdout=stdout, stderr=stderr)
        try:
            child.wait(options.limit)
        except subprocess.TimeoutExpired:
            print(f"tempest was stopped after {options.limit} s", flush=True)
        finally:
            _end(child)
    read = [programs / "python", chosen.VENDORED / "read_subunit.py", stream, out / "results.json"]
    subprocess.run([str(word) for word in read], check=True)
    found: Results = json.loads((out / "results.json").read_text())
    return {_plain(name): result for name, result in found.items()}


def _end(child: subprocess.Popen[bytes]) -> None:
    """SIGTERM, then SIGKILL; nothing if it has ended."""
    if child.poll() is None:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(20)
        child.kill()
        child.wait()


def _plain(name: str) -> str:
    """A test's name without attributes; ``setUpClass (CLASS)`` becomes ``CLASS.setUpClass``."""
    if found := re.match(r"^(setUpClass|tearDownClass) \((.*)\)$", name):
        return f"{found[2]}.{found[1]}"
    return name.partition("[")[0]


def judge(names: list[str], results: Results) -> list[str]:
    """A line for each test that did not pass, with the reason; one of its class if it was never run."""
    lines = []
    for name in names:
        result = results.get(name) or results.get(f"{name.rpartition('.')[0]}.setUpClass") or {"status": "not run"}
        if result["status"] != "passed":
            lines.append(f"{result['status']:8} {name}\n         {result.get('reason', '')}")
    return lines


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pattern", nargs="?", default="", metavar="REGEX", help="only tests in which it is found")
    parser.add_argument("--profile", choices=[*conf.PROFILES, "both"], default="both")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="the K-th of N parts of the tests")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument(
        "--processes", type=int, default=1, help="of API, scheduler, share manager and data service each"
    )
    parser.add_argument("--limit", type=float, default=3600, help="seconds that a profile may take")
    options = parser.parse_args()
    number, _, count = options.part.partition("/")
    bad = total = 0
    for profile in conf.PROFILES if options.profile == "both" else (options.profile,):
        names = chosen.part(chosen.matching(chosen.listed(profile), options.pattern), int(number), int(count or 1))
        if not names:
            continue
        out = ROOT / "dist" / "tempest" / profile
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        started = time.monotonic()
        lines = judge(names, suite(profile, names, out, options))
        took = time.monotonic() - started
        print(
            *lines, f"{profile}: {len(names) - len(lines)} of {len(names)} passed in {took:.0f} s", sep="\n", flush=True
        )
        bad, total = bad + len(lines), total + len(names)
    print(f"{total - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
