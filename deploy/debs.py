"""Debian packages of any suite, fetched by apt into the cache without touching what this machine has installed.

apt runs with a folder of its own: own sources, own indexes, an empty list of installed packages. It checks the
signatures of the indexes with Debian's keyring and the hash of each package. The mirror is the one that the machine's
own sources name. What was fetched stays below the cache folder with the hash of each file, and is used again without
a network. Only the standard library is used here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile
import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deploy.bootstrap import cache

KEYRING = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MANIFEST = "manifest.json"
_LINE = re.compile(r"'[^']+' (?P<name>[^_]+)_(?P<version>[^_]+)_\w+\.deb ")
"""A line of ``apt-get --print-uris``."""


class Unavailable(Exception):
    """The packages can't be had; the text is one line that says why."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to fetch.

    Attributes:
        suites: of Debian, such as ``trixie`` and ``trixie-security``; of a security suite that this machine has no
            source for, nothing is taken.
        packages: words as apt-get takes them: ``name``, ``name=version`` or ``name/suite``.
        closure: with all packages that these depend on (not: recommend).
        without: of the closure, packages that are left out, as regular expressions for the whole name.
    """

    suites: tuple[str, ...]
    packages: tuple[str, ...]
    closure: bool = False
    without: tuple[str, ...] = ()

    def digest(self) -> str:
        """16 hexadecimal digits that name what is wanted."""
        words = json.dumps([self.suites, self.packages, self.closure, self.without])
        return hashlib.sha256(words.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Fetched:
    """Packages in the cache.

    Attributes:
        folder: that holds the files.
        versions: name of the package -> its version.
        hashes: name of the file -> SHA-256 of its content.
    """

    folder: pathlib.Path
    versions: dict[str, str]
    hashes: dict[str, str]

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that name the content."""
        return hashlib.sha256(json.dumps(sorted(self.hashes.items())).encode()).hexdigest()[:16]

    def unpack(self, root: pathlib.Path) -> None:
        """Unpack all packages into ``root``; no script of theirs runs."""
        root.mkdir(parents=True, exist_ok=True)
        for name in sorted(self.hashes):
            subprocess.run(["dpkg-deb", "-x", str(self.folder / name), str(root)], check=True)


def fetch(wanted: Wanted, *, refresh: bool = False) -> Fetched:
    """The packages, from the cache if they are there and whole, else from Debian's archive.

    Args:
        wanted: the packages.
        refresh: ask the archive even if they are in the cache; on failure the cache's are kept and used.

    Raises:
        Unavailable: they are not in the cache, and the archive can't be reached or has not all of them.
    """
    place = cache() / "debs" / wanted.digest()
    place.parent.mkdir(parents=True, exist_ok=True)
    with _alone(place.parent / f"{wanted.digest()}.lock"):
        kept = _kept(place)
        if kept and not refresh:
            return kept
        try:
            return _download(wanted, place)
        except Unavailable:
            if kept:
                return kept
            raise


def resolve(wanted: Wanted) -> dict[str, str]:
    """Package -> version that ``fetch`` would take from the archive now.

    Raises:
        Unavailable: the archive can't be reached or has not all of them.
    """
    with _Apt(wanted.suites) as apt:
        return dict(apt.resolve(wanted))


@contextlib.contextmanager
def _alone(lock: pathlib.Path) -> Iterator[None]:
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _kept(place: pathlib.Path) -> Fetched | None:
    """What the cache holds, if every file has the hash it had when it was fetched."""
    try:
        written = json.loads((place / MANIFEST).read_text())
        if all(_hash(place / name) == value for name, value in written["hashes"].items()):
            return Fetched(place, written["versions"], written["hashes"])
    except (OSError, ValueError, KeyError):
        pass
    return None


def _download(wanted: Wanted, place: pathlib.Path) -> Fetched:
    with _Apt(wanted.suites) as apt, tempfile.TemporaryDirectory(dir=place.parent, prefix="part-") as part:
        folder = pathlib.Path(part) / "files"
        folder.mkdir()
        chosen = apt.resolve(wanted)
        apt("download", *(f"{name}={version}" for name, version in chosen), folder=folder)
        names = {file.name.split("_")[0]: file.name for file in folder.glob("*.deb")}
        if lacking := sorted({name for name, _ in chosen} - names.keys()):
            raise Unavailable(f"apt-get fetched no package {', '.join(lacking)}")
        hashes = {name: _hash(folder / name) for name in sorted(names.values())}
        versions = dict(chosen)
        (folder / MANIFEST).write_text(json.dumps({"versions": versions, "hashes": hashes}, indent=1))
        shutil.rmtree(place, ignore_errors=True)
        folder.replace(place)
    return Fetched(place, versions, hashes)


