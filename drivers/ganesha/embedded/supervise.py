"""Keeps one gateway's bus and Ganesha running as one unit: ``python supervise.py FOLDER``, inside its namespace.

A program of its own with nothing but the standard library: the worker that started it may end and come back. It holds
a lock on FOLDER/supervisor with its process id in it as long as it lives; SIGTERM ends the unit.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}
_BUS_START = 5.0
_STABLE = 10.0
_LONGEST_PAUSE = 5.0


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


def run_unit(folder: Path) -> bool:
    """Start bus and Ganesha, wait for the end of either, end the other. Answers whether SIGTERM was the reason."""
    socket = folder / "bus"
    socket.unlink(missing_ok=True)
    bus = _spawn(["dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork", "--nopidfile"], {})
    ganesha = None
    try:
        end = time.monotonic() + _BUS_START
        while not socket.exists() and bus.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        _hold_unmounted(folder)
        files = {"-f": "ganesha.conf", "-L": "ganesha.log", "-p": "ganesha.pid"}
        arguments = [part for option, name in files.items() for part in (option, str(folder / name))]
        # libblkid caches identities by device name, and loop devices are re-used: the cache would mix shares up
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={socket}", "BLKID_FILE": "/dev/null"}
        ganesha = _spawn(["ganesha.nfsd", "-F", *arguments], environment)
        while bus.poll() is None and ganesha.poll() is None:
            if signal.sigwait(_SIGNALS) != signal.SIGCHLD:
                return True
        print("ended: bus", bus.poll(), "ganesha", ganesha.poll(), flush=True)
        return False
    finally:
        if ganesha is not None:
            _end(ganesha, 10)
        _end(bus, 2)


def _take(lock: int) -> bool:
    """Take the lock; who only looks whether it is held holds it for a moment, another supervisor for good."""
    for _ in range(20):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            return True
    return False


def main(folder: Path) -> int:
    """Run the unit until SIGTERM, with growing pauses while it does not stay up."""
    lock = os.open(folder / "supervisor", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if not _take(lock):
        return 0
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    pause = 0.1
    while True:
        started = time.monotonic()
        if run_unit(folder):
            return 0
        pause = 0.1 if time.monotonic() - started > _STABLE else min(pause * 2, _LONGEST_PAUSE)
        signal.sigtimedwait({signal.SIGCHLD}, 0)
        if signal.sigtimedwait({signal.SIGTERM, signal.SIGINT}, pause):
            return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
