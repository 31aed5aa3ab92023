"""What clients see of errors: never a stack trace, always a fault body with the request's id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import FastAPI

from api import app as shell
from api.tokens.static import StaticTokens
from db.connection import DatabaseUnavailable
from generated.errors import InvalidShare, ShareNotFound
from generated.routes import ROUTES
from generated.runtime import Fault, Reply
from handlers.call import Call
from services.core import Core
from tests.api.client import Client
from tests.api.conftest import TOKENS

FIVE_HUNDRED = "The server has either erred or is incapable of performing the requested operation."


def app_with(core: Core, patch: pytest.MonkeyPatch, handler: Callable[[Call], Awaitable[Reply]]) -> FastAPI:
    patch.setattr(shell, "load", lambda: {route.operation: handler for route in ROUTES})
    return shell.make_app(core, StaticTokens.read(str(TOKENS)))


@pytest.mark.parametrize(
    ("error", "status", "body"),
    [
        (Fault(404), 404, {"itemNotFound": {"code": 404, "message": "The resource could not be found."}}),
        (Fault(409, "busy"), 409, {"conflictingRequest": {"code": 409, "message": "busy"}}),
        (
            Fault(413, "later", {"Retry-After": "3"}), 413,
            {"overLimit": {"code": 413, "message": "later", "retryAfter": "3"}},
        ),
        (
            ShareNotFound(share_id="x"), 404,
            {"itemNotFound": {"code": 404, "message": "ShareNotFound: Share x could not be found."}},
        ),
        (InvalidShare(reason="r"), 400, {"badRequest": {"code": 400, "message": "Invalid share: r."}}),
        (RuntimeError("secret"), 500, {"computeFault": {"code": 500, "message": FIVE_HUNDRED}}),
        (DatabaseUnavailable("gone"), 503, None),
    ],
)  # fmt: skip
async def test_errors_become_faults(
    core: Core, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, body: dict[str, Any] | None
) -> None:
    async def fails(call: Call) -> Reply:
        raise error

    answer = await Client(app_with(core, monkeypatch, fails))("GET", "/v2/limits", headers={"content-type": ""})
    assert answer.status == status
    assert body is None or answer.json == body
    assert answer.headers["x-compute-request-id"] == answer.headers["x-openstack-request-id"]
    assert b"secret" not in answer.content
    if status == 503:
        assert "serviceUnavailable" in answer.json
        assert answer.headers["retry-after"] == "1"


async def test_statuses_of_answers(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(call: Call) -> Reply:
        return Reply(status=204 if call.route.method == "DELETE" else None, headers={"X-More": "1"})

    client = Client(app_with(core, monkeypatch, nothing), "admin-token", "2.7")
    gone = await client("DELETE", "/v2/shares/x", headers={"content-type": ""})
    assert (gone.status, gone.content, gone.headers["x-more"]) == (204, b"", "1")
    assert gone.headers["content-type"] == "text/html; charset=UTF-8"
    extended = await client("POST", "/v2/shares/x/action", {"extend": {"new_size": 2}})
    assert (extended.status, extended.content) == (202, b"")
