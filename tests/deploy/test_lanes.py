"""Sessions side by side: what is shown, which status is told, what a signal does."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from deploy.bootstrap import ROOT

SESSION = """
import os, sys, time
name, pause, status = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
print(f"nox > Running session {name}")
print(f"{name} in", os.environ["TMPDIR"], oct(os.stat(os.environ["TMPDIR"]).st_mode & 0o777))
try:
    time.sleep(pause)
except KeyboardInterrupt:
    print(name, "cleans up")
print(f"{name} ends")
print(f"nox > Session {name} was successful.")
print(f"{name} sums up")
sys.exit(status)
"""
RUN = "import json, sys; from deploy import lanes; sys.exit(lanes.run(json.loads(sys.argv[1])))"


def started(*lanes: tuple[str, float, int]) -> subprocess.Popen[str]:
    commands = [[sys.executable, "-c", SESSION, name, str(pause), str(status)] for name, pause, status in lanes]
    return subprocess.Popen(
        [sys.executable, "-c", RUN, json.dumps(commands)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def test_each_session_is_shown_in_one_piece_and_the_worst_status_is_told() -> None:
    process = started(("slow", 1.0, 0), ("quick", 0.2, 3))
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 3, out
    # shown when it ends: the quick one is whole before anything of the slow one but its beginning
    assert re.search(r"quick begins[\s\S]*Running session quick\nquick in .*\nquick ends\nnox > Session quick", out), (
        out
    )
    assert re.search(r"Running session slow\nslow in .*\nslow ends\nnox > Session slow was successful", out), out
    assert out.index("nox > Session quick") < out.index("nox > Running session slow"), out
    assert "slow sums up" in out and "quick sums up" in out


def test_each_lane_has_a_temporary_folder_that_is_removed() -> None:
    process = started(("one", 0.1, 0), ("two", 0.1, 0))
    out, _ = process.communicate(timeout=60)
    folders = dict(re.findall(r"(?m)^(one|two) in (\S+) 0o755$", out))
    assert len(set(folders.values())) == 2, out
    assert not any(pathlib.Path(folder).exists() for folder in folders.values())
    assert process.returncode == 0


def test_a_signal_lets_the_lanes_clean_up() -> None:
    process = started(("one", 60, 0), ("two", 60, 0))
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(2)]  # both have begun
    time.sleep(0.5)  # each is in its sleep now, or about to be
    os.kill(process.pid, signal.SIGTERM)
    out, _ = process.communicate(timeout=30)
    assert "one cleans up" in out and "two cleans up" in out, (seen, out)
    assert process.returncode == 128 + signal.SIGTERM
