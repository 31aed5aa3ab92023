"""Commands whose reader has gone, as in ``manila-manage config list | head -1``: they end at once and say nothing."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

STATUS = 128 + signal.SIGPIPE
"""What a shell says of a program that SIGPIPE ended; nobody sees it unless it asks for (``pipefail``)."""


def until_closed(command: Callable[[], int]) -> int:
    """Run a command and write out what it said; its status, or ``STATUS`` when nobody reads it.

    The signal itself is left ignored, as Python has it: an end by it would leave an embedded database running, and a
    connection that the database closes would end the command as well.
    """
    try:
        try:
            return command()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget(sys.stdout.fileno(), sys.stderr.fileno())
        return STATUS


def _forget(*descriptors: int) -> None:
    """What is still in the buffers goes nowhere when the interpreter writes it out at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
