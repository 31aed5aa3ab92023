"""What sessions did, read from what they print: the table at the end of ``python3 noxfile.py test``.

Only the standard library is used here, since this runs before anything is installed.
"""

from __future__ import annotations

import collections
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

BEGINS = re.compile(r"nox > Running session (\S+)")
ENDS = re.compile(r"nox > Session (\S+) (was successful|failed|aborted|skipped|raised|timed)(?::\s*(.*))?")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PYTEST = re.compile(r"=+ (.*\d+ (?:passed|failed|errors?|skipped|deselected|xfailed).*?) in [\d.]+s(?: \(.*\))? =+$")
OWN = re.compile(r"\d+ passed, \d+ failed$")
REPLAYED = re.compile(r"(\d+) of (\d+) scenarios without an unexplained difference$")
"""The last lines of pytest, of the project's own runners, and of the replay of recordings."""
COUNT = re.compile(r"(\d+) (passed|failed|error|skipped)")
SKIPPED = re.compile(r"SKIPPED \[(\d+)\] \S+?: (.*)")
LEFT_OUT = re.compile(r"(^|: )?LEFT OUT: (.*)")
"""``KIND: LEFT OUT: why`` is said of a whole session, ``... are LEFT OUT: why`` of a part of it."""
WORDS = {"was successful": "passed", "skipped": "left out"}
"""How nox says that a session ended -> the word of the table; every other end is a failure."""
HEAD = ("session", "result", "passed", "failed", "left out", "seconds")
LONGEST = 150
"""Characters of a reason."""


@dataclass(slots=True)
class Session:
    """One session.

    Attributes:
        result: ``passed``, ``failed``, ``left out``, ``not run``, or why it did not end.
        counts: passed, failed and skipped tests; empty where the session prints none.
        seconds: None if it was never begun.
        reasons: why something was left out -> how many tests; 0: a part that names no tests.
        idle: it said that all of it is left out.
    """

    name: str
    result: str = "not run"
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    seconds: float | None = None
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)
    idle: bool = False

    @property
    def passed(self) -> int:
        """Tests that passed; a session without tests of its own is one check."""
        return self.counts["passed"] if self.counts else int(self.result == "passed")

    @property
    def failed(self) -> int:
        """Tests that failed; at least 1 for a session that failed, died, or never ran."""
        return max(self.counts["failed"], int(self.result not in ("passed", "left out")))


class Report:
    """The sessions of one lane.

    Args:
        names: of the sessions that the lane is to run, in its order.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.sessions = {name: Session(name) for name in names}
        self._now: Session | None = None
        self._began = 0.0

    def read(self, line: str) -> None:
        """Take a line that the lane printed."""
        text = ANSI.sub("", line).rstrip("\n")
        if begun := BEGINS.search(text):
            self._now = self.sessions.setdefault(begun[1], Session(begun[1]))
            self._now.result, self._began = "did not end", time.monotonic()
        elif self._now is None:
            return
        elif ended := ENDS.search(text):
            self._now.result = WORDS.get(ended[2], "failed")
            if self._now.idle and self._now.result == "passed" and not self._now.counts:
                self._now.result = "left out"
            if ended[2] == "skipped" and ended[3]:
                self._now.reasons[ended[3].rstrip(".")[:LONGEST]] += 0
            self._now.seconds = time.monotonic() - self._began
            self._now = None
        else:
            self._count(self._now, text)

    def _count(self, session: Session, text: str) -> None:
        last = PYTEST.search(text)
        if last or OWN.match(text):
            for number, word in COUNT.findall(last[1] if last else text):
                session.counts["failed" if word == "error" else word] += int(number)
        elif replayed := REPLAYED.search(text):
            session.counts["passed"] += int(replayed[1])
            session.counts["failed"] += int(replayed[2]) - int(replayed[1])
        elif skipped := SKIPPED.match(text):
            session.reasons[skipped[2][:LONGEST]] += int(skipped[1])
        elif left := LEFT_OUT.search(text):
            session.reasons[left[2][:LONGEST]] += 0
            session.idle |= left[1] is not None

    def end(self, status: int) -> None:
        """The lane has ended with an exit status; below 0 it was killed by that signal."""
        if self._now is not None:
            why = f"signal {-status}" if status < 0 else f"status {status}"
            self._now.result, self._now.seconds = f"died ({why})", time.monotonic() - self._began


def table(reports: Iterable[Report], seconds: float) -> list[str]:
    """The lines of the table: a line for each session, why something was left out, and the sums.

    Args:
        seconds: that all of it took.
    """
    sessions = [one for report in reports for one in report.sessions.values()]
    rows = [HEAD, *(_row(one) for one in sessions)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    lines = ["  ".join(_padded(row[at], widths[at], at) for at in range(len(HEAD))).rstrip() for row in rows]
    lines += [
        f"left out of {one.name}: {f'{number} tests: ' if number else ''}{reason}"
        for one in sessions
        for reason, number in sorted(one.reasons.items())
    ]
    skipped = sum(one.counts["skipped"] for one in sessions)
    lines.append(f"{skipped} tests and {sum(one.result == 'left out' for one in sessions)} sessions were left out")
    passed, failed = sum(one.passed for one in sessions), sum(one.failed for one in sessions)
    return [*lines, f"after {seconds / 60:.1f} minutes:", f"{passed} passed, {failed} failed"]


def _row(one: Session) -> tuple[str, ...]:
    counts = [str(one.counts[word]) if one.counts else "-" for word in ("passed", "failed", "skipped")]
    return (one.name, one.result, *counts, "-" if one.seconds is None else f"{one.seconds:.0f}")


def _padded(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column < 2 else text.rjust(width)
