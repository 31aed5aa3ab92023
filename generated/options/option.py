"""What is known of an option.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

BACKEND, NETWORK = "<back end>", "<network>"
"""Stand for the sections that a deployment names itself."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: ``type`` is one of str, int, float, bool, list, multistr, dict, port, hostaddress."""

    section: str
    name: str
    field: str
    type: str
    default: Any
    choices: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None
    secret: bool = False
    old_names: tuple[str, ...] = ()
    help: str = ""
