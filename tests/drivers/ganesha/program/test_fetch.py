"""Fetching a Ganesha: what is kept, what is refused, and that nobody finds half of one. apt is played by a folder."""

from __future__ import annotations

import json
import pathlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import pytest

from drivers.ganesha.program import apt, fetch, found, pins


class Archive:
    """What ``apt.Suites`` does, with an archive of versions in memory; ``fails`` breaks a download."""

    there: ClassVar[dict[str, list[str]]]
    fails = False
    downloads = 0
    asked: ClassVar[list[tuple[str, tuple[str, str] | None]]]

    def __init__(
        self, folder: pathlib.Path, mirror: str, suites: Sequence[str], security: tuple[str, str] | None = None
    ) -> None:
        self.mirror = mirror
        self.asked.append((mirror, security))

    def update(self) -> None:
        if self.mirror == "http://other":
            raise apt.AptFailed("E: no such suite")

    def versions(self, packages: Iterable[str]) -> dict[str, list[str]]:
        return {name: self.there.get(name, []) for name in packages}

    def depends(self, package: str, version: str) -> list[str]:
        return ["libc6", "libntirpc7.3" if version.startswith("9.15") else "libntirpc7.2"]

    def download(
        self, wanted: Mapping[str, str], into: pathlib.Path, hear: apt.Hear | None = None
    ) -> list[pathlib.Path]:
        type(self).downloads += 1
        into.mkdir()
        for package, version in wanted.items():
            (into / f"{package}.deb").write_text(version)
        if self.fails:
            raise apt.AptFailed("E: the connection was cut")
        return sorted(into.glob("*.deb"))


def _run(*command: str, cwd: pathlib.Path | None = None) -> str:
    """``dpkg-deb --extract``, and the loader's list of libraries, all of which are in the folder."""
    if command[0] != "dpkg-deb":
        return "\tlinux-vdso.so.1 (0x0)\n"
    deb, root = pathlib.Path(command[2]), pathlib.Path(command[3])
    files = {f"usr/share/doc/{deb.stem}/copyright": "free", f"usr/share/doc/{deb.stem}/changelog": "long"}
    if deb.stem == "nfs-ganesha":
        release = deb.read_text().partition("-")[0]
        files |= {"usr/bin/ganesha.nfsd": "", "usr/share/man/x": "", "var/log/x": "", "etc/ganesha/ganesha.conf": ""}
        # the loader of the played archive says the version, whatever it is to start
        files["usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"] = f"#!/bin/sh\necho NFS-Ganesha Release = V{release}\n"
    if deb.stem == "libc6":
        files["usr/lib/x86_64-linux-gnu/libc.so.6"] = deb.read_text()
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    return ""


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> type[Archive]:
    class Own(Archive):
        there: ClassVar[dict[str, list[str]]] = {name: [version] for name, version in pins.PACKAGES.items()}
        asked: ClassVar[list[tuple[str, tuple[str, str] | None]]] = []

    monkeypatch.setattr(apt, "Suites", Own)
    monkeypatch.setattr(apt, "run", _run)
    monkeypatch.setattr(apt, "mirrors", lambda: ["http://mirror"])
    monkeypatch.setattr(apt, "security_mirror", lambda: "http://security")
    return Own


def _names(folder: pathlib.Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_fetched_once_and_then_without_a_network(archive: type[Archive], tmp_path: pathlib.Path) -> None:
    said: list[str] = []
    program = fetch.fetch(tmp_path / "g", say=said.append)
    assert program.version == (9, 14) and not program.old
    assert program.words[0] == str(tmp_path / "g/bin/ganesha.nfsd")
    assert program.plugins == str(tmp_path / "g/usr/lib/x86_64-linux-gnu/ganesha")
    assert any("23 packages" in line for line in said)
    kept = {path.name for path in (tmp_path / "g").rglob("*")}
    assert "copyright" in kept and not {"changelog", "man", "etc", "var"} & kept
    archive.fails = True
    assert fetch.fetch(tmp_path / "g", say=said.append) == program
    assert archive.downloads == 1
    assert _names(tmp_path) == {"g", ".g.lock"}


def test_what_is_cut_short_leaves_nothing(archive: type[Archive], tmp_path: pathlib.Path) -> None:
    archive.fails = True
    with pytest.raises(fetch.Unavailable, match="connection was cut"):
        fetch.fetch(tmp_path / "g")
    assert _names(tmp_path) == {".g.lock"}
    with pytest.raises(found.Unusable, match="manila-manage ganesha fetch"):
        found.in_folder(tmp_path / "g")


def test_a_folder_of_somebody_else_is_left_alone(archive: type[Archive], tmp_path: pathlib.Path) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / "g/mine").touch()
    with pytest.raises(fetch.Unavailable, match="is no folder of a Ganesha"):
        fetch.fetch(tmp_path / "g")
    assert _names(tmp_path / "g") == {"mine"}


