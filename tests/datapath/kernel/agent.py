"""The only service of the guest: a line of JSON in, a line of JSON out, over a virtio-serial port.

A request is ``{"id", "code"}``: Python run in one lasting namespace, so that open files, locks and threads stay; its
result is what it leaves in ``r``. Each runs in a thread of its own: one that hangs on a hard mount does not block the
next. Started with ``-S``; the standard library's needed files lie in /lib/py.
"""

import sys

sys.path[:] = ["/lib/py"]

import errno  # noqa: E402
import fcntl  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
import traceback  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

_lock = threading.Lock()


def sh(command: str) -> tuple[int, str]:
    """Exit status and output of a shell command."""
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace").strip()


def tried(function: Callable[..., Any], *arguments: Any) -> str:
    """``ok`` or the name of the errno."""
    try:
        function(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return "ok"


def written(descriptor: int, data: bytes) -> str:
    """Outcome of a write that reaches the server."""

    def write() -> None:
        os.pwrite(descriptor, data, 0)
        os.fsync(descriptor)

    return tried(write)


def fetched(descriptor: int) -> str:
    """Outcome of a read that comes from the server."""

    def read() -> None:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.pread(descriptor, 64, 0)

    return tried(read)


NAMES: dict[str, Any] = {
    "errno": errno,
    "fcntl": fcntl,
    "os": os,
    "threading": threading,
    "time": time,
    "sh": sh,
    "tried": tried,
    "written": written,
    "fetched": fetched,
}


def answer(port: int, message: dict[str, Any]) -> None:
    """Send one line."""
    data = (json.dumps(message, default=str) + "\n").encode()
    with _lock:
        while data:
            data = data[os.write(port, data) :]


def work(port: int, request: dict[str, Any]) -> None:
    """Run one request."""
    names = NAMES
    names.pop("r", None)
    try:
        exec(compile(request["code"], "<request>", "exec"), names)
        reply = {"id": request["id"], "r": names.get("r")}
    except BaseException:
        reply = {"id": request["id"], "error": traceback.format_exc()[-1500:]}
    answer(port, reply)


def main(device: str) -> None:
    """Answer for ever."""
    port = os.open(device, os.O_RDWR)
    answer(port, {"id": 0, "r": "ready"})
    buffer = b""
    while True:
        data = os.read(port, 65536)
        if not data:
            time.sleep(0.02)
            continue
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            threading.Thread(target=work, args=(port, json.loads(line)), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
