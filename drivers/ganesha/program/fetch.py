"""Fetch a Ganesha of its own into a folder: Debian packages, unpacked and never installed. Needs apt, no root.

Nobody ever finds half a folder: it is made beside its place, checked by starting the program, and then renamed. What is
there stays until then; a gateway that runs from it goes on, and runs the new one after its next start.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from drivers.ganesha.program import apt, found, pins

Say = Callable[[str], None]
_EXCHANGE: Final = 2
_HERE: Final = -100


class Unavailable(Exception):
    """It could not be fetched; the text says why and what to do."""


class Gone(Unavailable):
    """The archive does not have the pinned versions any more."""


def whole(into: Path) -> bool:
    """Whether a folder holds what it was fetched with."""
    listed = found.contents(into)
    return listed is not None and not found.difference(into, listed["files"])


def fetch(
    into: Path, *, mirror: str | None = None, newer: bool = False, say: Say = print, hear: apt.Hear | None = None
) -> found.Program:
    """The Ganesha in the folder ``into``, fetched unless it is there.

    Args:
        mirror: URL of a Debian archive; None: that of the machine's own apt.
        newer: take the newest version of each package that Debian 13, its security updates and its backports have, of
            the same major release of Ganesha; otherwise the pinned versions, which need no network once fetched.
        say: told of each step.
        hear: gets apt's lines while the packages are fetched.

    Raises:
        Gone: a pinned version is not in the archive any more.
        Unavailable: it could not be had for another reason, or ``into`` is something else.
    """
    into = into.absolute()
    with _alone(into):
        listed = found.contents(into)
        if listed is None and into.exists() and (not into.is_dir() or any(into.iterdir())):
            raise Unavailable(f"{into} is there and is no folder of a Ganesha; name another, or remove it")
        if not newer and listed is not None and listed["packages"] == pins.PACKAGES and whole(into):
            say(f"{into} has it already")
            return found.in_folder(into)
        try:
            _fetched(into, mirror, newer, say, hear)
            program = found.in_folder(into)
        except (apt.AptFailed, found.Unusable, OSError) as error:
            raise Unavailable(f"NFS-Ganesha could not be fetched: {error}") from error
    say(f"NFS-Ganesha {program.release} is in {into}")
    return program


def _fetched(into: Path, mirror: str | None, newer: bool, say: Say, hear: apt.Hear | None) -> None:
    part = into.with_name(f".{into.name}.part")
    with tempfile.TemporaryDirectory(prefix="apt-") as temporary:
        work = Path(temporary)
        work.chmod(0o755)
        suites = _suites(work, mirror, newer, say)
        versions = _newest(suites) if newer else _pinned(suites)
        say(f"fetching {len(versions)} packages, among them nfs-ganesha {versions['nfs-ganesha']}")
        files = suites.download(versions, work / "packages", hear)
        shutil.rmtree(part, ignore_errors=True)
        try:
            part.mkdir()
            say(f"unpacking {sum(file.stat().st_size for file in files) / 1e6:.1f} MB")
            for file in files:
                apt.run("dpkg-deb", "--extract", str(file), str(part))
            _finish(part, versions)
            _put(part, into)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _suites(work: Path, mirror: str | None, newer: bool, say: Say) -> apt.Suites:
    """The archive, with its lists of packages. Raises AptFailed: none of the machine's mirrors has them."""
    security = apt.security_mirror() if newer and mirror is None else None
    pair = (security, pins.SECURITY) if security else None
    troubles = []
    for number, one in enumerate([mirror] if mirror else apt.mirrors()):
        say(f"reading the lists of {' and '.join(pins.SUITES)}")
        folder = work / str(number)
        folder.mkdir()
        suites = apt.Suites(folder, one, pins.SUITES, pair)
        try:
            suites.update()
        except apt.AptFailed as error:
            troubles.append(str(error))
        else:
            return suites
    raise apt.AptFailed("; ".join(troubles))


