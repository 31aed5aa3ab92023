"""Cross-origin requests: the rules of oslo.middleware's filter."""

from __future__ import annotations

import dataclasses

import pytest
from fastapi import FastAPI

from api.app import make_app
from api.tokens.static import StaticTokens
from generated.settings import CorsSection
from services.core import Core
from tests.api.client import Client
from tests.api.conftest import TOKENS

ORIGIN = {"Origin": "https://ui.example"}
PREFLIGHT = {**ORIGIN, "Access-Control-Request-Method": "GET"}


def with_cors(core: Core, *origins: str) -> FastAPI:
    settings = dataclasses.replace(core.settings, cors=CorsSection(allowed_origin=origins))
    return make_app(dataclasses.replace(core, settings=settings), StaticTokens.read(str(TOKENS)))


async def test_an_allowed_origin_is_named_and_varies(core: Core) -> None:
    answer = await Client(with_cors(core, "https://ui.example"))("GET", "/v2/shares/new", headers=ORIGIN)
    assert answer.headers["access-control-allow-origin"] == "https://ui.example"
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert answer.headers["access-control-expose-headers"].startswith("X-Auth-Token,X-OpenStack-Request-ID,")
    assert answer.headers["vary"] == "X-OpenStack-Manila-API-Version,Origin"


async def test_a_refused_request_is_readable_by_an_allowed_origin_too(core: Core) -> None:
    answer = await Client(with_cors(core, "*"), None)("GET", "/v2/shares", headers=ORIGIN)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (401, "*")
    assert answer.headers["vary"] == "Origin"


async def test_another_origin_gets_no_leave(core: Core) -> None:
    answer = await Client(with_cors(core, "https://other.example"))("GET", "/v2/shares/new", headers=ORIGIN)
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_a_preflight_needs_no_token(core: Core) -> None:
    wanted = {**PREFLIGHT, "Access-Control-Request-Headers": "X-Auth-Token, accept"}
    answer = await Client(with_cors(core, "https://ui.example"), None)("OPTIONS", "/v2/shares", headers=wanted)
    assert (answer.status, answer.content) == (200, b"")
    assert answer.headers["access-control-allow-methods"] == "GET"
    assert answer.headers["access-control-allow-headers"] == "X-Auth-Token,accept"
    assert answer.headers["access-control-max-age"] == "3600"
    assert "content-type" not in answer.headers


@pytest.mark.parametrize(
    "changed",
    [
        {"Access-Control-Request-Method": "TRACE"},
        {"Access-Control-Request-Headers": "X-Nope"},
        {"Access-Control-Request-Method": ""},
        {"Origin": "https://other.example"},
    ],
)
async def test_a_preflight_for_too_much_gets_no_leave(core: Core, changed: dict[str, str]) -> None:
    client = Client(with_cors(core, "https://ui.example"), None)
    answer = await client("OPTIONS", "/v2/shares", headers=PREFLIGHT | changed)
    assert answer.status == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]
