"""What labs change for the whole machine, and giving it back: sysctls, folders, control groups.

Kubelets change sysctls that no namespace divides, and write to fixed folders. Several labs may run at once: each holds
a shared lock, the first one notes how the machine was, the last one puts it back. A killed lab's note stays, so that
the next one knows what was there before.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
from collections.abc import Iterator
from typing import IO

SYSCTLS = (
    "vm/overcommit_memory",
    "kernel/panic",
    "kernel/panic_on_oops",
    "kernel/keys/root_maxkeys",
    "kernel/keys/root_maxbytes",
)
"""What a kubelet changes for the whole machine."""
PRIVATE = ("/run/containerd", "/var/lib/kubelet", "/var/lib/cni", "/var/log/containers")
"""Fixed folders that kubelet and containerd write to: each node mounts folders of its own there."""
NOTE = pathlib.Path("/run/lock/openkeel-manila-lab")


def group(base: pathlib.Path) -> str:
    """Name of a lab's control group, in which the nodes have theirs."""
    return "openkeel-" + hashlib.sha256(str(base.resolve()).encode()).hexdigest()[:8]


def groups(base: pathlib.Path) -> list[pathlib.Path]:
    """A lab's control group in each hierarchy; one with version 2."""
    top = pathlib.Path("/sys/fs/cgroup")
    if (top / "cgroup.controllers").exists():
        return [top / group(base)]
    # empty folders are there without a hierarchy, too
    return [one / group(base) for one in top.iterdir() if (one / "cgroup.procs").exists() and not one.is_symlink()]


@contextlib.contextmanager
def borrowed(base: pathlib.Path) -> Iterator[None]:
    """While a lab with nodes runs below ``base``. Needs root."""
    NOTE.parent.mkdir(parents=True, exist_ok=True)
    with NOTE.open("a+") as note:
        if _alone(note):
            _remember(note)
        fcntl.flock(note, fcntl.LOCK_SH)
        try:
            yield
        finally:
            for one in groups(base):
                _remove(one)
            if _alone(note):
                _give_back(note)


def busy() -> bool:
    """Whether a lab with nodes runs on the machine."""
    if not NOTE.exists():
        return False
    with NOTE.open("a+") as note:
        return not _alone(note)


def _alone(note: IO[str]) -> bool:
    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remember(note: IO[str]) -> None:
    """Unless a lab that was killed has left its note: then that one is true."""
    note.seek(0)
    if note.read():
        return
    files = {name: pathlib.Path("/proc/sys", name) for name in SYSCTLS}
    absent = [name for name in PRIVATE if not os.path.lexists(name)]
    values = {name: file.read_text() for name, file in files.items() if file.exists()}
    json.dump({"sysctls": values, "absent": absent}, note)
    note.flush()


def _give_back(note: IO[str]) -> None:
    note.seek(0)
    known = json.loads(note.read())
    for name, value in known["sysctls"].items():
        file = pathlib.Path("/proc/sys", name)
        if file.read_text() != value:
            file.write_text(value)
    for name in known["absent"]:
        with contextlib.suppress(OSError):
            os.rmdir(name)
    note.truncate(0)


def _remove(place: pathlib.Path) -> None:
    for folder, _, _ in os.walk(place, topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
