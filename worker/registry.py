"""All long operations, found in ``worker.operations``: each module there exports ``OPERATION`` or ``OPERATIONS``."""

from __future__ import annotations

import functools
import importlib
import pkgutil

import worker.operations
from worker.operation import Operation


@functools.cache
def operations() -> dict[str, Operation]:
    """Operation name -> operation. Raises ValueError when two carry one name."""
    found: dict[str, Operation] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(worker.operations.__path__)):
        loaded = importlib.import_module(f"worker.operations.{module}")
        listed = getattr(loaded, "OPERATIONS", None) or [getattr(loaded, "OPERATION", None)]
        for one in listed:
            if one is None:
                continue
            if one.name in found:
                raise ValueError(f"two operations are named {one.name}")
            found[one.name] = one
    return found
