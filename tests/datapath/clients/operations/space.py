"""A file system that is full, or says how full it is. It fills the share: nothing else may run beside it."""

from __future__ import annotations

import os

from tests.datapath.clients.operations.support import Answer, done, hashed, named_error, operation, pattern, put, until

MIB = 1 << 20


def fill(path: str, most: int) -> tuple[str, int]:
    """Write until there is no room: how it ended, and how many MiB are known to be written."""
    block = pattern(MIB)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    count = 0
    try:
        while count < most:
            os.write(descriptor, block)
            # a write into the cache may promise what the server can't keep
            os.fdatasync(descriptor)
            count += 1
    except OSError as error:
        return named_error(error), count
    finally:
        done(os.close, descriptor)
    return "no end", count


@operation
def full(at: str) -> Answer:
    """ENOSPC when it is full, what was written stays, and room that is freed is there at once."""
    put(f"{at}/before", pattern(3 * MIB))
    free = os.statvfs(at).f_bavail * os.statvfs(at).f_frsize // MIB
    room = max(free - 24, 1)
    descriptor = os.open(f"{at}/room", os.O_WRONLY | os.O_CREAT, 0o644)
    os.posix_fallocate(descriptor, 0, room * MIB)
    os.close(descriptor)
    end, count = fill(f"{at}/rest", 200)
    answer: Answer = {"end": end, "some": count > 0, "before": hashed(f"{at}/before")}
    answer["available"] = os.statvfs(at).f_bavail * os.statvfs(at).f_frsize < 4 * MIB
    for k in range(200):
        if (outcome := done(put, f"{at}/small{k}", pattern(100000))) != "ok":
            break
    answer["small"] = outcome
    answer["overwrite"] = done(put, f"{at}/before", pattern(3 * MIB, 5))
    answer["fallocate"] = done(os.posix_fallocate, os.open(f"{at}/more", os.O_WRONLY | os.O_CREAT), 0, 100 * MIB)
    os.unlink(f"{at}/room")
    answer["freed"] = until(lambda: os.statvfs(at).f_bavail * os.statvfs(at).f_frsize // MIB > room // 2)
    return answer | {"again": done(put, f"{at}/again", pattern(MIB)), "content": hashed(f"{at}/again")}


@operation
def numbers(at: str) -> Answer:
    """What statvfs says is possible."""
    found = os.statvfs(at)
    return {
        "order": found.f_bavail <= found.f_bfree <= found.f_blocks,
        "names": found.f_namemax,
        "inodes": 0 < found.f_ffree <= found.f_files,
        "read only": bool(found.f_flag & os.ST_RDONLY),
    }
