"""Writes past the cache, and durable ones."""

from __future__ import annotations

import mmap
import os

from tests.datapath.clients.operations.support import Answer, done, hashed, operation, pattern, put, tried

SIZE = 1 << 20


@operation
def aligned(at: str) -> Answer:
    """O_DIRECT of whole blocks, beside reads through the cache."""
    area = mmap.mmap(-1, SIZE)
    area.write(pattern(SIZE))
    descriptor = os.open(f"{at}/f", os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o644)
    answer: Answer = {"write": tried(os.write, descriptor, area), "cached": hashed(f"{at}/f")}
    answer["overwrite"] = os.pwrite(descriptor, memoryview(area)[8192:16384], 4096)
    answer["then"] = hashed(f"{at}/f")
    target = mmap.mmap(-1, 8192)
    answer["read"] = [os.preadv(descriptor, [target], 4096), target[:8192] == pattern(SIZE)[8192:16384]]
    answer["at the end"] = os.preadv(descriptor, [target], SIZE)
    os.close(descriptor)
    return answer


@operation
def unaligned(at: str) -> Answer:
    """O_DIRECT of some bytes."""
    put(f"{at}/f", pattern(9000))
    descriptor = os.open(f"{at}/f", os.O_RDWR | os.O_DIRECT)
    answer: Answer = {
        "write": done(os.pwrite, descriptor, b"some bytes", 77),
        "read": done(os.pread, descriptor, 9, 33),
    }
    os.close(descriptor)
    return answer | {"then": hashed(f"{at}/f")}


@operation
def durable(at: str) -> Answer:
    """O_SYNC, O_DSYNC, fsync, fdatasync, and fsync of a folder."""
    answer: Answer = {}
    for name, flag in (("sync", os.O_SYNC), ("data", os.O_DSYNC)):
        descriptor = os.open(f"{at}/{name}", os.O_WRONLY | os.O_CREAT | flag, 0o644)
        answer[name] = [
            os.write(descriptor, pattern(10000)),
            done(os.fsync, descriptor),
            done(os.fdatasync, descriptor),
        ]
        os.close(descriptor)
        answer[f"{name}: then"] = hashed(f"{at}/{name}")
    folder = os.open(at, os.O_RDONLY)
    answer["folder"] = [done(os.fsync, folder), done(os.read, folder, 10)]
    os.close(folder)
    return answer


@operation
def vectors(at: str) -> Answer:
    """Several buffers in one call, and the edges of offsets."""
    descriptor = os.open(f"{at}/f", os.O_RDWR | os.O_CREAT, 0o644)
    answer: Answer = {"written": os.writev(descriptor, [b"one", b"", b"two" * 3000])}
    answer["placed"] = os.pwritev(descriptor, [b"A", b"B"], 4095)
    buffers = [bytearray(3), bytearray(4)]
    answer["read"] = [os.preadv(descriptor, buffers, 4093), *(bytes(one).decode() for one in buffers)]
    answer["behind"] = os.pread(descriptor, 10, 1 << 40).hex()
    answer["negative"] = done(os.pread, descriptor, 1, -1)
    answer["too far"] = done(os.pwrite, descriptor, b"x", 2**63 - 1)
    answer["far"] = done(os.pwrite, descriptor, b"x", 1 << 42)
    os.ftruncate(descriptor, 9003)
    os.close(descriptor)
    return answer | {"then": hashed(f"{at}/f")}
