"""Dispatch rows of ``handlers.limits``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows("limits.list", "GET", "/limits", variants=(Variant(0, LATEST, 200, view="limits"),)),
)
