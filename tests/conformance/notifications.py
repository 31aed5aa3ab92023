"""What a scenario tells the outside: the notifications that the original emits, and how ours compare.

``notifications.json`` holds, for every scenario, the events in their order; of the payloads it holds the keys, each set
under a name. ``python -m tests.conformance.notifications DUMP...`` adds to it from answers of the original's control
verb ``dump``, one file ``SCENARIO.json`` each.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Iterable
from typing import Any

RECORDED = pathlib.Path(__file__).with_suffix(".json")
OPEN = frozenset({"metadata", "extra_specs", "required_extra_specs", "specs"})
"""Objects whose keys are a user's."""


def keys(value: Any, path: str = "") -> list[str]:
    """The keys of a payload, those of inner objects after a dot."""
    found: list[str] = []
    for key, inner in sorted(value.items()):
        name = f"{path}{key}"
        found.append(name)
        if isinstance(inner, dict) and key not in OPEN:
            found += keys(inner, f"{name}.")
    return found


def events(dumped: Iterable[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Each event as ``PRIORITY PUBLISHER EVENT-TYPE`` and the keys of its payload."""
    return [(f"{one['priority']} {one['publisher_id']} {one['event_type']}", keys(one["payload"])) for one in dumped]


def recorded(scenario: str) -> list[tuple[str, list[str]]] | None:
    """The original's events of a scenario; None when they were not recorded."""
    data = json.loads(RECORDED.read_text())
    lines = data["scenarios"].get(scenario)
    if lines is None:
        return None
    return [(event, data["payloads"][payload]) for event, _, payload in (line.rpartition(" ") for line in lines)]


def differences(scenario: str, dumped: Iterable[dict[str, Any]]) -> list[str]:
    """Report lines; none when the same events came in the same order with the same keys."""
    theirs, ours = recorded(scenario), events(dumped)
    if theirs is None:
        return [f"   the original's notifications of {scenario} were not recorded"]
    if theirs == ours:
        return []
    lines: list[str] = []
    for number in range(max(len(theirs), len(ours))):
        wanted = theirs[number] if number < len(theirs) else ("nothing", [])
        found = ours[number] if number < len(ours) else ("nothing", [])
        if wanted[0] != found[0]:
            return [*lines, f"   notification {number}: {found[0]} instead of {wanted[0]}"]
        if wanted[1] != found[1]:
            more, less = sorted(set(found[1]) - set(wanted[1])), sorted(set(wanted[1]) - set(found[1]))
            lines.append(f"   notification {number} {found[0]}: keys beyond the original's {more}, missing {less}")
    return lines


def write(files: Iterable[pathlib.Path]) -> None:
    """Add dumps of the original to ``notifications.json``."""
    data = json.loads(RECORDED.read_text())
    payloads: dict[str, list[str]] = data["payloads"]
    scenarios: dict[str, list[str]] = data["scenarios"]
    for file in files:
        lines: list[str] = []
        for event, found in events(json.loads(file.read_text())["notifications"]):
            kind = event.split()[-1]
            name = next((known for known, value in payloads.items() if value == found), None)
            if name is None:
                number = sum(known.partition("/")[0] == kind for known in payloads)
                name = f"{kind}/{number}"
                payloads[name] = found
            lines.append(f"{event} {name}")
        scenarios[file.stem] = lines
    RECORDED.write_text(json.dumps({"payloads": payloads, "scenarios": scenarios}, indent=1) + "\n")


if __name__ == "__main__":
    write(sorted(pathlib.Path(name) for name in sys.argv[1:]))
