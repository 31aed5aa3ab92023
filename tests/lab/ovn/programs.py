"""The programs of Open vSwitch and OVN: Debian packages unpacked into the cache, never installed on the machine.

They are those of Debian 13, whatever the machine runs: the userspace datapath of Debian 12's Open vSwitch 3.1.0 aborts
in its connection tracking. So they run under their own loader, with their own libraries.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess

from deploy import made
from deploy.bootstrap import cache

SUITE = "trixie"
PACKAGES = ("openvswitch-switch", "ovn-central", "ovn-host", "libc6")
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/lib/python3*")
MIRROR = "http://deb.debian.org/debian"
WHERE = {
    "ovs-vswitchd": "usr/lib/openvswitch-switch",
    "ovsdb-server": "usr/sbin",
}
"""Folders of the programs that are not in ``usr/bin``."""
USED = (
    "ovs-vswitchd",
    "ovs-vsctl",
    "ovsdb-server",
    "ovsdb-tool",
    "ovn-northd",
    "ovn-controller",
    "ovn-nbctl",
    "ovn-sbctl",
)
SCHEMAS = ("ovn/ovn-nb.ovsschema", "ovn/ovn-sb.ovsschema", "openvswitch/vswitch.ovsschema")


def folder() -> pathlib.Path:
    """Where the programs are unpacked, named by what is asked for."""
    recipe = repr((SUITE, PACKAGES, LEFT_OUT, platform.machine()))
    return cache() / f"ovn-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"


def fetched() -> pathlib.Path | None:
    """The folder, if the programs are there."""
    return folder() if (folder() / ".whole").exists() and not absent() else None


def absent() -> list[str]:
    """What of the programs, their databases' schemas and their libraries is not in the folder."""
    library = f"usr/lib/{platform.machine()}-linux-gnu/"
    programs = [f"{WHERE.get(name, 'usr/bin')}/{name}" for name in USED]
    return made.lacking(folder(), [library, *(f"usr/share/{name}" for name in SCHEMAS)], programs)


def lacking() -> str | None:
    """Why the programs can neither be found nor fetched, in one line; None when they can."""
    if os.geteuid() != 0:
        return "OVN's tests need root (network namespaces)"
    if fetched() is None and shutil.which("mmdebstrap") is None:
        return "OVN's tests need the Debian package mmdebstrap to unpack Open vSwitch and OVN"
    return None


def fetch() -> pathlib.Path:
    """Unpack what is missing: about 140 MB, half a minute; the folder.

    Raises:
        RuntimeError: the packages cannot be had; the last words of mmdebstrap are its text, or what is missing.
    """
    cache().mkdir(parents=True, exist_ok=True)
    place = folder()
    with (cache() / "ovn.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if fetched() is None:
            shutil.rmtree(place, ignore_errors=True)
            _unpack(place)
            if missing := absent():
                raise RuntimeError(made.sentence(f"the packages in {place}", missing, f"look at {SUITE}'s packages"))
            (place / ".whole").touch()
    return place


def _unpack(place: pathlib.Path) -> None:
    words = ["mmdebstrap", "--quiet", "--format=directory", "--variant=extract", "--mode=root"]
    words += ['--aptopt=APT::Install-Recommends "false"', f"--include={','.join(PACKAGES)}"]
    words += [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
    done = subprocess.run(
        [*words, SUITE, str(place), f"deb {_mirror()} {SUITE} main"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        shutil.rmtree(place, ignore_errors=True)
        raise RuntimeError("; ".join(done.stderr.strip().splitlines()[-3:]))


def _mirror() -> str:
    """The mirror that this machine's own apt uses, if it is a Debian one."""
    for file in sorted(pathlib.Path("/etc/apt").rglob("*.sources")) + sorted(pathlib.Path("/etc/apt").rglob("*.list")):
        for line in file.read_text().splitlines():
            words = line.split()
            found = [word for word in words if "://" in word and word.rstrip("/").endswith("/debian")]
            if found and words[0] in ("URIs:", "deb"):
                return found[0]
    return MIRROR


class Programs:
    """How each program is started."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        library = root / "usr" / "lib" / f"{platform.machine()}-linux-gnu"
        loader = next(iter(sorted(library.glob("ld-linux*.so.*"))), None)
        if loader is None:
            raise RuntimeError(f"{library} has no loader")
        self._start = (str(loader), "--library-path", str(library))

    def words(self, name: str, *arguments: str) -> tuple[str, ...]:
        """The command that runs a program."""
        return (*self._start, str(self.root / WHERE.get(name, "usr/bin") / name), *arguments)

    def schema(self, name: str) -> str:
        """Path of a database's schema, as ``ovn/ovn-nb.ovsschema``."""
        return str(self.root / "usr" / "share" / name)
