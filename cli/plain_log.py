"""The logs of a small program by the standard library alone: the records that ``cli.log`` makes, for less memory."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from cli import lines
from cli.log_text import trace


class Form(logging.Formatter):
    """Records as ``cli.log`` writes them, with the named values that are their ``parts``.

    ``as_json``: one JSON object a line.
    """

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def formatException(self, ei: Any) -> str:
        """See the class."""
        return trace(ei)

    def format(self, record: logging.LogRecord) -> str:
        """See the class."""
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        event: dict[str, Any] = {**getattr(record, "parts", {}), "event": record.getMessage()}
        event |= {"level": record.levelname.lower(), "logger": record.name, "timestamp": moment}
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        event = lines.harmless(event)
        return json.dumps(event) if self._as_json else lines.line(event)


def set_up(form: str, level: str) -> None:
    """Send the logs of this process to standard error. ``form``: ``json`` or ``line``.

    Raises:
        ValueError: there is no such level.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Form(form == "json"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
