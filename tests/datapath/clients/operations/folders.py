"""Folders with many names."""

from __future__ import annotations

import hashlib
import os

from tests.datapath.clients.operations.support import OPERATIONS, Answer, operation, put


def listed(path: str) -> list[object]:
    """How many names a fresh list has, how many differ, and the hash of all."""
    with open("/proc/sys/vm/drop_caches", "w") as drop:
        drop.write("2")
    names = os.listdir(path)
    return [len(names), len(set(names)), hashlib.sha256("\0".join(sorted(names)).encode()).hexdigest()[:16]]


def many(at: str, count: int, length: int = 0) -> Answer:
    """Make that many names, list them in several ways, remove every other one while listing, then all."""
    folder = os.open(at, os.O_RDONLY)
    first = "000000".ljust(length, "n")
    os.close(os.open(first, os.O_CREAT | os.O_WRONLY, 0o644, dir_fd=folder))
    for number in range(1, count):
        # names of one file: one request each, where a file needs two
        os.link(first, f"{number:06d}".ljust(length, "n"), src_dir_fd=folder, dst_dir_fd=folder)
    answer: Answer = {"all": listed(at)}
    with os.scandir(at) as entries:
        answer["with stat"] = sum(entry.stat(follow_symlinks=False).st_size == 0 for entry in entries)
    with os.scandir(at) as entries:
        removed = 0
        for entry in entries:
            if int(entry.name[:6]) % 2:
                os.unlink(entry.name, dir_fd=folder)
                removed += 1
    answer["removed while listing"] = removed
    answer["half"] = listed(at)
    for number in range(0, count, 2):
        os.unlink(f"{number:06d}".ljust(length, "n"), dir_fd=folder)
    os.close(folder)
    return answer | {"none": listed(at)}


@operation
def thousands(at: str) -> Answer:
    """4,000 names."""
    return many(at, 4000)


@operation
def long_names(at: str) -> Answer:
    """300 names of 250 bytes: more than one answer of the server."""
    return many(at, 300, 250)


def hundred_thousand(at: str) -> Answer:
    """100,000 names."""
    return many(at, 100_000)


NIGHTLY = {"folders.hundred_thousand": hundred_thousand}
"""Operations that take minutes."""


@operation
def fresh(at: str) -> Answer:
    """A list after each of a series of changes is up to date."""
    answer: Answer = {}
    for number in range(20):
        put(f"{at}/f{number}", b"x" * 100)
        if len(os.listdir(at)) != number + 1:
            answer[f"made {number}"] = sorted(os.listdir(at))
    for number in range(20):
        os.rename(f"{at}/f{number}", f"{at}/g{number}")
        if f"g{number}" not in os.listdir(at) or f"f{number}" in os.listdir(at):
            answer[f"renamed {number}"] = sorted(os.listdir(at))
    return answer | {"all": listed(at)}


assert not set(NIGHTLY) & set(OPERATIONS)
