"""A shell in a tenant's machine beside a demonstration that is kept: ``python3 noxfile.py demo -- shell tenant-a``.

The machine is a network namespace. Where the kernel has an NFS client the share is mounted in a mount namespace of the
shell's own, so that it goes with the shell; elsewhere the program ``nfs`` reads and writes it from user space.
"""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass

from deploy.bootstrap import ROOT
from deploy.embedded import claim, machines
from deploy.embedded.nfs import USES
from drivers.ganesha.embedded.network import NAMESPACES, inside

TENANTS = ("tenant-a", "tenant-b")
OPTIONS = "vers=4.1,proto=tcp,softerr,timeo=100,retrans=2"
"""Of the mount: without its server a command ends with an error after a minute."""
GONE = (-signal.SIGHUP, 128 + signal.SIGHUP, -signal.SIGKILL)
"""How a shell ends that the demonstration's end has ended."""
MOUNTED = """\
for at in $(cut -d ' ' -f 2 /proc/mounts); do
    case $at in {folder}/*) umount -l "$at" ;; esac
done
mount -t nfs4 -o {options} {export} {where} && cd {where} && echo {greeting} {where} && exec {shell}
"""
"""Takes the mounts below the folder out of its own mount namespace first: a copy there would keep a share in use."""
BESIDE = "echo {greeting} {uses}\nexec {shell}\n"
"""Without the mount, or when that failed and has said why."""


@dataclass(frozen=True, slots=True)
class Share:
    """A tenant's share: the address of its gateway, and its path there."""

    address: str
    path: str


def note(folder: pathlib.Path, cloud: str, share: Share) -> None:
    """Write down a tenant's share for ``run``."""
    (folder / f"{cloud}.share.json").write_text(json.dumps(asdict(share)))


def noted(folder: pathlib.Path, cloud: str) -> Share | None:
    """The share of a tenant, or None when it has none."""
    try:
        return Share(**json.loads((folder / f"{cloud}.share.json").read_text()))
    except (OSError, ValueError):
        return None


def kernel_client() -> bool:
    """Whether the kernel of this machine can mount NFS 4, its module loaded or to be had, with the program for it."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    if shutil.which("mount.nfs4", path=path) is None:
        return False
    if modprobe := shutil.which("modprobe", path=path):
        subprocess.run([modprobe, "--quiet", "nfsv4"], check=False, stderr=subprocess.DEVNULL)
    return any(line.split()[-1] == "nfs4" for line in pathlib.Path("/proc/filesystems").read_text().splitlines())


def run(folder: pathlib.Path, cloud: str) -> int:
    """Run the shell to its end. Returns its exit status (0 at a terminal), or 1 after a line that says why none ran."""
    why, share = None, noted(folder, cloud)
    if cloud not in TENANTS:
        why = f"there is no {cloud}; the tenants are {' and '.join(TENANTS)}"
    elif not claim.in_use(folder):
        why = "no demonstration is kept here: `python3 noxfile.py demo -- --keep` in another terminal starts one"
    elif os.geteuid() != 0:
        why = "a shell in a tenant's machine needs root (namespaces)"
    elif share is None or not (NAMESPACES / machines.machine(folder, cloud)).exists():
        why = f"{cloud} has no machine: the demonstration is not that far yet, or runs on the dummy driver"
    if why is not None or share is None:
        print(why, file=sys.stderr)
        return 1
    command = words(folder, cloud, share, kernel=kernel_client())
    status = subprocess.run(command, check=False, env=_environment(folder, cloud)).returncode
    if status in GONE:
        print(f"{cloud}'s machine is gone: the demonstration ends", file=sys.stderr)
    # whoever types `exit` after a command that failed is content nevertheless
    return 0 if sys.stdin.isatty() else status


def words(folder: pathlib.Path, cloud: str, share: Share, *, kernel: bool) -> list[str]:
    """The command that is the shell.

    Args:
        kernel: whether the share is mounted; the user-space client is in the shell's path anyway.
    """
    place = folder / "shell" / cloud
    where = place / "docs"
    where.mkdir(parents=True, exist_ok=True)
    _write_client(place / "nfs", share)
    export = f"{share.address}:{share.path}"
    values = {
        "folder": folder,
        "options": OPTIONS,
        "export": export,
        "where": where,
        "shell": os.environ.get("SHELL") or "/bin/sh",
        "greeting": f"this is {cloud}'s machine; its share {export}:",
        "uses": ", ".join(f"nfs {verb} {words}".rstrip() for verb, words in USES.items()),
    }
    script = (MOUNTED if kernel else "") + BESIDE
    quoted = {name: shlex.quote(str(value)) for name, value in values.items()}
    command = inside(machines.machine(folder, cloud), "sh", "-c", script.format(**quoted))
    # slave: what is unmounted on the machine goes here too
    return ["unshare", "--mount", "--propagation", "slave", *command] if kernel else command


def _write_client(program: pathlib.Path, share: Share) -> None:
    client = [sys.executable, "-m", "deploy.embedded.nfs", share.address, share.path]
    program.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.join(client)} "$@"\n')
    program.chmod(0o755)


def _environment(folder: pathlib.Path, cloud: str) -> dict[str, str]:
    path = os.pathsep.join([str(folder / "shell" / cloud), os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    # Debian's bash takes its prompt from the last one
    own = {**os.environ, "PATH": path, "PS1": f"{cloud}# ", "debian_chroot": cloud}
    own.pop("PYTHONPATH", None)
    return own
