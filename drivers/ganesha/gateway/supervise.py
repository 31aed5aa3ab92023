"""Keeps one gateway's bus and Ganesha running as one unit, inside its namespace.

``python supervise.py FOLDER``. A program of its own with nothing but the standard library: the worker that started it
may end and come back, and in a pod it is the first process. Every gateway has one, so it imports little. It holds a
lock on FOLDER/supervisor with its process id in it as long as it lives; SIGTERM ends the unit. A Ganesha or a bus that
does not answer is killed, and both start again.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import re
import select
import signal
import socket as sockets
import struct
import subprocess
import sys
import time
from pathlib import Path

_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}
_BUS_START = 5.0
_STABLE = 10.0
_LONGEST_PAUSE = 5.0
_LOOK = 1.0
_ASK = 5.0
_OLD_LOGS = 5
NULL = struct.pack(">11I", 0x80000000 | 40, 0x6F6B6D, 0, 2, 100003, 4, 0, 0, 0, 0, 0)
"""A call of NFS 4's procedure 0: record mark, id, call, RPC 2, program, version, procedure, no credentials."""


def _prepare_child() -> None:
    """In the child: signals as usual, and death with the supervisor, so that none is left behind."""
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    pdeathsig = 1
    ctypes.CDLL(None).prctl(pdeathsig, signal.SIGTERM)


def _spawn(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        env=os.environ | environment,
        preexec_fn=_prepare_child,
    )


def _hold_unmounted(folder: Path) -> None:
    """Set exports aside whose volume is not mounted: Ganesha would show the empty folder below and fill its disk."""
    held = folder / "exports.held"
    held.mkdir(exist_ok=True)
    for file in (folder / "exports.d").glob("*.conf"):
        path = re.search(r'^\s*Path = "(.*)";$', file.read_text(), re.MULTILINE)
        if path is None or not os.path.ismount(path[1]):
            file.replace(held / file.name)
            print("not mounted, held back:", file.stem, flush=True)


def _end(process: subprocess.Popen[bytes], patience: float) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


GREETING = b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n"
"""How a conversation with a bus begins; it answers whether it likes us or not."""


def _dial(address: str) -> sockets.socket:
    """Begin to connect, to NFS at an address or to the bus at a path."""
    at: object = (address, 2049)
    family = sockets.AF_INET6 if ":" in address else sockets.AF_INET
    if address.startswith("/"):
        family, at = sockets.AF_UNIX, address
    line = sockets.socket(family)
    line.setblocking(False)
    line.connect_ex(at)  # type: ignore[arg-type]
    return line


class Pulse:
    """Asks Ganesha or the bus now and then and never waits for it. ``limit``: seconds it may be silent.

    ``address``: of Ganesha's port, or the bus's socket; ``question``: something that is answered at once, also by a
    Ganesha in its grace period.

    Looks without an answer are counted, not time, so that a machine that stood still has nothing to blame.
    """

    def __init__(self, limit: float, address: str = "127.0.0.1", question: bytes = NULL) -> None:
        self.limit, self.address, self.question = limit, address, question
        self._silent, self._next = 0, 0.0
        self._line: sockets.socket | None = None
        self._asked = False

    def alive(self) -> bool:
        """Ask, or look for the answer; False when none came for too long. Call it about every second."""
        if not self.limit or time.monotonic() < self._next:
            return True
        try:
            answered = self._talk()
        except OSError:
            answered = False
            self.hang_up()
        self._silent = 0 if answered else self._silent + 1
        return self._silent * _LOOK < self.limit

    def _talk(self) -> bool:
        """Go one step further with the question; whether the answer is there."""
        if self._line is None:
            self._line, self._asked = _dial(self.address), False
        readable, writable, _ = select.select([self._line], [] if self._asked else [self._line], [], 0)
        if writable:
            self._line.sendall(self.question)
            self._asked = True
            readable, _, _ = select.select([self._line], [], [], 0.05)
        if not readable:
            return False
        answered = bool(self._line.recv(256))
        self.hang_up()
        if answered:
            self._next = time.monotonic() + _ASK
        return answered

    def hang_up(self) -> None:
        """Let go of the connection; the next question opens another."""
        if self._line is not None:
            self._line.close()
            self._line = None


