"""Differences that random sequences may show: which are explained, and which follow from an earlier one.

``fuzz_differences.yaml`` lists the explained ones. Where one side did what the other refused, the two services hold
different things from then on: a later difference in a request that names one of these things, or that lists or counts
what they belong to, *follows* from that.
"""

from __future__ import annotations

import fnmatch
import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

FILE = pathlib.Path(__file__).resolve().parent / "fuzz_differences.yaml"
NAME = re.compile(r"\$\{(\w+)\}")
COUNTING = ("*.list", "*.detail", "*.os_list", "*.os_detail", "limits.*", "quota_sets.*", "os_quota_sets.*", "*.pools*")
"""Operations whose answer is about more than the things that the request names."""
SPREADS: dict[str, tuple[str, ...]] = {
    "shares": (
        "shares", "share_*", "snapshot*", "resource_locks", "messages", "limits", "quota_sets", "scheduler_stats",
    ),
    "networks": ("share_*", "shares", "security_services", "messages", "limits", "quota_sets", "scheduler_stats"),
    "types": ("share_types", "share_group_types", "qos_types", "quota_sets", "shares", "share_groups"),
    "quotas": ("quota_*", "limits"),
}  # fmt: skip
"""What parted -> the first names of operations in whose lists and counts that may be seen."""
KINDS: tuple[tuple[str, str], ...] = (
    ("share_networks", "networks"), ("share_network_subnets", "networks"), ("security_services", "networks"),
    ("share_types", "types"), ("share_group_types", "types"), ("qos_type*", "types"), ("quota_*", "quotas"),
    ("share*", "shares"), ("snapshot*", "shares"),
)  # fmt: skip
"""First name of an operation -> what parts when one side alone does it; others are seen in their own lists only."""
HOLDERS = {"snapshot_instances": "snapshot_id", "share_instances": "share_id", "share_replicas": "share_id"}
"""Items of lists, which go when the thing goes whose id stands under this key."""


def _resource(operation: str) -> str:
    return operation.partition(".")[0].removeprefix("os_")


def _seen_in(operation: str) -> tuple[str, ...]:
    """The first names of operations whose lists may differ once the two sides answered ``operation`` differently."""
    name = _resource(operation)
    kind = next((kind for pattern, kind in KINDS if fnmatch.fnmatch(name, pattern)), None)
    return (name,) if kind is None else SPREADS[kind]


@dataclass(frozen=True, slots=True)
class Entry:
    """One explained difference: of these operations (globs), when every line of it matches one of the patterns.

    An entry that speaks of the status explains only answers that differ in it.
    """

    reason: str
    lines: tuple[re.Pattern[str], ...]
    operations: tuple[str, ...] = ("*",)
    after: tuple[str, ...] = ()
    """Operations one of which must have come earlier in the sequence; ``control.VERB``, ``neutron.VERB`` are some."""

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
    """The operation of a step; ``control.VERB`` for one that steers the service, ``neutron.VERB`` for its Neutron."""
    steered = next((f"{one}.{step[one]}" for one in ("control", "neutron") if one in step), "")
    return str(step.get("op") or steered)


def names(step: dict[str, Any]) -> set[str]:
    """The earlier things that a step's request names."""
    text = " ".join(str(value) for key, value in step.items() if key != "save")
    return set(NAME.findall(text))


def held(step: dict[str, Any], body: Any, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of a thing and a part of it, for the ids that the step takes from lists in ``body``.

    Args:
        values: name of a thing -> its id in the service that gave the answer.
    """
    for name, path in step.get("save", {}).items():
        kind, _, rest = str(path).partition(".")
        index = rest.partition(".")[0]
        if kind in HOLDERS and index.isdigit():
            holder = body[kind][int(index)].get(HOLDERS[kind])
            yield from ((other, name) for other, value in values.items() if value == holder)


@dataclass(slots=True)
class Judge:
    """Judges the differences of one sequence in their order."""

    entries: list[Entry]
    spoilt: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    parted: set[str] = field(default_factory=set)
    """First names (globs) of operations whose lists may differ."""
    parts: dict[str, set[str]] = field(default_factory=dict)
    """A thing -> those whose ids were read from an answer about it."""

    def answered(self, step: dict[str, Any], body: Any = None, values: Mapping[str, str] | None = None) -> None:
        """Take note of a step without a difference; ``body`` and ``values`` are those of ``held``."""
        self.done.add(_name(step))
        for name in names(step):
            self.parts.setdefault(name, set()).update(step.get("save", {}))
        for name, part in held(step, body, values or {}) if body else ():
            self.parts.setdefault(name, set()).add(part)

    def judge(self, step: dict[str, Any], lines: list[str]) -> str | None:
        """``listed: REASON``, ``follows`` or None for a difference that nothing explains."""
        operation = step.get("op") or "*.show"
        self.done.add(_name(step))
        for entry in self.entries:
            if entry.explains(operation, lines, self.done):
                if "GET" not in str(step.get("do", "GET")) and any(line.startswith("status:") for line in lines):
                    self._part(names(step) | set(step.get("save", {})), operation)
                elif step.get("save"):  # the two took ids of different things from their answers
                    self._part(set(step["save"]))
                return f"listed: {entry.reason}"
        if names(step) & self.spoilt or self._counts(operation):
            self._part(names(step) | set(step.get("save", {})), operation)
            return "follows"
        return None

    def _counts(self, operation: str) -> bool:
        name = _resource(operation)
        return any(fnmatch.fnmatch(operation, one) for one in COUNTING) and any(
            fnmatch.fnmatch(name, one) for one in self.parted
        )

    def _part(self, new: set[str], operation: str | None = None) -> None:
        if operation is not None and not any(fnmatch.fnmatch(operation, one) for one in COUNTING):
            self.parted |= set(_seen_in(operation))
        while new:
            self.spoilt |= new
            new = {part for name in new for part in self.parts.get(name, ())} - self.spoilt
