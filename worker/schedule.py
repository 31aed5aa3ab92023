"""The periodic tasks of a share manager: each module of ``worker.tasks`` that exports ``PERIODIC``."""

from __future__ import annotations

import importlib
import pkgutil

import worker.tasks
from worker.periodic import Periodic


def _found() -> tuple[Periodic, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(worker.tasks.__path__))
    modules = [importlib.import_module(f"worker.tasks.{name}") for name in names]
    return tuple(one for module in modules for one in getattr(module, "PERIODIC", ()))


TASKS = _found()
