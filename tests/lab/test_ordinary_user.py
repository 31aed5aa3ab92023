"""An ordinary user runs the tests of API behaviour: no root, no namespaces, nothing left."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.lab import build, leftovers

pytestmark = pytest.mark.lab
NOBODY = "65534"
# an interpreter below root's home can't be read by others; that one right is left
USER = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
READS = (
    "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=-all,+dac_read_search",
    "--bounding-set=-all,+dac_read_search",
)
TEST = "tests/kube/api/test_definition.py::test_a_whole_export_is_kept_to_the_last_field"


@pytest.mark.skipif(os.geteuid() != 0, reason="who is no root runs kube_api as an ordinary user anyway")
def test_the_api_server_needs_no_root(tmp_path: pathlib.Path) -> None:
    there = build.built(api=True)
    assert there is not None, "kube_node builds before it tests"
    cache = tmp_path / "cache"
    shutil.copytree(there, cache / "openkeel-manila" / there.name, symlinks=True)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, int(NOBODY), int(NOBODY))
    env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(home / "pt"), TEST]
    words = [sys.executable, "-m", "tests.lab", "run", str(home / "lab"), "--api-only", "--", *tests]
    done = subprocess.run([*USER, *READS, *words], env=env, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert {name: found for name, found in leftovers.seen(home / "lab").items() if found} == {}
