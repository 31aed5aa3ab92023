"""How far pip and apt are, while they fetch and install: a line that is rewritten on a terminal, else one now and then.

Only the standard library is used here, since this runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

PAUSE = 5.0
"""Seconds between two lines where the output is no terminal."""
KEPT = 4000
"""Characters of a program's own output that are shown when it fails."""


class Reader(Protocol):
    """What turns a line of a program into words about its progress; None: the line says nothing of that."""

    def __call__(self, line: str) -> str | None: ...


class Line:
    """The place where progress is shown."""

    def __init__(self, what: str, out: IO[str]) -> None:
        self._what, self._out, self._terminal = what, out, out.isatty()
        self._shown, self._at = "", 0.0

    def show(self, words: str) -> None:
        """Show words about the progress, unless they were shown just now."""
        now = time.monotonic()
        if words == self._shown or (not self._terminal and now - self._at < PAUSE):
            return
        text = f"{self._what}: {words}"
        self._out.write(f"\r{text:<78.78}" if self._terminal else f"{text}\n")
        self._out.flush()
        self._shown, self._at = words, now

    def end(self) -> None:
        """Leave the terminal's line empty."""
        if self._terminal and self._shown:
            self._out.write(f"\r{'':78}\r")
            self._out.flush()
        self._shown = ""


@contextlib.contextmanager
def shown(what: str, read: Reader) -> Iterator[Hearing]:
    """Show what lines tell about the progress, for the time of the block."""
    hearing = Hearing(Line(what, sys.stderr), read)
    try:
        yield hearing
    finally:
        hearing.line.end()


@dataclass(frozen=True, slots=True)
class Hearing:
    """Gets a program's lines, and shows what they tell about its progress."""

    line: Line
    read: Reader

    def __call__(self, text: str) -> bool:
        """Take a line; whether it tells any progress."""
        words = self.read(text)
        if words is not None:
            self.line.show(words)
        return words is not None

    def say(self, text: str) -> None:
        """Print something else in between."""
        self.line.end()
        print(text, file=sys.stderr, flush=True)


def followed(command: Sequence[str], what: str, read: Reader, env: Mapping[str, str] | None = None) -> bool:
    """Run a program and show how far it is on standard error. Returns whether it ended with status 0.

    What it printed is shown when it failed.

    Args:
        what: begins each line of progress.
        read: gets each line of the program's output.
        env: its environment; None for this process's own.
    """
    said = ""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=env
    )
    with process as run, shown(what, read) as hear:
        for text in run.stdout or ():
            if not hear(text):
                said = (said + text)[-KEPT:]
    if run.returncode:
        print(said, end="", file=sys.stderr, flush=True)
    return run.returncode == 0


def of_pip(total: int) -> Reader:
    """Progress of ``pip install``, which is to install ``total`` packages."""
    seen: set[str] = set()

    def read(line: str) -> str | None:
        if found := re.match(r"\s*(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)", line):
            seen.add(found[1])
            return f"package {len(seen)} of about {total}, {found[1]}"
        if line.startswith("Installing collected packages"):
            return f"installing {len(seen)} packages"
        return None

    return read


def of_apt(line: str) -> str | None:
    """Progress of apt-get with ``APT::Status-Fd=1``: lines ``dlstatus:NUMBER:PERCENT:TEXT`` and ``pmstatus:...``."""
    kind, _, rest = line.rstrip("\n").partition(":")
    fields = rest.split(":", 2)
    if kind not in ("dlstatus", "pmstatus") or len(fields) < 3:
        return None
    return f"{'fetching' if kind == 'dlstatus' else 'installing'} {float(fields[1]):.0f} %, {fields[2]}"
