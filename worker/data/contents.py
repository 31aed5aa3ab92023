"""Bytes of files: copied without holes, and compared by the hash of what is no zeros.

A file system without SEEK_DATA (NFS before 4.2) shows holes as zeros. So blocks of zeros are not written, and holes
stay holes; the hash leaves them out, so that it is the same for a hole and for zeros.
"""

from __future__ import annotations

import errno
import hashlib
import os
import random
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Literal

from worker.data.trails import of_source

CHUNK = 1 << 20
"""Bytes that are read at once, at multiples of it."""
BLOCK = 1 << 16
"""The smallest hole that is made."""
_ZEROS = bytes(BLOCK)
Verify = Literal["none", "sample", "all"]
"""What is read back from the target: nothing, some, or every byte of every file."""
ONE_IN = 16
"""Of so many files ``sample`` reads one."""
SAMPLES = 16
"""Chunks that it reads of one file, at most."""
ALWAYS = 64 * CHUNK
"""Size in bytes from which on it reads of every file."""


class _Every(Container[int]):
    def __contains__(self, item: object) -> bool:
        return True


EVERY = _Every()


def chosen(size: int, verify: Verify) -> Container[int] | None:
    """Numbers of the chunks of a file of ``size`` bytes that are read back; None for no check of this file."""
    if verify == "none" or (verify == "sample" and size < ALWAYS and random.randrange(ONE_IN)):
        return None
    last = max(0, (size - 1) // CHUNK)
    if verify == "all" or last < SAMPLES:
        return EVERY
    return {0, last, *random.sample(range(1, last), SAMPLES - 2)}


@dataclass(frozen=True, slots=True)
class Poured:
    """What was read: up to where the file ended, and the hash of the chunks that were to be hashed."""

    size: int
    digest: str


def pour(
    reading: int, writing: int, size: int, wanted: Container[int] | None, arrived: Callable[[int], None]
) -> Poured:
    """Copy what is no hole of the first ``size`` bytes, into an empty file.

    Args:
        wanted: the chunks that are hashed.
        arrived: is told the position after each chunk; may raise.

    Raises:
        SourceFailed: it cannot be read. OSError: it cannot be written.
    """
    found = _Hash()
    for offset, piece in _chunks_of_source(reading, size):
        for start, block in _blocks(piece):
            _write(writing, block, offset + start)
        if wanted is not None and offset // CHUNK in wanted:
            found.add(offset, piece)
        arrived(offset + len(piece))
        if len(piece) < min(CHUNK, size - offset):
            size = offset + len(piece)
            break
    with of_source():
        # a file that became shorter, in a hole too, is as short at the target
        size = min(size, os.fstat(reading).st_size)
    os.ftruncate(writing, size)
    return Poured(size, found.hexdigest())


def digest(descriptor: int, size: int, wanted: Container[int], looked: Callable[[], None]) -> str:
    """The hash of a file's chunks, read from where it is kept instead of from memory.

    Args:
        looked: is called after each chunk; may raise.
    """
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    found = _Hash()
    for offset, piece in _chunks(descriptor, size, wanted):
        found.add(offset, piece)
        looked()
    return found.hexdigest()


class _Hash:
    """SHA-256 of the blocks that are not all zeros, with their positions."""

    def __init__(self) -> None:
        self._found = hashlib.sha256()

    def add(self, offset: int, piece: bytes) -> None:
        for start in range(0, len(piece), BLOCK):
            block = piece[start : start + BLOCK]
            if not _zeros(block):
                self._found.update((offset + start).to_bytes(8, "little"))
                self._found.update(block)

    def hexdigest(self) -> str:
        return self._found.hexdigest()


def _chunks(descriptor: int, size: int, wanted: Container[int] = EVERY) -> Iterator[tuple[int, bytes]]:
    """Position and bytes of each chunk that holds data; a shorter one where the file ends."""
    for start, end in _parts(descriptor, size):
        for offset in range(start, end, CHUNK):
            if offset // CHUNK in wanted:
                yield offset, _read(descriptor, min(CHUNK, size - offset), offset)


def _chunks_of_source(descriptor: int, size: int) -> Iterator[tuple[int, bytes]]:
    with of_source():
        yield from _chunks(descriptor, size)


def _parts(descriptor: int, size: int) -> Iterator[tuple[int, int]]:
    """Start and end of the parts of a file that are no holes; they begin at multiples of ``CHUNK``."""
    position = 0
    while position < size:
        try:
            start = os.lseek(descriptor, position, os.SEEK_DATA)
            end = os.lseek(descriptor, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            start, end = position, size
        start = max(position, start // CHUNK * CHUNK)
        end = -(-end // CHUNK) * CHUNK
        yield start, min(end, size)
        position = end


def _read(descriptor: int, length: int, offset: int) -> bytes:
    """As many bytes as there are, up to ``length``."""
    piece = os.pread(descriptor, length, offset)
    while len(piece) < length and (more := os.pread(descriptor, length - len(piece), offset + len(piece))):
        piece += more
    return piece


def _zeros(block: bytes) -> bool:
    # bytes, not a view of them: comparing views goes through them one by one
    return block == (_ZEROS if len(block) == BLOCK else _ZEROS[: len(block)])


def _blocks(piece: bytes) -> Iterator[tuple[int, memoryview]]:
    """Runs of blocks that are not all zeros, with their positions."""
    view, start = memoryview(piece), None
    for position in range(0, len(piece), BLOCK):
        if not _zeros(piece[position : position + BLOCK]):
            start = position if start is None else start
        elif start is not None:
            yield start, view[start:position]
            start = None
    if start is not None:
        yield start, view[start:]


def _write(descriptor: int, rest: memoryview, offset: int) -> None:
    while rest:
        written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[written:], offset + written
