"""Dispatch rows of ``handlers.extensions``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows("extensions.list", "GET", "/extensions", variants=(Variant(0, LATEST, 200, view="extension"),)),
    *rows("extensions.show", "GET", "/extensions/{id}", variants=(Variant(0, LATEST, 200, view="extension"),)),
)
