"""Locks of every kind, between processes of one machine; the server grants or refuses them."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import struct
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.datapath.clients.operations.support import Answer, beside, done, operation, put

OFD_GETLK, OFD_SETLK, OFD_SETLKW = 36, 37, 38
FLOCK = "hhqqi4x"
"""``struct flock``: kind, whence, start, length, process."""


def lock(descriptor: int, command: int, kind: int, start: int = 0, length: int = 0) -> tuple[Any, ...]:
    """fcntl with a ``struct flock``; the one that comes back."""
    return struct.unpack(FLOCK, fcntl.fcntl(descriptor, command, struct.pack(FLOCK, kind, 0, start, length, 0)))


def asked(path: str, function: Callable[[int], Any], flags: int = os.O_RDWR) -> Any:
    """What the function, with a descriptor of the file, comes to in another process."""

    def work() -> Any:
        descriptor = os.open(path, flags)
        return function(descriptor)

    return beside(work)()


def conflict(path: str, start: int = 0, length: int = 0, kind: int = fcntl.F_WRLCK) -> Any:
    """Whether another process gets a lock."""
    return asked(path, lambda fd: done(lock, fd, fcntl.F_SETLK, kind, start, length))


@operation
def posix(at: str) -> Answer:
    """Ranges, kinds, who holds it, and what lets go of it."""
    path = f"{at}/f"
    put(path)
    one = os.open(path, os.O_RDWR)
    answer: Answer = {"got": done(lock, one, fcntl.F_SETLK, fcntl.F_WRLCK, 100, 100)}
    answer["same"] = conflict(path, 100, 100)
    answer["part"] = conflict(path, 150, 1)
    answer["before"] = conflict(path, 0, 100)
    answer["behind"] = conflict(path, 200, 0)
    answer["who"] = asked(path, lambda fd: lock(fd, fcntl.F_GETLK, fcntl.F_WRLCK, 0, 0)[:4])
    lock(one, fcntl.F_SETLK, fcntl.F_RDLCK, 100, 100)
    answer["shared"] = [conflict(path, 100, 100, fcntl.F_RDLCK), conflict(path, 100, 100, fcntl.F_WRLCK)]
    lock(one, fcntl.F_SETLK, fcntl.F_UNLCK, 140, 20)
    answer["split"] = [conflict(path, 110, 10), conflict(path, 140, 20), conflict(path, 180, 5)]
    os.close(os.open(path, os.O_RDONLY))
    answer["after the close of another descriptor"] = conflict(path, 100, 100)
    answer["far"] = [done(lock, one, fcntl.F_SETLK, fcntl.F_WRLCK, 2**62, 5), conflict(path, 2**62 + 4, 1)]
    answer["read only"] = asked(path, lambda fd: done(lock, fd, fcntl.F_SETLK, fcntl.F_WRLCK, 1, 1), os.O_RDONLY)
    os.close(one)
    return answer | {"after close": conflict(path)}


@operation
def own_descriptors(at: str) -> Answer:
    """Locks of open files (OFD): between descriptors of one process, and not lost by another's close."""
    path = f"{at}/f"
    put(path)
    one, other = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    answer: Answer = {"got": done(lock, one, OFD_SETLK, fcntl.F_WRLCK, 0, 10)}
    answer["other descriptor"] = done(lock, other, OFD_SETLK, fcntl.F_WRLCK, 5, 1)
    answer["other range"] = done(lock, other, OFD_SETLK, fcntl.F_WRLCK, 10, 10)
    answer["posix of another process"] = [conflict(path, 0, 5), conflict(path, 30, 5)]
    os.close(os.open(path, os.O_RDONLY))
    answer["after another close"] = conflict(path, 0, 5)
    os.close(one)
    answer["after its close"] = [conflict(path, 0, 5), conflict(path, 10, 5)]
    os.close(other)
    return answer


def refused(kind: int, descriptor: int) -> str:
    """Outcome of flock."""
    return done(fcntl.flock, descriptor, kind)


