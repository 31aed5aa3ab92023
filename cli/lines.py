"""What a log record looks like, whoever writes it: one line in the original's shape, without secrets."""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from typing import Any

Event = MutableMapping[str, Any]
"""What a record says: ``event``, ``timestamp``, ``level``, ``logger`` and the parts that were named."""

SECRET_NAME = r"(?:x-(?:auth|service|subject)-token|[a-z_]*password|adminpass|auth_key|access_key|secret|token)"
SECRET = re.compile(rf"(?i)({SECRET_NAME}[\"']?\s*[:=]\s*b?[\"']?)(?![\s{{\[])([^\s\"',}}&]+)")
TOKEN_ID = re.compile(r"""(?i)(["']token["']\s*:\s*\{[^{}]*["']id["']\s*:\s*["'])([^"']+)""")
URL_PASSWORD = re.compile(r"(\w+://[^/\s:@]+:)([^/\s@]+)(@)")
HIDDEN = "***"
SECRET_KEYS = frozenset({"password", "token", "auth_token", "service_token", "auth_key", "access_key", "secret"})


def redact(text: str) -> str:
    """A text with the values of passwords and tokens hidden."""
    for pattern in (SECRET, TOKEN_ID):
        text = pattern.sub(rf"\1{HIDDEN}", text)
    return URL_PASSWORD.sub(rf"\1{HIDDEN}\3", text)


def hide(event: Event) -> Event:
    """The event with the values of passwords and tokens hidden; values of other types become text."""
    for key, value in event.items():
        if key.lower() in SECRET_KEYS:
            event[key] = HIDDEN
        elif not key.startswith("_") and not isinstance(value, bool | int | float | None):
            event[key] = redact(value if isinstance(value, str) else repr(value))
    return event


def line(event: Event) -> str:
    """``TIME PID LEVEL LOGGER [REQUEST-ID] text key=value``: what operators' parsers of the original read."""
    moment, level = str(event.pop("timestamp"))[:-3], str(event.pop("level")).upper()
    name, request = event.pop("logger", None) or "manila", event.pop("request_id", None) or "-"
    text, trace = event.pop("event"), event.pop("exception", None)
    rest = " ".join(f"{key}={value}" for key, value in event.items() if not key.startswith("_"))
    whole = f"{moment} {os.getpid()} {level} {name} [{request}] {text} {rest}".rstrip()
    return f"{whole}\n{trace}" if trace else whole