@pytest.mark.parametrize("how", ["changed", "missing", "more"])
def test_a_damaged_folder_is_refused_and_fetched_again(
    archive: type[Archive], tmp_path: pathlib.Path, how: str
) -> None:
    fetch.fetch(tmp_path / "g")
    file = tmp_path / "g/usr/lib/x86_64-linux-gnu/libc.so.6"
    if how == "changed":
        file.write_text("something else")
    elif how == "missing":
        file.unlink()
    else:
        (tmp_path / "g/usr/lib/x86_64-linux-gnu/libm.so.6").touch()
    with pytest.raises(found.Unusable, match="is damaged"):
        found.in_folder(tmp_path / "g")
    fetch.fetch(tmp_path / "g")
    found.in_folder(tmp_path / "g")
    assert archive.downloads == 2
    assert _names(tmp_path) == {"g", ".g.lock"}


def test_versions_that_are_gone(archive: type[Archive], tmp_path: pathlib.Path) -> None:
    """The pinned ones are asked for; others are taken where that is asked for, with the library they need."""
    archive.there |= {"libc6": ["2.41-12+deb13u9"], "libblkid1": ["2.42-1~bpo13+1", "2.41.5-0+deb13u2"]}
    with pytest.raises(fetch.Gone, match=r"libc6 2.41-12\+deb13u5 \(there is 2.41-12\+deb13u9\).*--newer"):
        fetch.fetch(tmp_path / "g")
    archive.there |= {"nfs-ganesha": ["10.1-1~bpo13+1", "9.15-1~bpo13+1", "6.5-5"], "libntirpc7.3": ["7.3-1~bpo13+1"]}
    del archive.there["libntirpc7.2"]
    program = fetch.fetch(tmp_path / "g", newer=True)
    assert program.version == (9, 15)
    listed = json.loads((tmp_path / "g/packages.json").read_text())["packages"]
    assert listed["nfs-ganesha"] == listed["nfs-ganesha-vfs"] == "9.15-1~bpo13+1"
    assert listed["libc6"] == "2.41-12+deb13u9" and listed["libblkid1"] == "2.41.5-0+deb13u2"
    assert listed["libntirpc7.3"] == "7.3-1~bpo13+1" and "libntirpc7.2" not in listed
    assert archive.asked[-1] == ("http://mirror", ("http://security", "trixie-security"))
    archive.there["nfs-ganesha"] = ["10.1-1~bpo13+1", "6.5-5"]
    with pytest.raises(fetch.Gone, match=r"no nfs-ganesha 9\.x"):
        fetch.fetch(tmp_path / "h", newer=True)


def test_the_next_mirror_is_asked(
    archive: type[Archive], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apt, "mirrors", lambda: ["http://other", "http://mirror"])
    fetch.fetch(tmp_path / "g")
    monkeypatch.setattr(apt, "mirrors", lambda: ["http://other"])
    with pytest.raises(fetch.Unavailable, match="no such suite"):
        fetch.fetch(tmp_path / "h")


def test_a_library_that_no_package_has(
    archive: type[Archive], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*command: str, cwd: pathlib.Path | None = None) -> str:
        text = _run(*command, cwd=cwd)
        return text + "\tlibnew.so.1 => /usr/lib/libnew.so.1 (0x0)\n" if "--list" in command else text

    monkeypatch.setattr(apt, "run", run)
    with pytest.raises(fetch.Unavailable, match=r"needs libnew\.so\.1"):
        fetch.fetch(tmp_path / "g")


def test_two_at_once_fetch_once(archive: type[Archive], tmp_path: pathlib.Path) -> None:
    threads = [threading.Thread(target=fetch.fetch, args=(tmp_path / "g",)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert archive.downloads == 1
    found.in_folder(tmp_path / "g")


def test_the_mirror_is_the_machine_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the sources of apt those of Debian itself count: by the names of its suites, security and others apart."""
    lines = [
        "http://a/debian/|bookworm|main",
        "http://a/security/|bookworm-security|main",
        "http://b/tools/|nodistro|main",
        "http://c/debian/|stable|main",
        "http://d/docker/|bookworm|stable",
    ]
    monkeypatch.setattr(apt, "run", lambda *_: "\n".join(lines))
    release = pathlib.Path("/etc/os-release")
    monkeypatch.setattr(
        pathlib.Path, "read_text", lambda path: "ID=debian\nVERSION_CODENAME=bookworm\n" if path == release else ""
    )
    assert apt.mirrors() == ["http://a/debian/", "http://c/debian/"]
    assert apt.security_mirror() == "http://a/security/"
    monkeypatch.setattr(apt, "run", lambda *_: lines[2])
    with pytest.raises(apt.AptFailed, match="name a mirror"):
        apt.mirrors()
