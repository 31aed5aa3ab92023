"""Runs operations in a guest, each in a process and a folder of its own."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import shutil
import signal
import time
import traceback
from collections.abc import Callable
from typing import Any

from tests.datapath.clients.operations import folders
from tests.datapath.clients.operations.support import OPERATIONS, chunks

MODULES = (
    *("kinds", "names", "times", "holes", "locks", "mmaps", "direct", "renames", "owners", "content", "xattrs"),
    *("folders", "space"),
)
"""The last one fills the file system."""


def known() -> list[str]:
    """Names of all operations, in order; those that take minutes come too."""
    for module in MODULES:
        importlib.import_module(f"tests.datapath.clients.operations.{module}")
    OPERATIONS.update(folders.NIGHTLY)
    order = {module: number for number, module in enumerate(MODULES)}
    return sorted(OPERATIONS, key=lambda name: order[name.partition(".")[0]])


known()


def run(name: str, root: str, seconds: float) -> dict[str, Any]:
    """The answer of an operation in a new folder of ``root``, or ``failed`` with the reason.

    Args:
        seconds: after which its process is killed, which ends a wait for a server that does not answer.
    """
    folder = f"{root}/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    begin = time.monotonic()
    found = _apart(lambda: OPERATIONS[name](folder), seconds)
    found["seconds"] = round(time.monotonic() - begin, 2)
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _apart(work: Callable[[], Any], seconds: float) -> dict[str, Any]:
    source, target = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(source)
        try:
            # a name below a group of its own: what it starts ends with it
            os.setpgid(0, 0)
            said = {"answer": work()}
        except BaseException:
            said = {"failed": traceback.format_exc()[-800:]}
        data = json.dumps(said, default=str).encode()
        while data:
            data = data[os.write(target, data) :]
        os._exit(0)
    os.close(target)
    try:
        if not select.select([source], [], [], seconds)[0]:
            return {"failed": f"no answer within {seconds:.0f} s"}
        data = b"".join(chunks(source))
        return dict(json.loads(data)) if data else {"failed": "ended without an answer"}
    finally:
        _kill(process)
        os.close(source)
        os.waitpid(process, 0)


def _kill(process: int) -> None:
    for number in (process, -process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
