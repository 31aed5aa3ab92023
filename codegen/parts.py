"""The generators in the order their files are described in ``generated/__init__.py``."""

from __future__ import annotations

from collections.abc import Callable

from codegen import data, errors, models, protocols, routes, schemas, settings, tables, views
from codegen.spec import Spec

PARTS: tuple[Callable[[Spec], dict[str, str]], ...] = (
    errors.generate,
    routes.generate,
    schemas.generate,
    data.registry,
    data.microversions,
    data.columns,
    data.policies,
    data.messages,
    data.enums,
    settings.generate,
    views.generate,
    protocols.generate,
    tables.generate,
    models.generate,
)
