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
import pathlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from deploy import progress
from deploy.bootstrap import cache
from drivers.ganesha.program import apt

MANIFEST = "manifest.json"


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
    troubles = []
    try:
        for mirror in apt.mirrors():
            try:
                return _from(mirror, wanted, place)
            except apt.AptFailed as error:
                troubles.append(str(error))
    except apt.AptFailed as error:
        troubles.append(str(error))
    raise Unavailable(f"{' '.join(wanted.packages)}: {troubles[0]}")


def _from(mirror: str, wanted: Wanted, place: pathlib.Path) -> Fetched:
    """Fetch from one mirror. Raises AptFailed."""
    address = apt.security_mirror()
    security = [suite for suite in wanted.suites if suite.endswith("-security") and address]
    suites = [suite for suite in wanted.suites if not suite.endswith("-security")]
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="part-") as part:
        folder = pathlib.Path(part) / "files"
        with tempfile.TemporaryDirectory(prefix="okm-apt-") as lists:
            own = apt.Suites(pathlib.Path(lists), mirror, suites, (address or "", security[0]) if security else None)
            own.update()
            found = own.resolve(wanted.packages, closure=wanted.closure)
            versions = {
                name: version
                for name, version in found.items()
                if not any(re.fullmatch(pattern, name) for pattern in wanted.without)
            }
            with progress.shown(f"apt-get for {wanted.packages[0]}", progress.of_apt) as hear:
                files = own.download(versions, folder, hear)
        hashes = {file.name: _hash(file) for file in files}
        (folder / MANIFEST).write_text(json.dumps({"versions": versions, "hashes": hashes}, indent=1))
        shutil.rmtree(place, ignore_errors=True)
        folder.replace(place)
    return Fetched(place, versions, hashes)


def _hash(file: pathlib.Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
