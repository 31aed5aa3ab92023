"""Records with named values by the standard library: the programs in a gateway do without structlog."""

from __future__ import annotations

import logging


class Log:
    """A log; the named values of a record are its attribute ``parts``, which the program's formatter writes."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def info(self, event: str, **parts: object) -> None:
        """What happened."""
        self._logger.info("%s", event, extra={"parts": parts})

    def warning(self, event: str, **parts: object) -> None:
        """What somebody should look at."""
        self._logger.warning("%s", event, extra={"parts": parts})

    def error(self, event: str, **parts: object) -> None:
        """What could not be done."""
        self._logger.error("%s", event, extra={"parts": parts})
