"""Every operation of the contract has a handler or stands in the list of those without behaviour."""

from __future__ import annotations

import inspect

import pytest

from api import handlers
from generated.routes import ROUTES
from generated.unimplemented import UNIMPLEMENTED


def test_every_operation_is_served() -> None:
    found = handlers.load()
    assert set(found) == {route.operation for route in ROUTES}
    assert all(inspect.iscoroutinefunction(handler) for handler in found.values())


def test_the_list_names_operations_of_the_contract() -> None:
    assert {route.operation for route in ROUTES} >= UNIMPLEMENTED
    assert len(UNIMPLEMENTED) <= 110


def test_a_start_without_a_handler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    operation = min(UNIMPLEMENTED)
    monkeypatch.setattr(handlers, "UNIMPLEMENTED", UNIMPLEMENTED - {operation})
    with pytest.raises(handlers.MissingHandler, match=operation):
        handlers.load()
