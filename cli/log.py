"""Structured logs: one record a line, as text in the original's shape or as JSON, without secrets."""

from __future__ import annotations

import logging
import pathlib
import sys
from logging.handlers import WatchedFileHandler
from typing import Any

import structlog

from cli import lines
from cli.log_text import trace
from generated.settings import DefaultSection, OpenkeelSection


def _harmless(logger: Any, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return lines.harmless(event)


def _line(logger: Any, method: str, event: structlog.typing.EventDict) -> str:
    return lines.line(event)


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
        structlog.processors.ExceptionRenderer(trace),
        _harmless,
    ]
    final: list[Any] = [structlog.processors.JSONRenderer()] if options.log_format == "json" else [_line]
    file = None if default is None else place(default)
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file is not None:
        handler = WatchedFileHandler(file, encoding="utf-8")
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _harmless, *final],
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