def set_aside(log: Path, limit: int) -> None:
    """Keep a log that has become long as ``NAME.1``, and the ones before under higher numbers.

    Ganesha opens its log for every line. The supervisor's own is held open for appending, so it is copied and emptied.
    """
    try:
        if log.stat().st_size <= limit:
            return
    except FileNotFoundError:
        return
    for number in range(_OLD_LOGS - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
    first = log.with_name(f"{log.name}.1")
    if log.name == "supervise.log":
        first.write_bytes(log.read_bytes())
        os.truncate(log, 0)
    else:
        log.replace(first)


class Unit:
    """What is kept running.

    ``folder``: exports and what else must last; ``run``: the bus and Ganesha's process id. ``hang``: seconds without
    an answer after which Ganesha is killed, 0 for never; ``size``: bytes at which a log is set aside. ``log``: a file,
    or STDERR. ``address``: where Ganesha is asked whether it lives. ``patience``: seconds to wait for another
    supervisor of the same folder to end. ``identities``: libblkid's cache file; without one it reads each device anew:
    it caches by device name, and loop devices are re-used, so shares would be mixed up. ``program``: the command that
    starts Ganesha.
    """

    def __init__(
        self,
        folder: Path,
        run: Path,
        hang: float = 60.0,
        size: int = 10 << 20,
        log: str = "",
        address: str = "127.0.0.1",
        patience: float = 1.0,
        identities: str = "/dev/null",
        program: tuple[str, ...] = ("ganesha.nfsd",),
    ) -> None:
        self.folder, self.run, self.hang, self.size, self.log = folder, run, hang, size, log
        self.address, self.patience, self.identities, self.program = address, patience, identities, program


def _watch(unit: Unit, bus: subprocess.Popen[bytes], ganesha: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of either; whether SIGTERM came first."""
    asked = [
        ("Ganesha", ganesha, Pulse(unit.hang, unit.address)),
        ("bus", bus, Pulse(unit.hang, str(unit.run / "bus"), GREETING)),
    ]
    try:
        while bus.poll() is None and ganesha.poll() is None:
            came = signal.sigtimedwait(_SIGNALS, _LOOK)
            if came is not None and came.si_signo != signal.SIGCHLD:
                return True
            for name in ("ganesha.log", "supervise.log"):
                set_aside(unit.folder / name, unit.size)
            for name, process, pulse in asked:
                if not pulse.alive():
                    print(f"{name}: no answer for {unit.hang:.0f} s: killed {process.pid}", flush=True)
                    process.kill()
                    process.wait()
    finally:
        for _, _, pulse in asked:
            pulse.hang_up()
    return False


def run_unit(unit: Unit) -> bool:
    """Start bus and Ganesha, wait for the end of either, end the other. Answers whether SIGTERM was the reason."""
    folder, socket = unit.folder, unit.run / "bus"
    socket.unlink(missing_ok=True)
    bus = _spawn(["dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork", "--nopidfile"], {})
    ganesha = None
    try:
        end = time.monotonic() + _BUS_START
        while not socket.exists() and bus.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        _hold_unmounted(folder)
        log = unit.log or str(folder / "ganesha.log")
        # Ganesha writes over an old file without cutting it: of a longer number an end would stay
        (unit.run / "ganesha.pid").unlink(missing_ok=True)
        arguments = ["-f", str(folder / "ganesha.conf"), "-L", log, "-p", str(unit.run / "ganesha.pid")]
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={socket}", "BLKID_FILE": unit.identities}
        ganesha = _spawn([*unit.program, "-F", *arguments], environment)
        if _watch(unit, bus, ganesha):
            return True
        print("ended: bus", bus.poll(), "ganesha", ganesha.poll(), flush=True)
        return False
    finally:
        if ganesha is not None:
            _end(ganesha, 10)
        _end(bus, 2)


def _take(lock: int, patience: float) -> bool:
    """Take the lock; who only looks whether it is held holds it for a moment, another supervisor for good."""
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        else:
            return True


def main(unit: Unit) -> int:
    """Run the unit until SIGTERM, with growing pauses while it does not stay up."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    lock = os.open(unit.folder / "supervisor", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if not _take(lock, unit.patience):
        return 0
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    pause = 0.1
    while True:
        started = time.monotonic()
        if run_unit(unit):
            return 0
        pause = 0.1 if time.monotonic() - started > _STABLE else min(pause * 2, _LONGEST_PAUSE)
        signal.sigtimedwait({signal.SIGCHLD}, 0)
        if signal.sigtimedwait({signal.SIGTERM, signal.SIGINT}, pause):
            return 0


def _parsed() -> Unit:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", type=Path, help="folder of the bus; FOLDER unless said otherwise")
    parser.add_argument("--hang", type=float, default=60.0, help="seconds without an answer; 0: never")
    parser.add_argument("--size", type=int, default=10 << 20, help="bytes at which a log is set aside")
    parser.add_argument("--log", default="", help="Ganesha's log: a file, or STDERR")
    parser.add_argument("--address", default="127.0.0.1", help="where Ganesha is asked")
    parser.add_argument("--patience", type=float, default=1.0, help="seconds to wait for another supervisor's end")
    parser.add_argument("--identities", default="/dev/null", help="libblkid's cache file")
    parser.add_argument("--program", action="append", metavar="WORD", help="a word of the command of Ganesha")
    asked = parser.parse_args()
    return Unit(
        **{**vars(asked), "run": asked.run or asked.folder, "program": tuple(asked.program or ["ganesha.nfsd"])}
    )


if __name__ == "__main__":
    sys.exit(main(_parsed()))