def _pinned(suites: apt.Suites) -> dict[str, str]:
    there = suites.versions(pins.PACKAGES)
    lacking = [
        f"{package} {version} (there is {', '.join(there[package]) or 'none'})"
        for package, version in pins.PACKAGES.items()
        if version not in there[package]
    ]
    if lacking:
        raise Gone(
            f"the archive has other versions than those tested with this release: {'; '.join(lacking)}. "
            "With --newer they are taken; a newer release of openkeel-manila names them"
        )
    return dict(pins.PACKAGES)


def _newest(suites: apt.Suites) -> dict[str, str]:
    """The newest version of each package: of Ganesha those of the pinned major release, else those of the suite."""
    major = pins.PACKAGES["nfs-ganesha"].partition(".")[0] + "."
    ganesha = [one for one in suites.versions(["nfs-ganesha"])["nfs-ganesha"] if one.startswith(major)]
    if not ganesha:
        raise Gone(
            f"the archive has no nfs-ganesha {major}x any more; a newer release of openkeel-manila names another"
        )
    # the name of this library has its version
    beside = {name for name in suites.depends("nfs-ganesha", ganesha[0]) if re.match(r"libntirpc\d", name)}
    names = [name for name in pins.PACKAGES if not name.startswith(("nfs-ganesha", "libntirpc"))]
    chosen = {"nfs-ganesha": ganesha[0], "nfs-ganesha-vfs": ganesha[0]}
    for package, there in suites.versions([*names, *sorted(beside)]).items():
        # of two suites the stable one: its libraries fit each other
        fit = [one for one in there if package in beside or "~bpo" not in one]
        if not fit:
            raise Gone(f"the archive has no {package}; a newer release of openkeel-manila names what replaces it")
        chosen[package] = fit[0]
    return chosen


def _finish(part: Path, versions: Mapping[str, str]) -> None:
    """Leave out what nothing reads, give the loader its name, see that the program runs, write the list.

    Raises:
        Unusable: the program does not start, or needs a library that is not in the folder.
    """
    for name in pins.LEFT_OUT:
        shutil.rmtree(part / name, ignore_errors=True)
    for file in part.glob("usr/share/doc/*/*"):
        if file.name != "copyright":
            shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
    libraries = found.libraries(part)
    loaders = sorted(libraries.glob("ld-linux*.so.*"))
    if not loaders:
        raise found.Unusable("the C library has no loader")
    (part / found.LOADER).parent.mkdir()
    (part / found.LOADER).symlink_to(os.path.join("..", loaders[0].relative_to(part)))
    words = found.command(part)
    for file in (part / "usr/bin" / found.NAME, libraries / "ganesha" / "libfsalvfs.so"):
        for line in apt.run(words[0], "--list", *words[1:3], str(file)).splitlines():
            name, _, target = line.strip().partition(" => ")
            if target and not target.startswith(f"{part}/"):
                raise found.Unusable(f"{file.name} needs {name}, which none of the packages has")
    (part / found.LIST).write_text(json.dumps({"packages": dict(versions), "files": found.hashes(part)}, indent=1))
    program = found.in_folder(part)
    if program.old or not versions["nfs-ganesha"].startswith(program.release):
        raise found.Unusable(f"the packages hold NFS-Ganesha {program.release}")


def _put(part: Path, into: Path) -> None:
    """Put a folder in its place; one that is there changes places with it in one step."""
    os.sync()
    if not into.exists():
        part.rename(into)
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_HERE, os.fsencode(part), _HERE, os.fsencode(into), _EXCHANGE):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(into))


@contextlib.contextmanager
def _alone(into: Path) -> Iterator[None]:
    """One process at a time for a folder."""
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        handle = into.with_name(f".{into.name}.lock").open("w")
    except OSError as error:
        raise Unavailable(f"{into} can't be made: {error.strerror}") from error
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
