"""What a log record looks like, whoever writes it: one line in the original's shape, without secrets.

No text of a client starts a line or acts on a terminal: what is not printable is escaped.
"""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from typing import Any

from cli.log_text import BREAK, escape, escape_lines

Event = MutableMapping[str, Any]
"""What a record says: ``event``, ``timestamp``, ``level``, ``logger`` and the parts that were named."""

SECRET_NAME = r"(?:x-(?:auth|service|subject)-token|[a-z_]*password|adminpass|auth_key|access_key|secret|token)"
SECRET = re.compile(rf"(?i)({SECRET_NAME}[\"']?\s*[:=]\s*b?[\"']?)(?![\s{{\[])([^\s\"',}}&]+)")
TOKEN_ID = re.compile(r"""(?i)(["']token["']\s*:\s*\{[^{}]*["']id["']\s*:\s*["'])([^"']+)""")
URL_PASSWORD = re.compile(r"(\w+://[^/\s:@]+:)([^/\s@]+)(@)")
HIDDEN = "***"
LAID_OUT = ("exception", "stack", "stack_info")
"""Keys of an event whose values have several lines, which the program has laid out."""
SECRET_KEYS = frozenset({"password", "token", "auth_token", "service_token", "auth_key", "access_key", "secret"})


def redact(text: str) -> str:
    """A text with the values of passwords and tokens hidden."""
    for pattern in (SECRET, TOKEN_ID):
        text = pattern.sub(rf"\1{HIDDEN}", text)
    return URL_PASSWORD.sub(rf"\1{HIDDEN}\3", text)


def harmless(event: Event) -> dict[str, Any]:
    """The event without secrets and control characters; values of other types than numbers become text."""
    return {escape(key): value if key.startswith("_") else _value(key, value) for key, value in event.items()}


def _value(key: str, value: Any) -> Any:
    if key.lower() in SECRET_KEYS:
        return HIDDEN
    if isinstance(value, bool | int | float | None):
        return value
    text = redact(value if isinstance(value, str) else repr(value))
    return escape_lines(text) if key in LAID_OUT else escape(text)


def line(event: Event) -> str:
    """``TIME PID LEVEL LOGGER [REQUEST-ID] text key=value``: what operators' parsers of the original read."""
    moment, level = str(event.pop("timestamp"))[:-3], str(event.pop("level")).upper()
    name, request = event.pop("logger", None) or "manila", event.pop("request_id", None) or "-"
    text = event.pop("event")
    laid_out = [event.pop(key) for key in LAID_OUT if key in event]
    rest = " ".join(f"{key}={value}" for key, value in event.items() if not key.startswith("_"))
    whole = f"{moment} {os.getpid()} {level} {name} [{request}] {text} {rest}".rstrip()
    return BREAK.join([whole, *laid_out])
