"""Structured logs: one record a line, as text in the original's shape or as JSON, without secrets."""

from __future__ import annotations

import logging
import os
import pathlib
import re
import sys
from logging.handlers import WatchedFileHandler
from typing import Any

import structlog

from generated.settings import DefaultSection, OpenkeelSection

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


def _hide(logger: Any, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    for key, value in event.items():
        if key.lower() in SECRET_KEYS:
            event[key] = HIDDEN
        elif not key.startswith("_") and not isinstance(value, bool | int | float | None):
            event[key] = redact(value if isinstance(value, str) else repr(value))
    return event


def _line(logger: Any, method: str, event: structlog.typing.EventDict) -> str:
    """``TIME PID LEVEL LOGGER [REQUEST-ID] text key=value``: what operators' parsers of the original read."""
    moment, level = str(event.pop("timestamp"))[:-3], str(event.pop("level")).upper()
    name, request = event.pop("logger", None) or "manila", event.pop("request_id", None) or "-"
    text, trace = event.pop("event"), event.pop("exception", None)
    rest = " ".join(f"{key}={value}" for key, value in event.items() if not key.startswith("_"))
    line = f"{moment} {os.getpid()} {level} {name} [{request}] {text} {rest}".rstrip()
    return f"{line}\n{trace}" if trace else line


def place(default: DefaultSection) -> pathlib.Path | None:
    """The file that ``log_file`` and ``log_dir`` name; None for standard error."""
    if not default.log_file and not default.log_dir:
        return None
    name = default.log_file or f"{pathlib.Path(sys.argv[0]).stem or 'manila'}.log"
    return pathlib.Path(default.log_dir or "") / name


def set_up(options: OpenkeelSection, default: DefaultSection | None = None) -> None:
    """Send the logs of this process where the configuration says, ours and the libraries' alike.

    Args:
        default: names a file and says whether to debug; None: standard error. A file that was moved is opened anew.

    Raises:
        OSError: the file can't be written.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S.%f", utc=True),
        structlog.processors.format_exc_info,
        _hide,
    ]
    final: list[Any] = [structlog.processors.JSONRenderer()] if options.log_format == "json" else [_line]
    file = None if default is None else place(default)
    handler: logging.Handler = logging.StreamHandler(sys.stderr) if file is None else WatchedFileHandler(file)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _hide, *final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel("DEBUG" if default is not None and default.debug else options.log_level)
    for name in ("urllib3", "keystoneauth", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(max(logging.INFO, root.level))
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
