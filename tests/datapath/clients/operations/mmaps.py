"""Files mapped into memory."""

from __future__ import annotations

import mmap
import os
import signal

from tests.datapath.clients.operations.support import Answer, beside, done, hashed, operation, pattern, put

SIZE = 40000


@operation
def shared(at: str) -> Answer:
    """What is written through a shared mapping is in the file, and the other way round."""
    put(f"{at}/f", pattern(SIZE))
    descriptor = os.open(f"{at}/f", os.O_RDWR)
    with mmap.mmap(descriptor, SIZE) as area:
        area[100:110] = b"0123456789"
        area[4090:4100] = b"across two"
        area.flush()
        answer: Answer = {"read": os.pread(descriptor, 10, 4090).decode()}
        os.pwrite(descriptor, b"by write", 9000)
        answer["in the mapping"] = area[9000:9008].decode()
        answer["other process"] = beside(lambda: os.pread(os.open(f"{at}/f", os.O_RDONLY), 10, 100).decode())()
        area[SIZE - 5 :] = b"ended"
    os.fsync(descriptor)
    os.close(descriptor)
    return answer | {"then": hashed(f"{at}/f")}


@operation
def private(at: str) -> Answer:
    """A private mapping keeps to itself."""
    put(f"{at}/f", pattern(SIZE))
    descriptor = os.open(f"{at}/f", os.O_RDONLY)
    with mmap.mmap(descriptor, SIZE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE) as area:
        area[0:4] = b"mine"
        answer: Answer = {"own": area[0:4].decode()}
    os.close(descriptor)
    return answer | {"then": hashed(f"{at}/f")}


@operation
def cut(at: str) -> Answer:
    """Behind the end of the file a mapping is no memory; up to the end of the page it is zeros."""
    put(f"{at}/f", pattern(3 * 4096))

    def beyond() -> int:
        descriptor = os.open(f"{at}/f", os.O_RDWR)
        area = mmap.mmap(descriptor, 3 * 4096)
        os.ftruncate(descriptor, 4000)
        return area[2 * 4096]

    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGBUS, signal.SIG_DFL)
        beyond()
        os._exit(0)
    status = os.waitpid(process, 0)[1]
    descriptor = os.open(f"{at}/f", os.O_RDWR)
    with mmap.mmap(descriptor, 4000) as area:
        answer: Answer = {"rest": area[3990:4000].hex()}
    os.ftruncate(descriptor, 8192)
    answer["grown"] = os.pread(descriptor, 200, 3950).hex()
    os.close(descriptor)
    return answer | {"signal": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGBUS}


@operation
def unlinked(at: str) -> Answer:
    """A mapping outlives descriptor and name."""
    put(f"{at}/f", pattern(SIZE))
    descriptor = os.open(f"{at}/f", os.O_RDWR)
    area = mmap.mmap(descriptor, SIZE)
    os.close(descriptor)
    os.unlink(f"{at}/f")
    area[0:5] = b"still"
    area.flush()
    answer: Answer = {"read": area[0:8].hex(), "name": done(os.stat, f"{at}/f")}
    area.close()
    return answer
