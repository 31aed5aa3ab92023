"""Structured logs: one record a line, as text in the original's shape or as JSON, without secrets."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import structlog

from generated.settings import OpenkeelSection

SECRET = re.compile(
    r"(?i)((?:x-(?:auth|service|subject)-token|password|auth_key|access_key|secret|token)[\"']?\s*[:=]\s*[\"']?)([^\s\"',}&]+)"
)
URL_PASSWORD = re.compile(r"(\w+://[^/\s:@]+:)([^/\s@]+)(@)")
HIDDEN = "***"
SECRET_KEYS = ("password", "token", "auth_token", "auth_key", "access_key", "secret")


def redact(text: str) -> str:
    """A text with the values of passwords and tokens hidden."""
    return URL_PASSWORD.sub(rf"\1{HIDDEN}\3", SECRET.sub(rf"\1{HIDDEN}", text))


def _hide(logger: Any, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    for key, value in event.items():
        if key.lower() in SECRET_KEYS:
            event[key] = HIDDEN
        elif isinstance(value, str):
            event[key] = redact(value)
    return event


def _line(logger: Any, method: str, event: structlog.typing.EventDict) -> str:
    """``TIME PID LEVEL LOGGER [REQUEST-ID] text key=value``: what operators' parsers of the original read."""
    time, level = event.pop("timestamp"), str(event.pop("level")).upper()
    name, request = event.pop("logger", "manila"), event.pop("request_id", None) or "-"
    text, trace = event.pop("event"), event.pop("exception", None)
    rest = " ".join(f"{key}={value}" for key, value in event.items() if not key.startswith("_"))
    line = f"{time} {level} {name} [{request}] {text} {rest}".rstrip()
    return f"{line}\n{trace}" if trace else line


def set_up(options: OpenkeelSection) -> None:
    """Send the logs of this process to standard error, ours and the libraries' alike."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S.%f", utc=True),
        structlog.processors.format_exc_info,
        _hide,
    ]
    final: list[Any] = [structlog.processors.JSONRenderer()] if options.log_format == "json" else [_line]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _hide, *final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(options.log_level)
    for name in ("urllib3", "keystoneauth", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(max(logging.INFO, root.level))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
