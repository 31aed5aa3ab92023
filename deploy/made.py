"""What a step that builds or fetches should have made, and what of it is missing.

A program that fetches or compiles may end with status 0 and leave nothing behind, and a folder in the cache may come
from an older or interrupted run. So each step names what it makes, checks that before it uses its cache, and checks it
again afterwards. Only the standard library is used here, since this runs before anything is installed.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterable

LOCKED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)( ;)?")
"""A package in a lock file; the third group: it is for some machines only."""


def lacking(folder: pathlib.Path, files: Iterable[str], programs: Iterable[str] = ()) -> list[str]:
    """Names, as given, of what is not below ``folder``, or empty there.

    Args:
        files: paths below ``folder``; one that ends in a slash is a folder with something in it.
        programs: the same, and to be executable.
    """
    programs = list(programs)
    missing = [name for name in files if not _holds(folder / name)]
    missing += [name for name in programs if not (_holds(folder / name) and os.access(folder / name, os.X_OK))]
    return missing


def _holds(place: pathlib.Path) -> bool:
    try:
        return any(place.iterdir()) if place.is_dir() else place.stat().st_size > 0
    except OSError:
        return False


def lacking_packages(sites: Iterable[pathlib.Path], lock: pathlib.Path) -> list[str]:
    """``NAME==VERSION`` for each package of a lock file that is installed in none of the ``site-packages`` folders.

    Packages that the lock file asks for on some machines only are not looked for.
    """
    there = {_key(*one.stem.rpartition("-")[::2]) for site in sites for one in _records(site)}
    return [f"{name}=={version}" for name, version in locked(lock) if _key(name, version) not in there]


def _records(site: pathlib.Path) -> Iterable[pathlib.Path]:
    """The folders in which pip notes what it installed; one without ``RECORD`` was left by an interrupted pip."""
    return (one for one in site.glob("*.dist-info") if (one / "RECORD").is_file())


def locked(lock: pathlib.Path) -> list[tuple[str, str]]:
    """Name and version of each package that a lock file asks for on every machine."""
    found = (LOCKED.match(line) for line in lock.read_text().splitlines())
    return [(one[1], one[2]) for one in found if one is not None and not one[3]]


def _key(name: str, version: str) -> tuple[str, str]:
    """A package's name and version in the form in which they can be compared."""
    plain = re.sub(r"[-_.]+", "-", name).lower()
    return plain, version.lower()


def sentence(what: str, missing: list[str], step: str) -> str:
    """What is said when a step has not made what it should have made.

    Args:
        what: the step made, for example ``the lab's programs in FOLDER``.
        missing: names of what is not there.
        step: what to do: a command, or where to look.
    """
    names = ", ".join(missing[:6]) + (f" and {len(missing) - 6} more" if len(missing) > 6 else "")
    return f"{what}: {names} {'is' if len(missing) == 1 else 'are'} missing although no command failed; {step}"