@operation
def whole_files(at: str) -> Answer:
    """flock: shared and exclusive, and whether it is one with fcntl's locks."""
    path = f"{at}/f"
    put(path)
    now = fcntl.LOCK_NB
    one = os.open(path, os.O_RDWR)
    answer: Answer = {"exclusive": done(fcntl.flock, one, fcntl.LOCK_EX | now)}
    answer["refused"] = [asked(path, partial(refused, kind | now)) for kind in (fcntl.LOCK_EX, fcntl.LOCK_SH)]
    answer["with fcntl"] = conflict(path)
    answer["to shared"] = done(fcntl.flock, one, fcntl.LOCK_SH | now)
    answer["both shared"] = asked(path, lambda fd: done(fcntl.flock, fd, fcntl.LOCK_SH | now))
    answer["exclusive on read only"] = asked(
        f"{path}", lambda fd: done(fcntl.flock, fd, fcntl.LOCK_EX | now), os.O_RDONLY
    )
    fcntl.flock(one, fcntl.LOCK_UN)
    answer["let go"] = asked(path, lambda fd: done(fcntl.flock, fd, fcntl.LOCK_EX | now))
    answer["read only when free"] = asked(path, lambda fd: done(fcntl.flock, fd, fcntl.LOCK_EX | now), os.O_RDONLY)
    os.close(one)
    return answer


def waiting(path: str, wait: Callable[[int], Any]) -> list[Any]:
    """Hold the file's lock while another process waits for it; what that one gets, and whether it waited."""
    one = os.open(path, os.O_RDWR)
    # a lock of the process, which a child does not share
    lock(one, fcntl.F_SETLK, fcntl.F_WRLCK)

    def work() -> Any:
        descriptor = os.open(path, os.O_RDWR)
        begin = time.monotonic()
        outcome = done(wait, descriptor)
        return [outcome, time.monotonic() - begin > 0.5]

    waiter = beside(work)
    time.sleep(1.0)
    os.close(one)
    found: list[Any] = waiter()
    return found


@operation
def waited_for(at: str) -> Answer:
    """Blocking locks that meet a held one are granted when it is let go, not refused and not EIO."""
    path = f"{at}/f"
    put(path)
    return {
        "posix": waiting(path, lambda fd: lock(fd, fcntl.F_SETLKW, fcntl.F_WRLCK)),
        "posix, shared": waiting(path, lambda fd: lock(fd, fcntl.F_SETLKW, fcntl.F_RDLCK)),
        "part": waiting(path, lambda fd: lock(fd, fcntl.F_SETLKW, fcntl.F_WRLCK, 7, 3)),
        "open file": waiting(path, lambda fd: lock(fd, OFD_SETLKW, fcntl.F_WRLCK)),
    }


@operation
def given_up(at: str) -> Answer:
    """A wait that a signal ends is EINTR, and leaves nothing."""
    path = f"{at}/f"
    put(path)
    one = os.open(path, os.O_RDWR)
    lock(one, fcntl.F_SETLK, fcntl.F_WRLCK)

    class Alarm(Exception):
        pass

    def rung(*_: object) -> None:
        raise Alarm

    def work() -> str:
        descriptor = os.open(path, os.O_RDWR)
        signal.signal(signal.SIGALRM, rung)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            lock(descriptor, fcntl.F_SETLKW, fcntl.F_WRLCK)
        except Alarm:
            return "interrupted"
        except OSError as error:
            return errno.errorcode[error.errno or 0]
        return "granted"

    answer: Answer = {"wait": beside(work)()}
    os.close(one)
    return answer | {"then": conflict(path)}


@operation
def dead(at: str) -> Answer:
    """A process that is killed holds nothing."""
    path = f"{at}/f"
    put(path)
    source, target = os.pipe()
    process = os.fork()
    if process == 0:
        descriptor = os.open(path, os.O_RDWR)
        lock(descriptor, fcntl.F_SETLK, fcntl.F_WRLCK)
        os.write(target, b"x")
        time.sleep(60)
        os._exit(0)
    os.read(source, 1)
    answer: Answer = {"held": conflict(path)}
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return answer | {"free": conflict(path)}
