"""Content by hash: whole files of many shapes, edits in place, copies."""

from __future__ import annotations

import hashlib
import os
import subprocess
from typing import Any

from tests.datapath.clients.operations.support import Answer, done, hashed, operation, pattern, put, tried, written

SHAPES = (
    *((size, 0) for size in (0, 1, 5, 4095, 4096, 4097, 10000, 65536, 1 << 20, 3_000_000)),
    *((4096, 1 << 20), (100, 5000), (70000, 3 << 20)),
)
"""Bytes of data, and of the hole before them."""


def shaped(path: str, size: int, hole: int) -> list[Any]:
    """Write a file; its size and hash as ``hashed`` should find them."""
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644)
    os.lseek(descriptor, hole, os.SEEK_SET)
    data = pattern(size)
    written(descriptor, data)
    os.fsync(descriptor)
    os.close(descriptor)
    whole = bytes(hole) + data if size else b""
    return [len(whole), hashlib.sha256(whole).hexdigest()[:16]]


@operation
def shapes(at: str) -> Answer:
    """Small and large, with and without a hole in front."""
    answer: Answer = {}
    for size, hole in SHAPES:
        want = shaped(f"{at}/f", size, hole)
        answer[f"{size} at {hole}"] = [hashed(f"{at}/f"), want]
    return answer


@operation
def edits(at: str) -> Answer:
    """Some bytes in the middle, of pages that are not in the cache."""
    answer: Answer = {}
    for size in (200, 4096, 20000, 300000):
        put(f"{at}/f", pattern(size))
        hashed(f"{at}/f")
        for place in (0, 100, size // 2, size - 10):
            descriptor = os.open(f"{at}/f", os.O_RDWR)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.pread(descriptor, 50, place)
            os.pwrite(descriptor, b"0123456789", place)
            os.fsync(descriptor)
            os.close(descriptor)
        answer[str(size)] = hashed(f"{at}/f")
    return answer


@operation
def programs(at: str) -> Answer:
    """What people do with a small text: append, sed -i, cp, mv, dd, tar."""
    script = """
    cd "$0" && printf 'one\\ntwo\\nthree\\n' > list && echo four >> list && sed -i s/two/TWO/ list && cp list list2
    mkdir d && mv list2 d/ && cat list d/list2 && dd if=/dev/zero of=z bs=1000 count=7 seek=3 2> /dev/null
    tar -cf t.tar list d z && mkdir u && tar -xf t.tar -C u && cmp u/d/list2 list && rm -r u && ls
    """
    made = subprocess.run(["sh", "-c", script, at], capture_output=True, text=True, check=False)
    names = ("list", "d/list2", "z")
    return {"output": made.stdout, "errors": made.stderr, **{name: hashed(f"{at}/{name}") for name in names}}


@operation
def copies(at: str) -> Answer:
    """Copies that the kernel makes: within a file, between files, over each other."""
    put(f"{at}/a", pattern(3 << 20))
    answer: Answer = {}
    for name, size, source, target in (
        ("whole", 3 << 20, 0, 0),
        ("part", 100_000, 5000, 777),
        ("end", 9000, 3144728, 0),
    ):
        one = os.open(f"{at}/a", os.O_RDONLY)
        other = os.open(f"{at}/{name}", os.O_RDWR | os.O_CREAT, 0o644)
        copied = 0
        while (part := tried(os.copy_file_range, one, other, size - copied, source + copied, target + copied)) != 0:
            if isinstance(part, str):
                answer[f"{name}: error"] = part
                break
            copied += part
            if copied == size:
                break
        os.fsync(other)
        os.close(one)
        os.close(other)
        answer[name] = [copied, hashed(f"{at}/{name}")]
    one, other = os.open(f"{at}/a", os.O_RDONLY), os.open(f"{at}/sent", os.O_RDWR | os.O_CREAT, 0o644)
    sent = 0
    while part := os.sendfile(other, one, sent, 1 << 20):
        sent += part
    os.close(other)
    answer["sent"] = hashed(f"{at}/sent")
    both = os.open(f"{at}/a", os.O_RDWR)
    answer["over itself"] = done(os.copy_file_range, both, both, 1000, 0, 500)
    return answer


@operation
def appended(at: str) -> Answer:
    """O_APPEND of several processes of one machine: nothing is lost, nothing torn."""
    children = []
    for letter in "abcd":
        process = os.fork()
        if process == 0:
            descriptor = os.open(f"{at}/log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            for number in range(50):
                os.write(descriptor, f"{letter}{number:03d}".ljust(63, letter).encode() + b"\n")
            os.close(descriptor)
            os._exit(0)
        children.append(process)
    for process in children:
        os.waitpid(process, 0)
    with open(f"{at}/log") as log:
        lines = log.read().splitlines()
    return {"lines": len(lines), "torn": sum(len(line) != 63 or len(set(line[4:])) != 1 for line in lines)}
