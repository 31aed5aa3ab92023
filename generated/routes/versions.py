"""Dispatch rows of ``handlers.versions``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows("versions.list", "GET", "/", variants=(Variant(0, LATEST, 200, view="api_version"),)),
)