class _Apt:
    """apt-get with indexes of certain suites and nothing installed, in a temporary folder."""

    def __init__(self, suites: Sequence[str]) -> None:
        self._suites = suites
        self._temporary = tempfile.TemporaryDirectory(prefix="okm-apt-")
        self._dir = pathlib.Path(self._temporary.name)

    def __enter__(self) -> _Apt:
        try:
            for name in ("etc", "state/lists/partial", "cache/archives/partial"):
                (self._dir / name).mkdir(parents=True)
            (self._dir / "status").touch()
            (self._dir / "etc/sources.list").write_text(_sources(self._suites))
            self("update")
        except BaseException:
            self._temporary.cleanup()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def __call__(self, *words: str, folder: pathlib.Path | None = None) -> str:
        """Run apt-get in ``folder``; its output. Raises Unavailable with apt's own line."""
        settings = {
            "Dir": self._dir,
            "Dir::State": "state",
            "Dir::State::status": self._dir / "status",
            "Dir::Cache": "cache",
            "Dir::Etc": "etc",
            # as the user _apt it could not write here
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
            "Acquire::Languages": "none",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
            "Acquire::Retries": "3",
        }
        options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        done = subprocess.run(
            ["apt-get", "-q", *options, *words],
            cwd=folder or self._dir,
            env={**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            said = [line for line in (done.stderr + done.stdout).splitlines() if line.startswith(("E:", "Err:"))]
            verb = next(word for word in words if not word.startswith("-"))
            raise Unavailable(f"apt-get {verb}: {(said or [done.stderr.strip()[-200:] or 'failed'])[0]}")
        return done.stdout

    def resolve(self, wanted: Wanted) -> list[tuple[str, str]]:
        """Name and version of each package, in the order of names."""
        verb = ("install", "--yes", "--no-install-recommends") if wanted.closure else ("download",)
        found = parsed(self("--print-uris", *verb, *wanted.packages))
        return [one for one in found if not any(re.fullmatch(pattern, one[0]) for pattern in wanted.without)]


def parsed(listed: str) -> list[tuple[str, str]]:
    """Name and version of the packages that ``apt-get --print-uris`` lists, in the order of names."""
    found = [_LINE.match(line) for line in listed.splitlines()]
    return sorted((one["name"], urllib.parse.unquote(one["version"])) for one in found if one)


def _sources(suites: Sequence[str]) -> str:
    """The sources.list of ``suites``. Raises Unavailable without a mirror or Debian's keyring."""
    if not KEYRING.exists():
        raise Unavailable(f"{KEYRING} is missing: install debian-archive-keyring")
    listed = subprocess.run(
        ["apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    release = platform.freedesktop_os_release().get("VERSION_CODENAME", "stable")
    return "".join(f"{line}\n" for line in lines(listed, release, suites))


def lines(listed: str, release: str, suites: Sequence[str]) -> list[str]:
    """Entries of sources.list for ``suites``, with the mirrors of this machine's own ``release``.

    Args:
        listed: address and suite of each of this machine's sources, one a line.
        release: code name of this machine's Debian.
        suites: a security suite is left out if this machine has no source for its own.

    Raises:
        Unavailable: no source is of Debian's ``release``.
    """
    mirrors: dict[bool, str] = {}
    for line in listed.splitlines():
        address, _, suite = line.rpartition(" ")
        if suite.startswith(release):
            mirrors.setdefault(suite.endswith("-security"), address)
    if False not in mirrors:
        raise Unavailable(f"this machine's apt sources name no mirror of Debian {release}")
    return [
        f"deb [signed-by={KEYRING}] {mirrors[suite.endswith('-security')]} {suite} main"
        for suite in suites
        if suite.endswith("-security") in mirrors
    ]


def _hash(file: pathlib.Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
