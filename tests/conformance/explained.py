"""Differences that random sequences may show: which are explained, and which follow from an earlier one.

``fuzz_differences.yaml`` lists the explained ones. Where one side did what the other refused, the two services hold
different things from then on: a later difference in a request that names one of these things, or that lists or counts,
*follows* from that.
"""

from __future__ import annotations

import fnmatch
import pathlib
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

FILE = pathlib.Path(__file__).resolve().parent / "fuzz_differences.yaml"
NAME = re.compile(r"\$\{(\w+)\}")
COUNTING = ("*.list", "*.detail", "*.os_list", "*.os_detail", "limits.*", "quota_sets.*", "os_quota_sets.*", "*.pools*")
"""Operations whose answer is about more than the things that the request names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One explained difference: of these operations (globs), when every line of it matches one of the patterns.

    An entry that speaks of the status explains only answers that differ in it.
    """

    reason: str
    lines: tuple[re.Pattern[str], ...]
    operations: tuple[str, ...] = ("*",)
    after: tuple[str, ...] = ()
    """Operations one of which must have been answered earlier in the sequence; ``control.VERB`` is one, too."""

    def explains(self, operation: str, lines: list[str], done: set[str]) -> bool:
        if not any(fnmatch.fnmatch(operation, one) for one in self.operations):
            return False
        if self.after and not done.intersection(self.after):
            return False
        statuses = [pattern for pattern in self.lines if pattern.pattern.startswith("^status:")]
        if statuses and not any(pattern.search(line) for pattern in statuses for line in lines):
            return False
        return all(any(pattern.search(line) for pattern in self.lines) for line in lines)


def read(file: pathlib.Path = FILE) -> list[Entry]:
    """The listed differences. Raises KeyError or TypeError for an entry without a reason or without lines."""
    rows: list[dict[str, Any]] = yaml.safe_load(file.read_text())
    return [
        Entry(
            reason=row["reason"],
            lines=tuple(re.compile(line) for line in row["lines"]),
            operations=tuple(row.get("operations", ["*"])),
            after=tuple(row.get("after", [])),
        )
        for row in rows
    ]


def _name(step: dict[str, Any]) -> str:
    """The operation of a step; ``control.VERB`` for one that steers the service."""
    return str(step.get("op") or (f"control.{step['control']}" if "control" in step else ""))


def names(step: dict[str, Any]) -> set[str]:
    """The earlier things that a step's request names."""
    text = " ".join(str(value) for key, value in step.items() if key != "save")
    return set(NAME.findall(text))


@dataclass(slots=True)
class Judge:
    """Judges the differences of one sequence in their order."""

    entries: list[Entry]
    spoilt: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    parted: bool = False
    parts: dict[str, set[str]] = field(default_factory=dict)
    """A thing -> those whose ids were read from an answer about it."""

    def answered(self, step: dict[str, Any]) -> None:
        """Take note of a step without a difference."""
        self.done.add(_name(step))
        for name in names(step):
            self.parts.setdefault(name, set()).update(step.get("save", {}))

    def judge(self, step: dict[str, Any], lines: list[str]) -> str | None:
        """``listed: REASON``, ``follows`` or None for a difference that nothing explains."""
        operation = step.get("op") or "*.show"
        self.done.add(_name(step))
        for entry in self.entries:
            if entry.explains(operation, lines, self.done):
                if "GET" not in str(step.get("do", "GET")) and any(line.startswith("status:") for line in lines):
                    self._part(names(step) | set(step.get("save", {})))
                elif step.get("save"):  # the two took ids of different things from their answers
                    self._part(set(step["save"]))
                return f"listed: {entry.reason}"
        if self.parted and (names(step) & self.spoilt or any(fnmatch.fnmatch(operation, one) for one in COUNTING)):
            self._part(names(step) | set(step.get("save", {})))
            return "follows"
        return None

    def _part(self, new: set[str]) -> None:
        self.parted = True
        while new:
            self.spoilt |= new
            new = {part for name in new for part in self.parts.get(name, ())} - self.spoilt
