"""Every operation of the contract has a handler."""

from __future__ import annotations

import inspect

import pytest

from api import handlers
from generated.routes import ROUTES
from handlers import shares


def test_every_operation_is_served() -> None:
    found = handlers.load()
    assert set(found) == {route.operation for route in ROUTES}
    assert len(found) == 258
    assert all(inspect.iscoroutinefunction(handler) for handler in found.values())


def test_a_start_without_a_handler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(shares, "show")
    with pytest.raises(handlers.MissingHandler, match=r"shares\.show"):
        handlers.load()
