"""The lab's build from nothing, and from a cache folder in which something is missing."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
import yaml

from deploy.bootstrap import ROOT
from tests.lab import build

NO_GO = pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go on this machine to fetch modules with")


@pytest.fixture
def nothing(tmp_path: pathlib.Path) -> Iterator[dict[str, str]]:
    """The environment of a machine that has fetched and built nothing yet."""
    places = {"GOMODCACHE": "mod", "GOCACHE": "build", "XDG_CACHE_HOME": "cache"}
    env = {**os.environ, "PYTHONPATH": str(ROOT), **{name: str(tmp_path / place) for name, place in places.items()}}
    yield env
    # Go makes its folders so that only this removes them
    subprocess.run(["go", "clean", "-modcache"], env=env, check=False)


@pytest.fixture
def cached(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder in the cache as a whole build leaves it, with other content."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = build.folder()
    for name in (*build.DEFINITIONS, *build.programs(), *build.LINKS):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("content")
        (place / name).chmod(0o755)
    (place / ".whole").touch()
    return place


@NO_GO
def test_on_an_empty_machine_the_snapshot_resources_are_fetched(nothing: dict[str, str]) -> None:
    words = [sys.executable, "-m", "tests.lab.build", "definitions"]
    done = subprocess.run(words, cwd=ROOT, env=nothing, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    files = [pathlib.Path(line) for line in done.stdout.splitlines()]
    assert [one.is_relative_to(nothing["XDG_CACHE_HOME"]) for one in files] == [True] * 3
    kinds = {yaml.safe_load(one.read_text())["spec"]["names"]["plural"] for one in files}
    assert kinds == set(build.KINDS)


@NO_GO
def test_on_an_empty_machine_a_program_is_compiled(nothing: dict[str, str]) -> None:
    words = [sys.executable, "-m", "tests.lab.build", "pause"]
    done = subprocess.run(words, cwd=ROOT, env=nothing, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = pathlib.Path(done.stdout.strip())
    assert program.is_relative_to(nothing["XDG_CACHE_HOME"])
    with subprocess.Popen([program]) as pause:
        pause.terminate()
    assert pause.returncode == 0 or pause.returncode == -signal.SIGTERM  # before it listens


@NO_GO
def test_a_module_that_can_not_be_had_is_an_error(nothing: dict[str, str]) -> None:
    words = [sys.executable, "-m", "tests.lab.build", "definitions"]
    env = {**nothing, "GOPROXY": "off"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1 and "go mod download failed" in done.stderr, done.stderr


def test_the_names_of_the_programs_are_those_of_the_module() -> None:
    assert {"kubelab", "pause", "lab-csi", "containerd", "csi-provisioner", "bridge"} <= set(build.programs())
    assert build.programs(api=True) == ("apiserver",)


@pytest.mark.parametrize("name", [*build.DEFINITIONS, "containerd", "lab-csi", "kube-apiserver"])
def test_a_folder_that_lacks_something_is_not_believed(cached: pathlib.Path, name: str) -> None:
    assert build.built() == cached
    (cached / name).write_text("")  # a full disk leaves empty files
    assert build.built() is None and build.lacking() == [name]
    (cached / name).unlink()
    assert build.built() is None and build.lacking() == [name]


def test_an_unfinished_build_is_not_believed(cached: pathlib.Path) -> None:
    (cached / ".whole").unlink()
    assert build.built() is None and build.lacking() == []


def _builder(cached: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *skipped: str) -> list[str]:
    """Instead of compiling and fetching write files, those in ``skipped`` apart. Returns the steps that were taken."""
    steps: list[str] = []

    def programs(place: pathlib.Path, *, api: bool) -> None:
        steps.append("programs")
        for name in {*build.programs(api=api), *build.LINKS} - set(skipped):
            (place / name).write_text("new")
            (place / name).chmod(0o755)

    def definitions(place: pathlib.Path) -> None:
        steps.append("definitions")
        for name in set(build.DEFINITIONS) - set(skipped):
            (place / name).write_text("new")

    monkeypatch.setattr(build, "_programs", programs)
    monkeypatch.setattr(build, "definitions", definitions)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return steps


def test_what_an_older_run_left_out_is_mended(cached: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in build.DEFINITIONS:
        (cached / name).unlink()
    steps = _builder(cached, monkeypatch)
    assert build.build() == cached and steps == ["definitions"]
    assert [(cached / name).read_text() for name in build.DEFINITIONS] == ["new"] * 3
    assert (cached / "containerd").read_text() == "content"


def test_a_program_that_is_gone_is_built_again(cached: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cached / "containerd").unlink()
    steps = _builder(cached, monkeypatch)
    assert build.build() == cached and steps == ["programs"]
    assert (cached / "containerd").read_text() == "new"


@pytest.mark.parametrize("name", [build.DEFINITIONS[0], "csi-provisioner"])
def test_a_build_that_makes_too_little_is_an_error(
    cached: pathlib.Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (cached / name).unlink()
    _builder(cached, monkeypatch, name)
    with pytest.raises(SystemExit, match=f"{name} is missing although no command failed"):
        build.build()
