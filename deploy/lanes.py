"""Sessions side by side: each lane is one run of nox, and what a session printed is shown in one piece when it ends.

Half of the test sessions keep a processor busy, the other half wait for leases, kubelets and time-outs; two lanes take
little more than the longer one. Only the standard library is used here, since this runs before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO

from deploy.report import BEGINS, ENDS, Report

INTERRUPTED = 128


class Lane:
    """One run of nox with a temporary folder of its own: two runs of pytest in one folder disturb each other.

    Arguments:
        command: what runs the lane's sessions one after the other.
        printing: held while a session's output is shown, so that lanes never mix.

    Attributes:
        report: what became of the lane's sessions; those that the command names after ``--session``.
    """

    def __init__(self, command: Sequence[str], printing: threading.Lock) -> None:
        named = command[command.index("--session") + 1 :] if "--session" in command else ()
        self.report = Report(named)
        # short: sockets below it have paths of at most 107 bytes
        self.folder = tempfile.mkdtemp(prefix="ok-")
        os.chmod(self.folder, 0o755)  # PostgreSQL is run by another user
        self._printing = printing
        self._held: list[str] = []
        env = {**os.environ, "TMPDIR": self.folder, "PYTHONUNBUFFERED": "1"}
        # a group of its own: Ctrl-C reaches a lane once, through run()
        self.process = subprocess.Popen(
            command,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=0,
        )
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            self.report.read(line)
            if begun := BEGINS.search(line):
                self._show([f"{time.strftime('%H:%M:%S')} {begun[1]} begins\n"])
            self._held.append(line)
            if ENDS.search(line):
                self.flush()
        self.flush()

    def _show(self, lines: Sequence[str]) -> None:
        with self._printing:
            print(*lines, sep="", end="", flush=True)

    def flush(self) -> None:
        """Show what was printed since the last session ended."""
        held, self._held = self._held, []
        if held:
            self._show([*held, f"{time.strftime('%H:%M:%S')}\n"])

    def end(self) -> int:
        """Wait for the lane, and return its exit status."""
        status = self.process.wait()
        self._reader.join(timeout=5)
        self.report.end(status)
        shutil.rmtree(self.folder, ignore_errors=True)
        return status


def run(commands: Sequence[Sequence[str]], reports: list[Report] | None = None) -> int:
    """Run each of ``commands`` as a lane beside the others. Returns the worst exit status; a signal's is its number.

    Args:
        reports: gets the report of each lane.

    A SIGTERM or SIGINT is handed on once: the lanes clean up, and what they printed so far is shown. The status is
    then ``INTERRUPTED`` with the signal's number.
    """
    printing = threading.Lock()
    lanes: list[Lane] = []
    caught: list[int] = []

    def hand_on(number: int, _frame: object) -> None:
        caught.append(number)
        for lane in lanes:
            if lane.process.poll() is None:
                lane.process.send_signal(signal.SIGINT)
        signal.signal(number, signal.SIG_DFL)

    # before the lanes start: they must not inherit that SIGINT is ignored, as it is in a shell's background
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hand_on)
    lanes += [Lane(command, printing) for command in commands]
    status = max(abs(lane.end()) for lane in lanes)
    if reports is not None:
        reports += [lane.report for lane in lanes]
    return INTERRUPTED + caught[0] if caught else status
