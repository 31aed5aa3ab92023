"""Faults on request: the next calls of a driver method raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generated import errors
from generated.runtime import ManilaError

PLAIN_NAMES = {"_setup_server": "setup_server", "_teardown_server": "teardown_server"}
"""The original's names of methods that are public here."""


class Faults:
    """Scripted faults of one driver; a method's newest fault replaces the one before."""

    def __init__(self, driver: object) -> None:
        self._driver = driver

    def fail(
        self,
        method: str,
        count: int = 1,
        message: str = "injected failure",
        exception: str | None = None,
        detail: dict[str, Any] | None = None,
        take: Callable[[], bool] | None = None,
    ) -> None:
        """Make the next ``count`` calls of ``method`` raise.

        Args:
            take: says whether this call fails, in place of ``count``; for drivers in several processes that share it.
            exception: name of a contract exception, or ``NotImplementedError``; None: ShareBackendException.
            detail: the exception's ``detail_data``.

        Raises:
            AttributeError: the driver has no such method, or there is no such exception.
        """
        name = PLAIN_NAMES.get(method, method)
        self.clear(name)
        original = getattr(self._driver, name)
        left = count

        def fails() -> bool:
            nonlocal left
            left -= 1
            return left >= 0

        async def failing(*args: Any, **kwargs: Any) -> Any:
            if (take or fails)():
                raise made(message, exception, detail)
            return await original(*args, **kwargs)

        setattr(self._driver, name, failing)

    def clear(self, method: str | None = None) -> None:
        """Take back the fault of one method, or of all."""
        held = vars(self._driver)
        for name in [method] if method else [key for key in held if hasattr(type(self._driver), key)]:
            held.pop(name, None)


def made(message: str, exception: str | None, detail: dict[str, Any] | None) -> Exception:
    """The exception a fault raises."""
    if exception == "NotImplementedError":
        return NotImplementedError()
    kind: type[ManilaError] = getattr(errors, exception or "ShareBackendException")
    error = kind(msg=message) if exception in (None, "ShareBackendException") else kind(message)
    if detail is not None:
        error.detail_data = detail
    return error
