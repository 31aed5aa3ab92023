"""What of a lab can be seen on the machine from outside; nothing, once it is stopped."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess

from tests.lab import machine
from tests.lab.place import BRIDGE


def common() -> dict[str, str] | None:
    """What labs change for the whole machine, as it is now; None while another lab runs, which may change it."""
    if machine.busy():
        return None
    files = {name: pathlib.Path("/proc/sys", name) for name in machine.SYSCTLS}
    folders = {name: "there" if os.path.lexists(name) else "" for name in machine.PRIVATE}
    return {name: file.read_text().strip() for name, file in files.items() if file.exists()} | folders


def changed(before: dict[str, str] | None) -> list[str]:
    """What of it is not as it was; nothing if another lab ran then or runs now."""
    after = common()
    if before is None or after is None:
        print("another lab runs on this machine: what labs share was not compared", flush=True)
        return []
    return [f"{name}: {before[name]!r} became {after[name]!r}" for name in before if before[name] != after[name]]


def seen(base: pathlib.Path) -> dict[str, list[str]]:
    """Kind of thing -> what there is of it that belongs to the lab below ``base``.

    Mounts, loop devices, network links, processes, control groups.
    """
    return {
        **below(base),
        "links": [line.split()[0] for line in _lines("ip", "-brief", "link") if line.split()[0] == BRIDGE],
        "groups": [str(one) for one in machine.groups(base) if one.exists()],
    }


def below(folder: pathlib.Path) -> dict[str, list[str]]:
    """Kind of thing -> what there is of it that uses something below ``folder``: mounts, loop devices, processes."""
    own = f"{folder.resolve()}/"
    mounts = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
    return {
        "mounts": [one for one in mounts if one.startswith(own)],
        "loops": [line for line in _lines("losetup", "--list", "--noheadings", "--output", "BACK-FILE") if own in line],
        "processes": _processes(own),
    }


def _lines(*words: str) -> list[str]:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def _processes(text: str) -> list[str]:
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if any(text in word for word in words):
                found.append(f"{folder.name} {' '.join(words)[:100]}")
    return found
