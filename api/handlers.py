"""The handler of each operation, found in the ``handlers`` package; start-up refuses an operation without one."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Awaitable, Callable

from generated.routes import ROUTES
from generated.runtime import Reply
from handlers.call import Call

Handler = Callable[[Call], Awaitable[Reply]]


class MissingHandler(Exception):
    """An operation of the contract has no handler."""


def load() -> dict[str, Handler]:
    """Operation id -> handler.

    Raises:
        MissingHandler: see there; the text names the operations.
    """
    found: dict[str, Handler] = {}
    missing: list[str] = []
    for operation in sorted({route.operation for route in ROUTES}):
        resource, _, function = operation.rpartition(".")
        module = f"handlers.{resource.replace('.', '_')}"
        handler = getattr(importlib.import_module(module), function, None) if importlib.util.find_spec(module) else None
        if handler is None:
            missing.append(operation)
        else:
            found[operation] = handler
    if missing:
        raise MissingHandler(f"no handler for {', '.join(sorted(missing))}")
    return found
