"""Packages of other suites: fetched by a real apt from a repository on this disk, kept, checked, used offline."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from deploy import debs
from deploy.debs import Unavailable, Wanted
from drivers.ganesha.program import apt

if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
    pytest.skip("needs apt and dpkg", allow_module_level=True)

LINE = (
    "'http://mirror.test/pool/main/l/l/libz3-4_2%3a4.1+x-3_amd64.deb' libz3-4_2%3a4.1+x-3_amd64.deb 8560036 SHA256:ab"
)


def package(folder: Path, name: str, version: str, depends: str = "") -> str:
    """Build a package; its paragraph of the index."""
    tree = folder / f"tree-{name}"
    (tree / "DEBIAN").mkdir(parents=True, exist_ok=True)
    (tree / "usr/share" / name).mkdir(parents=True, exist_ok=True)
    (tree / "usr/share" / name / "version").write_text(version)
    control = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: t <t@t.test>\nDescription: test\n"
    control += f"Depends: {depends}\n" if depends else ""
    (tree / "DEBIAN/control").write_text(control)
    file = folder / f"{name}_{version}_all.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(tree), str(file)], check=True, capture_output=True)
    shutil.rmtree(tree)
    data = file.read_bytes()
    return f"{control}Filename: ./{file.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n\n"


class Trusted(apt.Suites):
    """A flat repository without signatures in place of suites."""

    option = "[trusted=yes] "

    def __init__(
        self, folder: Path, mirror: str, suites: Sequence[str], security: tuple[str, str] | None = None
    ) -> None:
        super().__init__(folder, mirror, suites, security)
        (folder / "sources.list").write_text(f"deb {self.option}{mirror} ./\n")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of ``program``, which depends on ``library``, and an older ``program``."""
    folder = tmp_path / "repository"
    folder.mkdir()
    index = package(folder, "program", "1.0") + package(folder, "program", "2.0", "library")
    (folder / "Packages").write_text(index + package(folder, "library", "3.1"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(apt, "mirrors", lambda: [f"file:{folder}"])
    monkeypatch.setattr(apt, "Suites", Trusted)
    return folder


def unpacked(fetched: debs.Fetched, root: Path) -> dict[str, str]:
    """Name -> version of what the packages hold."""
    fetched.unpack(root)
    return {file.parent.name: file.read_text() for file in root.rglob("version")}


def test_the_newest_version_alone(repository: Path, tmp_path: Path) -> None:
    fetched = debs.fetch(Wanted(("any",), ("program",)))
    assert fetched.versions == {"program": "2.0"}
    assert unpacked(fetched, tmp_path / "root") == {"program": "2.0"}


def test_a_named_version(repository: Path) -> None:
    assert debs.fetch(Wanted(("any",), ("program=1.0",))).versions == {"program": "1.0"}


def test_with_what_it_depends_on(repository: Path, tmp_path: Path) -> None:
    fetched = debs.fetch(Wanted(("any",), ("program",), closure=True))
    assert fetched.versions == {"library": "3.1", "program": "2.0"}
    assert unpacked(fetched, tmp_path / "root") == {"library": "3.1", "program": "2.0"}


def test_left_out_of_what_it_depends_on(repository: Path) -> None:
    assert debs.fetch(Wanted(("any",), ("program",), closure=True, without=("lib.*",))).versions == {"program": "2.0"}


def test_offline_afterwards(repository: Path) -> None:
    first = debs.fetch(Wanted(("any",), ("program",)))
    shutil.rmtree(repository)
    assert debs.fetch(Wanted(("any",), ("program",))) == first
    assert debs.fetch(Wanted(("any",), ("program",)), refresh=True) == first
    with pytest.raises(Unavailable, match="library: E"):
        debs.fetch(Wanted(("any",), ("library",)))


def test_refreshed(repository: Path) -> None:
    first = debs.fetch(Wanted(("any",), ("program",)))
    with (repository / "Packages").open("a") as index:
        index.write(package(repository, "program", "2.5"))
    assert debs.fetch(Wanted(("any",), ("program",))) == first
    newer = debs.fetch(Wanted(("any",), ("program",)), refresh=True)
    assert newer.versions == {"program": "2.5"}
    assert newer.digest != first.digest
    assert [file.name for file in sorted(newer.folder.glob("*.deb"))] == ["program_2.5_all.deb"]


def test_a_changed_file_in_the_cache_is_fetched_again(repository: Path) -> None:
    first = debs.fetch(Wanted(("any",), ("program",)))
    kept = first.folder / "program_2.0_all.deb"
    kept.write_bytes(kept.read_bytes()[:-1] + b"!")
    assert debs.fetch(Wanted(("any",), ("program",))).hashes == first.hashes
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == first.hashes[kept.name]


def test_a_changed_file_in_the_archive_is_refused(repository: Path) -> None:
    served = repository / "program_2.0_all.deb"
    served.write_bytes(served.read_bytes()[:-1] + b"!")
    with pytest.raises(Unavailable, match="program: E: .*"):
        debs.fetch(Wanted(("any",), ("program",)))


def test_an_unknown_package(repository: Path) -> None:
    with pytest.raises(Unavailable, match="nothing-such: E: .*nothing-such") as caught:
        debs.fetch(Wanted(("any",), ("nothing-such",)))
    assert "\n" not in str(caught.value)


def test_progress_is_shown(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    debs.fetch(Wanted(("any",), ("program",), closure=True))
    assert capsys.readouterr().err.startswith("apt-get for program: fetching ")


def test_a_package_that_apt_did_not_bring(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"program": "2.0", "library": "3.1"}
    run = apt.run

    def forgets(*command: str, cwd: Path | None = None, hear: apt.Hear | None = None) -> str:
        words = [word for word in command if "download" not in command or not word.startswith("library=")]
        return run(*words, cwd=cwd, hear=hear)

    monkeypatch.setattr(apt, "run", forgets)
    monkeypatch.setattr(Trusted, "resolve", lambda self, packages, closure: listed)
    with pytest.raises(Unavailable, match="apt-get fetched no package library, although it did not fail"):
        debs.fetch(Wanted(("any",), ("program",)))


def test_an_archive_without_a_signature_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trusted, "option", "")
    with pytest.raises(Unavailable, match="program: E: .*"):
        debs.fetch(Wanted(("any",), ("program",)))


def test_a_version_with_an_epoch() -> None:
    assert apt.parsed(LINE) == {"libz3-4": "2:4.1+x-3"}
