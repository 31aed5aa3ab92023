"""Files with holes, and what fallocate makes and unmakes."""

from __future__ import annotations

import ctypes
import os

from tests.datapath.clients.operations.support import Answer, done, hashed, operation, pattern, put, tried

MIB = 1 << 20
_libc = ctypes.CDLL(None, use_errno=True)
MODES = {"keep size": 1, "punch": 3, "collapse": 8, "zero": 16, "zero, keep size": 17, "insert": 32, "unshare": 64}
"""Flags of fallocate(2)."""


def fallocate(descriptor: int, mode: int, offset: int, length: int) -> None:
    """The system call; raises OSError."""
    if _libc.fallocate(descriptor, mode, ctypes.c_long(offset), ctypes.c_long(length)):
        raise OSError(ctypes.get_errno(), "fallocate")


def sparse(path: str) -> None:
    """Data at 0, 2 MiB and 5 MiB, of 64 KiB each, and a hole to 8 MiB."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    for place in (0, 2 * MIB, 5 * MIB):
        os.pwrite(descriptor, pattern(65536, place >> 20), place)
    os.ftruncate(descriptor, 8 * MIB)
    os.fsync(descriptor)
    os.close(descriptor)


@operation
def read(at: str) -> Answer:
    """Holes read as zeros, whatever the reads begin and end in."""
    sparse(f"{at}/f")
    descriptor = os.open(f"{at}/f", os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    answer: Answer = {}
    for offset, size in ((0, 10), (65530, 20), (2 * MIB - 7, 14), (5 * MIB + 65530, 4096), (8 * MIB - 3, 10)):
        answer[f"{size} at {offset}"] = os.pread(descriptor, size, offset).hex()[:80]
    os.close(descriptor)
    found = os.stat(f"{at}/f")
    return answer | {"whole": hashed(f"{at}/f"), "sparse": found.st_blocks * 512 < found.st_size / 2}


@operation
def sought(at: str) -> Answer:
    """Where data and holes are said to be."""
    sparse(f"{at}/f")
    descriptor = os.open(f"{at}/f", os.O_RDONLY)
    answer: Answer = {}
    for name, whence in (("data", os.SEEK_DATA), ("hole", os.SEEK_HOLE)):
        for offset in (0, 100, MIB, 5 * MIB, 6 * MIB, 8 * MIB - 1, 8 * MIB, 9 * MIB):
            answer[f"{name} from {offset}"] = tried(os.lseek, descriptor, offset, whence)
    os.close(descriptor)
    put(f"{at}/empty", b"")
    descriptor = os.open(f"{at}/empty", os.O_RDONLY)
    answer["empty"] = [tried(os.lseek, descriptor, 0, whence) for whence in (os.SEEK_DATA, os.SEEK_HOLE)]
    os.close(descriptor)
    return answer


@operation
def allocated(at: str) -> Answer:
    """Each mode of fallocate on a file of 1 MiB: outcome, size, content."""
    answer: Answer = {}
    for name, mode in {"plain": 0, **MODES}.items():
        put(f"{at}/f", pattern(MIB, 3))
        descriptor = os.open(f"{at}/f", os.O_RDWR)
        answer[name] = done(fallocate, descriptor, mode, 65536, 131072)
        os.close(descriptor)
        answer[f"{name}: then"] = hashed(f"{at}/f")
    return answer


@operation
def beyond(at: str) -> Answer:
    """Room behind the end, with and without the size."""
    answer: Answer = {}
    for name, mode in (("grows", 0), ("keep size", 1)):
        put(f"{at}/{name}", pattern(5000))
        descriptor = os.open(f"{at}/{name}", os.O_RDWR)
        answer[name] = done(fallocate, descriptor, mode, 1 << 16, MIB)
        os.close(descriptor)
        answer[f"{name}: then"] = hashed(f"{at}/{name}")
    descriptor = os.open(f"{at}/p", os.O_RDWR | os.O_CREAT, 0o644)
    answer["posix"] = done(os.posix_fallocate, descriptor, 0, 100000)
    answer["more than there is"] = done(fallocate, descriptor, 0, 0, 1 << 42)
    os.close(descriptor)
    return answer | {"posix: then": hashed(f"{at}/p")}


@operation
def truncated(at: str) -> Answer:
    """Shorter, then longer: what was cut off does not come back."""
    answer: Answer = {}
    put(f"{at}/f", pattern(20000))
    for size in (5, 20000, 4097, 0, 3 * MIB, 1):
        os.truncate(f"{at}/f", size)
        answer[str(len(answer))] = [size, hashed(f"{at}/f")]
    return answer | {
        "most": done(os.truncate, f"{at}/f", 2**62),
        "negative": done(os.truncate, f"{at}/f", -1),
        "size": os.stat(f"{at}/f").st_size,
    }
