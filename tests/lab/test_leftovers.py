"""A lab leaves nothing on the machine, whether it ends or is killed."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import pytest

from tests.lab import leftovers

pytestmark = pytest.mark.lab


def _start(base: pathlib.Path, *command: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.lab", "run", str(base), "--nodes", "1", "--", *command]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def _left(base: pathlib.Path) -> dict[str, list[str]]:
    return {name: found for name, found in leftovers.seen(base).items() if found}


@pytest.fixture
def base() -> Iterator[pathlib.Path]:
    """A folder with a short name, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as folder:
        yield pathlib.Path(folder) / "lab"


def test_a_lab_that_ends_leaves_nothing(base: pathlib.Path) -> None:
    before = leftovers.common()
    look = f"from tests.lab import leftovers; import pathlib; print(leftovers.seen(pathlib.Path('{base}')))"
    with _start(base, sys.executable, "-c", look) as running:
        output, _ = running.communicate(timeout=400)
    inside = output.splitlines()[-1]
    assert running.returncode == 0
    for kind in ("mounts", "loops", "links", "processes", "groups"):
        assert f"'{kind}': []" not in inside, "the count would see what is left"
    assert _left(base) == {}
    assert leftovers.changed(before) == []


def test_a_lab_that_is_killed_leaves_no_process_no_mount_and_no_group(base: pathlib.Path) -> None:
    before = leftovers.common()
    with _start(base, "sh", "-c", "echo up; sleep 300") as running:
        assert running.stdout is not None
        while running.stdout.readline().strip() != "up":
            assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        running.wait(60)
    deadline = time.monotonic() + 10
    while (left := _left(base)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == {}
    assert leftovers.changed(before) == []
