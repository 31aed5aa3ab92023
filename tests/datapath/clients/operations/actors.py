"""Lasting processes that do one thing after the other, so that two of them can take turns, in one guest or in two."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import signal
from collections.abc import Callable
from typing import Any

from tests.datapath.clients.operations.locks import OFD_SETLK, lock
from tests.datapath.clients.operations.support import done, get, hashed, pattern, put, tried, until

_running: dict[str, tuple[int, int, int]] = {}
"""Name -> process, where it reads, where it answers."""


def start(name: str, root: str) -> None:
    """A new actor whose folder is ``root``."""
    end(name)
    os.makedirs(root, exist_ok=True)
    commands, command = os.pipe()
    answers, answer = os.pipe()
    process = os.fork()
    if process == 0:
        os.chdir(root)
        stage = Stage()
        with os.fdopen(commands) as lines:
            for line in lines:
                action, *arguments = json.loads(line)
                data = json.dumps(tried(getattr(stage, action), *arguments), default=str)
                os.write(answer, data.encode() + b"\n")
        os._exit(0)
    os.close(commands)
    os.close(answer)
    _running[name] = (process, command, answers)


def act(name: str, action: str, *arguments: Any) -> Any:
    """What an actor's action comes to."""
    _, command, answers = _running[name]
    os.write(command, (json.dumps([action, *arguments]) + "\n").encode())
    data = b""
    while not data.endswith(b"\n"):
        part = os.read(answers, 65536)
        if not part:
            return "the actor ended"
        data += part
    return json.loads(data)


def end(name: str) -> None:
    """End an actor, if there is one of that name."""
    if name in _running:
        process, *pipes = _running.pop(name)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        for pipe in pipes:
            os.close(pipe)


class Stage:
    """The actions; names are relative to the folder, open files have names of their own."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._waiter: Callable[[], Any] = lambda: "nobody waits"

    def put(self, name: str, size: int, seed: int = 0) -> str:
        """Write a whole file and close it."""
        return done(put, name, pattern(size, seed))

    def hashed(self, name: str) -> Any:
        """Open a file, size and hash."""
        return hashed(name)

    def text(self, name: str) -> str:
        """Open a small file, its content."""
        return get(name).decode()

    def open(self, name: str, flags: str = "RDWR", key: str = "f") -> None:
        """Open and keep; ``flags`` are names of the O_ constants with blanks between."""
        self._files[key] = os.open(name, sum({getattr(os, f"O_{flag}") for flag in flags.split()}), 0o644)

    def close(self, key: str = "f") -> None:
        os.close(self._files.pop(key))

    def write(self, text: str, key: str = "f") -> None:
        """Write where the descriptor is, durable."""
        os.write(self._files[key], text.encode())
        os.fsync(self._files[key])

    def read(self, size: int, place: int, key: str = "f") -> str:
        """Read an open file, from the server."""
        os.posix_fadvise(self._files[key], 0, 0, os.POSIX_FADV_DONTNEED)
        return os.pread(self._files[key], size, place).decode("latin-1")

    def overwrite(self, text: str, place: int, key: str = "f") -> None:
        os.pwrite(self._files[key], text.encode(), place)
        os.fsync(self._files[key])

    def mapped(self, text: str, place: int, key: str = "f") -> None:
        """Write through a shared mapping."""
        with mmap.mmap(self._files[key], 0) as area:
            area[place : place + len(text)] = text.encode()
            area.flush()

    def size(self, key: str = "f") -> int:
        return os.fstat(self._files[key]).st_size

    def lock(self, start: int = 0, length: int = 0, kind: str = "WRLCK", key: str = "f") -> None:
        """A POSIX lock, without waiting."""
        lock(self._files[key], fcntl.F_SETLK, getattr(fcntl, f"F_{kind}"), start, length)

    def open_file_lock(self, kind: str = "WRLCK", key: str = "f") -> None:
        lock(self._files[key], OFD_SETLK, getattr(fcntl, f"F_{kind}"))

    def whole(self, kind: str, key: str = "f") -> None:
        """flock, without waiting."""
        fcntl.flock(self._files[key], getattr(fcntl, f"LOCK_{kind}") | fcntl.LOCK_NB)

    def wait_for_lock(self, name: str) -> None:
        """Begin to wait for a file's lock, in a process of its own."""
        from tests.datapath.clients.operations.support import beside

        def work() -> str:
            descriptor = os.open(name, os.O_RDWR)
            return done(lock, descriptor, fcntl.F_SETLKW, fcntl.F_WRLCK)

        self._waiter = beside(work)

    def waited(self) -> Any:
        """How the wait ended."""
        return self._waiter()

    def names(self, folder: str = ".") -> list[str]:
        return sorted(os.listdir(folder))

    def appears(self, name: str) -> bool:
        """Whether a name is there within the time that attributes are kept."""
        return until(lambda: os.path.lexists(name), 65)

    def mode(self, name: str) -> str:
        """The mode as an open file has it."""
        descriptor = os.open(name, os.O_RDONLY)
        try:
            return oct(os.fstat(descriptor).st_mode & 0o7777)
        finally:
            os.close(descriptor)

    def call(self, function: str, *arguments: Any) -> None:
        """A function of ``os``."""
        getattr(os, function)(*arguments)

    def many(self, name: str, letter: str, count: int) -> int:
        """Append lines, each under the lock of the whole file; how many."""
        for number in range(count):
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            lock(descriptor, fcntl.F_SETLKW, fcntl.F_WRLCK)
            os.write(descriptor, f"{letter}{number:04d}".ljust(40, letter).encode() + b"\n")
            os.fsync(descriptor)
            os.close(descriptor)
        return count

    def lines(self, name: str) -> list[int]:
        """How many lines a file has, and how many are torn."""
        lines = get(name).decode().splitlines()
        return [len(lines), sum(len(line) != 40 or len(set(line[5:])) != 1 for line in lines)]
