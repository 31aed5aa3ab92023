"""Other people's programs that tests run, each in an environment of its own made from a lock file.

They stay in the user's cache (``XDG_CACHE_HOME``), named after the lock file's content, and are made once.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

from deploy import made, progress
from deploy.bootstrap import ROOT, apt_get, say

PROGRAMS = {
    "horizon": ("python",),
    "keystone": ("keystone-manage", "gunicorn"),
    "skyline": ("python", "alembic"),
    "tempest": ("python", "tempest"),
}
"""What tests run of each environment."""
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "openkeel-manila"


@contextlib.contextmanager
def alone(name: str) -> Iterator[pathlib.Path]:
    """The folder ``name`` of the cache, in one process at a time."""
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield folder


def programs(name: str, settings: str = "", prepare: Callable[[pathlib.Path, str], None] | None = None) -> pathlib.Path:
    """The ``bin`` folder of the environment of ``requirements/NAME.txt``, made first if need be.

    Only hash-checked packages are installed.

    Args:
        settings: what ``prepare`` writes into the environment; another text is another environment.
        prepare: called once with the environment's folder and ``settings``.

    Raises:
        RuntimeError: pip failed, its message is on standard error; or something is missing although it did not fail.
    """
    lock = ROOT / "requirements" / f"{name}.txt"
    digest = hashlib.sha256(lock.read_bytes() + sys.version.encode() + settings.encode()).hexdigest()[:16]
    with alone(f"{name}-{digest}") as folder:
        if not (folder / ".done").exists() or lacking(name, folder, lock):
            say(f"making an environment from {lock.relative_to(ROOT)} (once)")
            (folder / ".done").unlink(missing_ok=True)
            _install(folder, lock)
            if missing := lacking(name, folder, lock):
                raise RuntimeError(made.sentence(f"the environment {folder}", missing, f"look at {lock.name}"))
            if prepare is not None:
                prepare(folder, settings)
            (folder / ".done").touch()
    return folder / "bin"


def lacking(name: str, folder: pathlib.Path, lock: pathlib.Path) -> list[str]:
    """What an environment should hold and does not: packages of its lock file, and programs."""
    missing = made.lacking_packages(folder.glob("lib/python*/site-packages"), lock)
    return missing + made.lacking(folder, (), (f"bin/{one}" for one in PROGRAMS.get(name, ())))


def _install(folder: pathlib.Path, lock: pathlib.Path) -> None:
    # without-pip: Debian's python3 has no ensurepip unless python3-venv is installed
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--clear", "--without-pip", str(folder)], check=True)
    pip = [base, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--progress-bar", "off"]
    pip += ["--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
    if not progress.followed(pip, "pip", progress.of_pip(len(made.locked(lock)))):
        raise RuntimeError(f"the packages of {lock.name} could not be installed; pip's message is above")


def debian(**needed: str) -> None:
    """Install Debian packages whose program is not there: ``program=package``, ``_`` in a program standing for ``-``.

    Raises:
        RuntimeError: a program is missing and could not be installed.
    """
    wanted = [(program.replace("_", "-"), package) for program, package in needed.items()]
    lacking = sorted({package for program, package in wanted if not shutil.which(program)})
    if not lacking:
        return
    say(f"apt-get install {' '.join(lacking)}")
    install = ("install", "--yes", "--no-install-recommends", *lacking)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise RuntimeError(f"these Debian packages are needed: {' '.join(lacking)}")
    if not apt_get(*install) and not (apt_get("update") and apt_get(*install)):
        raise RuntimeError(f"apt-get could not install: {' '.join(lacking)}")
    if still := [program for program, _ in wanted if not shutil.which(program)]:
        raise RuntimeError(made.sentence(f"the Debian packages {' '.join(lacking)}", still, "look at the PATH"))
