"""Renames and removals, of open files above all."""

from __future__ import annotations

import ctypes
import os
import time

from tests.datapath.clients.operations.support import Answer, done, operation, put, shown, text

_libc = ctypes.CDLL(None, use_errno=True)
NOREPLACE, EXCHANGE = 1, 2


def renameat2(old: str, new: str, flags: int) -> None:
    """The system call; raises OSError."""
    if _libc.renameat2(-100, os.fsencode(old), -100, os.fsencode(new), flags):
        raise OSError(ctypes.get_errno(), "renameat2")


def start(descriptor: int) -> str:
    """The start of an open file, from the server."""
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    return os.pread(descriptor, 100, 0).decode()


@operation
def over_an_open_file(at: str) -> Answer:
    """The one that is replaced goes on for whoever has it open."""
    put(f"{at}/old", b"old")
    put(f"{at}/new", b"new")
    descriptor = os.open(f"{at}/old", os.O_RDWR)
    os.rename(f"{at}/new", f"{at}/old")
    answer: Answer = {"open": start(descriptor), "name": text(f"{at}/old")}
    os.pwrite(descriptor, b"OLD", 0)
    os.fsync(descriptor)
    answer["written"] = [start(descriptor), text(f"{at}/old")]
    answer["links"] = os.fstat(descriptor).st_nlink
    answer["names"] = len(os.listdir(at))
    os.close(descriptor)
    return answer | {"names then": settled(at)}


def settled(at: str) -> list[str]:
    """Names in a folder, once the client has removed those that it had given to open files; it does so by and by."""
    for _ in range(100):
        names = sorted(os.listdir(at))
        if not any(name.startswith(".nfs") for name in names):
            break
        time.sleep(0.1)
    return names


@operation
def unlinked_while_open(at: str) -> Answer:
    """A file without a name goes on for whoever has it open."""
    put(f"{at}/f", b"here")
    descriptor = os.open(f"{at}/f", os.O_RDWR)
    os.unlink(f"{at}/f")
    os.pwrite(descriptor, b"and more", 4)
    os.fsync(descriptor)
    answer: Answer = {"open": start(descriptor), "name": done(os.stat, f"{at}/f")}
    answer["links"] = os.fstat(descriptor).st_nlink
    answer["names"] = len(os.listdir(at))
    put(f"{at}/f", b"another")
    answer["both"] = [start(descriptor), text(f"{at}/f")]
    os.unlink(f"{at}/f")
    answer["folder"] = done(os.rmdir, at)
    os.close(descriptor)
    return answer | {"names then": settled(at) if os.path.exists(at) else []}


@operation
def folders(at: str) -> Answer:
    """Folders over folders, into themselves, over files."""
    os.makedirs(f"{at}/one/inner")
    os.makedirs(f"{at}/empty")
    os.makedirs(f"{at}/full/x")
    put(f"{at}/file")
    return {
        "into itself": done(os.rename, f"{at}/one", f"{at}/one/inner/x"),
        "over a full one": done(os.rename, f"{at}/one", f"{at}/full"),
        "over a file": done(os.rename, f"{at}/one", f"{at}/file"),
        "file over a folder": done(os.rename, f"{at}/file", f"{at}/empty"),
        "over an empty one": done(os.rename, f"{at}/one", f"{at}/empty"),
        "moved": sorted(os.listdir(f"{at}/empty")),
        "to another parent": done(os.rename, f"{at}/empty/inner", f"{at}/full/inner"),
        "parent": [os.path.samefile(f"{at}/full/inner/..", f"{at}/full"), os.stat(f"{at}/full").st_nlink],
        "names": sorted(os.listdir(at)),
    }


@operation
def links(at: str) -> Answer:
    """Two names of one file: a rename of one over the other does nothing."""
    put(f"{at}/a", b"a")
    os.link(f"{at}/a", f"{at}/b")
    answer: Answer = {"same": done(os.rename, f"{at}/a", f"{at}/b"), "names": sorted(os.listdir(at))}
    os.symlink("a", f"{at}/s")
    os.rename(f"{at}/s", f"{at}/t")
    return answer | {"link": os.readlink(f"{at}/t"), "a": shown(f"{at}/a")}


@operation
def flags(at: str) -> Answer:
    """renameat2, and files without a name from the start."""
    put(f"{at}/a", b"a")
    put(f"{at}/b", b"b")
    answer: Answer = {"no replace": done(renameat2, f"{at}/a", f"{at}/b", NOREPLACE)}
    answer["no replace, free"] = done(renameat2, f"{at}/a", f"{at}/free", NOREPLACE)
    put(f"{at}/c", b"c")
    answer["exchange"] = [done(renameat2, f"{at}/b", f"{at}/c", EXCHANGE), text(f"{at}/b")]
    answer["tmpfile"] = done(os.open, at, os.O_TMPFILE | os.O_RDWR, 0o600)
    return answer


@operation
def replaced_often(at: str) -> Answer:
    """A name that is replaced by renames is there for every reader, whole."""
    put(f"{at}/f", b"0" * 1000)
    wrong = []
    for number in range(60):
        put(f"{at}/new", str(number % 10).encode() * 1000)
        os.rename(f"{at}/new", f"{at}/f")
        with open(f"{at}/f", "rb") as file:
            if file.read() != str(number % 10).encode() * 1000:
                wrong.append(number)
    return {"wrong": wrong, "names": sorted(os.listdir(at))}
