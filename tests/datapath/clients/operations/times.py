"""Times: as they are set, and which change by themselves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from tests.datapath.clients.operations.support import Answer, done, operation, put

INSTANTS = {
    "nanosecond": 1_700_000_000_123_456_789,
    "zero": 0,
    "1969": -1_000_000_001,
    "1901": -(2**31) * 10**9,
    "2038": 2**31 * 10**9 + 1,
    "2106": 2**32 * 10**9 + 7,
    "2200": 7_258_118_400 * 10**9,
}


@operation
def kept(at: str) -> Answer:
    """Times of access and change that are set come back."""
    answer: Answer = {}
    for name, instant in INSTANTS.items():
        put(f"{at}/f")
        answer[name] = done(os.utime, f"{at}/f", ns=(instant, instant + 5))
        found = os.stat(f"{at}/f")
        answer[f"{name} read"] = [found.st_atime_ns - instant, found.st_mtime_ns - instant]
    os.mkdir(f"{at}/d")
    os.symlink("x", f"{at}/l")
    for name in ("d", "l"):
        os.utime(f"{at}/{name}", ns=(10**9 + 1, 2 * 10**9 + 2), follow_symlinks=False)
        found = os.lstat(f"{at}/{name}")
        answer[name] = [found.st_atime_ns if name == "d" else "-", found.st_mtime_ns]
    return answer


def changes(path: str, function: Callable[[], object]) -> str:
    """Which of mtime and ctime the function moves on."""
    os.utime(path, ns=(10**9, 10**9))
    before = os.stat(path)
    time.sleep(0.03)
    function()
    after = os.stat(path)
    moved = [name for name in ("st_mtime_ns", "st_ctime_ns") if getattr(after, name) > getattr(before, name)]
    return " ".join(name[3:8] for name in moved)


@operation
def moved(at: str) -> Answer:
    """What moves the time of a file's content, of its attributes, of a folder."""
    path, other = f"{at}/f", f"{at}/other"
    put(path)
    put(other)

    def append() -> None:
        with open(path, "ab") as file:
            file.write(b"more")
            file.flush()
            os.fsync(file.fileno())

    def away() -> None:
        os.rename(other, f"{at}/x")
        os.rename(f"{at}/x", other)

    folder = f"{at}/folder"
    os.mkdir(folder)
    return {
        "write": changes(path, append),
        "truncate": changes(path, lambda: os.truncate(path, 3)),
        "truncate to the same": changes(path, lambda: os.truncate(path, 3)),
        "chmod": changes(path, lambda: os.chmod(path, 0o600)),
        "chown": changes(path, lambda: os.chown(path, 12, 13)),
        "link": changes(path, lambda: os.link(path, f"{at}/second")),
        "unlink the second": changes(path, lambda: os.unlink(f"{at}/second")),
        "rename": changes(other, away),
        "read": changes(path, lambda: put(other, b"1")),
        "folder: new": changes(folder, lambda: put(f"{folder}/f")),
        "folder: write in a file": changes(folder, lambda: put(f"{folder}/f", b"again")),
        "folder: remove": changes(folder, lambda: os.unlink(f"{folder}/f")),
        "empty write": changes(path, lambda: os.close(os.open(path, os.O_WRONLY))),
        "open with truncation": changes(path, lambda: os.close(os.open(path, os.O_WRONLY | os.O_TRUNC))),
    }


@operation
def order(at: str) -> Answer:
    """Now is the server's clock, never far from this machine's; who may set what."""
    put(f"{at}/f")
    answer: Answer = {"near": abs(os.stat(f"{at}/f").st_mtime - time.time()) < 120}
    os.utime(f"{at}/f")
    return answer | {"now": abs(os.stat(f"{at}/f").st_mtime - time.time()) < 120}
