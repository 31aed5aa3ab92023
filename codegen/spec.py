"""Reads ``spec/`` and gives every generator the same facts under the same names.

A range whose end is the version at which the contract was read (``microversions.max`` of the routes) is open: it
grows with the list of microversions, so that a new version changes only the lines it is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

Fact = dict[str, Any]
"""An object of a contract file; its keys are described in the files' own documentation."""

BRANCH = "stable-2026.2"


def minor(version: str) -> int:
    """``2.31`` -> 31."""
    major, _, rest = version.partition(".")
    if major != "2" or not rest.isdigit():
        raise ValueError(f"not a version of the v2 API: {version!r}")
    return int(rest)


def snake(name: str) -> str:
    """``ShareNetworkSubnet`` -> ``share_network_subnet``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def class_name(component: str) -> str:
    """The class of a component, as the model generator spells it: ``ShareCreate_v2_31`` -> ``ShareCreateV231``."""
    return "".join(part[:1].upper() + part[1:] for part in component.split("_"))


@dataclass(frozen=True)
class Span:
    """Minor versions, both inclusive; ``until`` of None has no end."""

    since: int
    until: int | None

    def covers(self, version: int) -> bool:
        return self.since <= version and (self.until is None or version <= self.until)

    @property
    def words(self) -> str:
        """The range as people write it: ``2.7-2.40``, ``2.7`` for one version, ``from 2.41`` for an open end."""
        if self.until is None:
            return f"from 2.{self.since}"
        return f"2.{self.since}" if self.since == self.until else f"2.{self.since}-2.{self.until}"


class Spec:
    """The contract's files; each is read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, name: str) -> Any:
        """The decoded ``<name>_stable-2026.2.json`` (or ``.yaml``)."""
        path = self.folder / f"{name}_{BRANCH}.json"
        if path.exists():
            return json.loads(path.read_text())
        return yaml.safe_load(path.with_suffix(".yaml").read_text())

    @cached_property
    def routes(self) -> Fact:
        found: Fact = self.file("routes")
        return found

    @cached_property
    def operations(self) -> list[Fact]:
        """All operations, ordered by id."""
        return sorted(self.routes["operations"], key=lambda operation: operation["operation_id"])

    @cached_property
    def components(self) -> dict[str, Fact]:
        found: dict[str, Fact] = self.openapi["components"]["schemas"]
        return found

    @cached_property
    def openapi(self) -> Fact:
        found: Fact = self.file("openapi")
        return found

    @cached_property
    def constants(self) -> Fact:
        found: Fact = self.file("constants")
        return found

    @cached_property
    def microversions(self) -> list[Fact]:
        """Entries of the v2 API, oldest first."""
        entries = [entry for entry in self.file("microversions")["entries"] if entry["version"].startswith("2.")]
        return sorted(entries, key=lambda entry: minor(entry["version"]))

    @property
    def latest(self) -> int:
        return minor(self.microversions[-1]["version"])

    @cached_property
    def _read_at(self) -> int:
        return minor(self.routes["microversions"]["max"])

    def span(self, since: str | None, until: str | None) -> Span:
        """A range of the contract; an end at the version the contract was read at is open."""
        last = None if until is None else minor(until)
        return Span(0 if since is None else minor(since), None if last == self._read_at else last)

    def span_of(self, entry: Fact) -> Span:
        return self.span(entry.get("min_version"), entry.get("max_version"))


def module_of(operation_id: str) -> str:
    """The handler module of an operation: its id without the last segment."""
    return operation_id.rsplit(".", 1)[0].replace(".", "_")


def function_of(operation_id: str) -> str:
    """The handler function of an operation: the last segment of its id."""
    return operation_id.rsplit(".", 1)[1]


def by_module(operations: list[Fact]) -> Iterator[tuple[str, list[Fact]]]:
    """Operations grouped by handler module, both in order."""
    groups: dict[str, list[Fact]] = {}
    for operation in operations:
        groups.setdefault(module_of(operation["operation_id"]), []).append(operation)
    return iter(sorted(groups.items()))
