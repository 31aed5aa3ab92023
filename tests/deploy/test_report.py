"""The table at the end of ``test``: what ran, what was left out and why, how long each took; also when a lane dies."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from deploy import report
from deploy.bootstrap import ROOT

PRINTED = {
    "one": """
nox > Running session lint
nox > Session lint was successful in 3 seconds.
nox > Running session tests
tests/a/test_x.py::test_a is not built
SKIPPED [70] tests/deploy/chart/test_alerts.py:24: promtool is not built
SKIPPED [4] tests/deploy/chart/test_helm.py:23: helm is not built: `python3 noxfile.py chart`
FAILED tests/a/test_x.py::test_b - assert 1 == 2
===== 1 failed, 3180 passed, 74 skipped, 2 errors in 700.21s (0:11:40) =====
nox > Command python failed with exit code 1
nox > Session tests failed.
nox > Running session tempest_part
nodhss: 40 of 40 passed in 90 s
40 passed, 0 failed
nox > Session tempest_part was successful in 2 minutes.
nox > Running session conformance
conformance: 812 of 812 exchanges identical, 3 differ on purpose, 39 of 40 scenarios without an unexplained difference
nox > Session conformance failed.
""",
    "two": """
nox > Running session ovn
ovn: LEFT OUT: OVN's tests need root (network namespaces)
nox > Session ovn was successful.
nox > Running session datapath
nox > all but the demonstration on the dummy driver is LEFT OUT: the data path needs root (namespaces, mounts)
=== 3 passed in 41.0s ===
nox > Session datapath was successful in 42 seconds.
nox > Running session programs
helm: tests that install the chart are LEFT OUT: helm is not built, and there is no Go to build it
nox > Session programs was successful.
nox > Running session images
nox > Session images skipped: building images needs root and these Debian packages: buildah.
nox > Running session kube_api
=== 12 passed in 3.2s ===
==== 5 passed, 1 skipped, 3 deselected in 1.00s ====
""",
}
RUN = """
import json, sys
from deploy import lanes, report
reports = []
status = lanes.run(json.loads(sys.argv[1]), reports)
print(*report.table(reports, 60.0), sep="\\n")
sys.exit(status)
"""
SAY = """
import os, sys
print(sys.argv[1], flush=True)
if sys.argv[2] != "0":
    os.kill(os.getpid(), int(sys.argv[2]))
sys.exit(int(sys.argv[3]))
"""


def ran(*lanes: tuple[str, int, int, list[str]]) -> tuple[int, list[str]]:
    """Lanes that print a text, then end by a signal or with a status: the exit status, and the table's lines."""
    words = [
        [sys.executable, "-c", SAY, text, str(signal), str(status), "--session", *names]
        for text, signal, status, names in lanes
    ]
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = done.stdout.splitlines()
    return done.returncode, lines[next(at for at, line in enumerate(lines) if line.startswith("session ")) :]


def test_what_ran_what_was_left_out_and_how_long_each_took() -> None:
    status, lines = ran(
        (PRINTED["one"], 0, 1, ["lint", "tests", "tempest_part", "conformance"]),
        (PRINTED["two"], 9, 0, ["ovn", "datapath", "programs", "images", "kube_api", "kube_node_part"]),
    )
    assert status == 9
    rows = {line.split("  ")[0]: re.split(r"\s{2,}", line)[1:] for line in lines[1:11]}
    assert {name: row[:4] for name, row in rows.items()} == {
        "lint": ["passed", "-", "-", "-"],
        "tests": ["failed", "3180", "3", "74"],
        "tempest_part": ["passed", "40", "0", "0"],
        "conformance": ["failed", "39", "1", "0"],
        "ovn": ["left out", "-", "-", "-"],
        "datapath": ["passed", "3", "0", "0"],
        "programs": ["passed", "-", "-", "-"],
        "images": ["left out", "-", "-", "-"],
        "kube_api": ["died (signal 9)", "17", "0", "1"],
        "kube_node_part": ["not run", "-", "-", "-"],
    }
    assert [row[4] for name, row in rows.items()].count("-") == 1, "seconds of all that were begun"
    assert "left out of tests: 70 tests: promtool is not built" in lines
    assert "left out of ovn: OVN's tests need root (network namespaces)" in lines
    assert any(line.startswith("left out of images: building images needs root") for line in lines)
    assert "left out of datapath: the data path needs root (namespaces, mounts)" in lines
    assert "left out of programs: helm is not built, and there is no Go to build it" in lines
    assert lines[-3] == "75 tests and 2 sessions were left out"
    # a session that fails, dies or does not run is at least one failure
    assert lines[-1] == f"{1 + 3180 + 40 + 39 + 3 + 1 + 17} passed, {3 + 1 + 1 + 1} failed"


def test_all_is_well() -> None:
    status, lines = ran((PRINTED["one"].split("nox > Running session tests")[0], 0, 0, ["lint"]))
    assert status == 0 and lines[-1] == "1 passed, 0 failed"


@pytest.mark.parametrize("text", ["", "nox > Running session lint\n"])
def test_a_lane_that_says_nothing_has_failed(text: str) -> None:
    status, lines = ran((text, 0, 2, ["lint", "types"]))
    assert status == 2 and lines[-1] == "0 passed, 2 failed"


def test_colours_do_not_matter() -> None:
    made = report.Report(["tests"])
    for line in ("nox > Running session tests", "\x1b[32m==== \x1b[1m3 passed\x1b[0m in 1.0s ====\x1b[0m"):
        made.read(line)
    assert made.sessions["tests"].counts["passed"] == 3
