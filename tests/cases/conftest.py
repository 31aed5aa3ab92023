"""Fixtures of the cases: the stage of the handler tests."""

from __future__ import annotations

from tests.handlers.conftest import stage

__all__ = ["stage"]
