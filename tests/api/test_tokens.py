"""Token checks against a Keystone of a few lines, over HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import prometheus_client
import pytest

from api.app import make_app
from api.tokens.base import KeystoneAway
from api.tokens.keystone import KeystoneTokens
from api.tokens.static import StaticTokens, UnsafeListen, check_listen
from generated.settings import KeystoneAuthtokenSection
from services.core import Core
from tests.api.client import Client


class Keystone:
    """Knows ``tokens``; counts look-ups. ``broken`` makes it answer 500, ``behind`` as the proxy before it."""

    def __init__(self) -> None:
        self.tokens: dict[str, dict[str, Any]] = {"svc": self.facts("service", seconds=900)}
        self.asked: list[str] = []
        self.expired_allowed: list[str] = []
        self.broken = False
        self.behind: dict[str, Any] | None = None
        keystone = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def answer(self, status: int, body: dict[str, Any], **headers: str) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {
                    "Content-Type": "application/json",
                    "Content-Length": str(len(data)),
                    **headers,
                }.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(201, {"token": keystone.facts("service", seconds=900)}, X_Subject_Token="svc")

            def do_GET(self) -> None:
                token = self.headers["X-Subject-Token"]
                if token is None:  # a look at the versions, which this Keystone has none of
                    self.answer(404, {})
                    return
                keystone.asked.append(token)
                if "allow_expired=1" in self.path:
                    keystone.expired_allowed.append(token)
                if keystone.broken:
                    self.answer(500, {})
                elif keystone.behind is not None:
                    self.answer(404, keystone.behind)
                elif self.headers["X-Auth-Token"] != "svc" or token not in keystone.tokens:
                    self.answer(404, {"error": {"code": 404}})
                else:
                    self.answer(200, {"token": keystone.tokens[token]})

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @staticmethod
    def facts(*roles: str, seconds: float = 900, **more: Any) -> dict[str, Any]:
        end = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        domain = {"id": "default", "name": "Default"}
        return {
            "expires_at": end,
            "issued_at": end,
            "methods": ["password"],
            "roles": [{"id": role, "name": role} for role in roles],
            "user": {"id": "u1", "name": "n", "domain": domain},
            "project": {"id": "b0", "name": "p", "domain": domain},
            **more,
        }

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def keystone() -> Iterator[Keystone]:
    made = Keystone()
    yield made
    made.stop()


def validator(keystone: Keystone, **options: Any) -> KeystoneTokens:
    return KeystoneTokens(
        KeystoneAuthtokenSection(
            auth_url=f"http://127.0.0.1:{keystone.server.server_port}/v3", auth_type="password", username="manila",
            password="p", project_name="service", user_domain_name="Default", project_domain_name="Default",
            http_request_max_retries=0, **options,
        )
    )  # fmt: skip


async def test_a_token_is_asked_once_and_remembered(keystone: Keystone) -> None:
    keystone.tokens["t"] = keystone.facts("member", "reader")
    tokens = validator(keystone)
    found = await asyncio.gather(*(tokens.identity("t") for _ in range(20)))
    again = await tokens.identity("t")
    assert keystone.asked == ["t"]
    assert again is not None
    assert {one and one.user_id for one in found} == {"u1"}
    assert (again.project_id, again.roles, again.system_scope) == ("b0", ("member", "reader"), None)


async def test_a_revoked_token_is_refused_within_the_cache_time(keystone: Keystone) -> None:
    keystone.tokens["t"] = keystone.facts("member")
    tokens = validator(keystone, token_cache_time=0)
    assert await tokens.identity("t") is not None
    del keystone.tokens["t"]
    assert await tokens.identity("t") is None


async def test_an_answer_is_not_kept_past_the_tokens_end(keystone: Keystone) -> None:
    keystone.tokens["t"] = keystone.facts("member", seconds=0.3)
    tokens = validator(keystone)
    assert await tokens.identity("t") is not None
    await asyncio.sleep(0.35)
    assert await tokens.identity("t") is None


async def test_when_keystone_is_away_known_tokens_go_on(keystone: Keystone) -> None:
    keystone.tokens["t"] = keystone.facts("member")
    tokens = validator(keystone)
    await tokens.identity("t")
    keystone.broken = True
    assert await tokens.identity("t") is not None
    with pytest.raises(KeystoneAway):
        await tokens.identity("other")


@pytest.mark.parametrize("page", [{}, {"message": "no Route matched with those values"}, {"error": "not found"}])
async def test_a_404_that_is_not_keystone_s_says_nothing_of_a_token(keystone: Keystone, page: dict[str, Any]) -> None:
    """A proxy without a route, or a URL that is not Keystone's: a client with a good token is not to log in again."""
    keystone.tokens["t"] = keystone.facts("member")
    keystone.behind = page
    tokens = validator(keystone)
    with pytest.raises(KeystoneAway):
        await tokens.identity("t")
    keystone.behind = None
    assert await tokens.identity("t") is not None and await tokens.identity("unknown") is None


async def test_a_service_vouches_for_an_expired_token(keystone: Keystone) -> None:
    keystone.tokens["old"] = keystone.facts("member", seconds=-5)
    tokens = validator(keystone)
    assert await tokens.identity("old") is None
    found = await tokens.identity("old", "svc")
    assert found is not None
    assert found.service_roles == ("service",)
    assert keystone.expired_allowed == ["old"]


async def test_a_service_token_without_its_role_is_refused(keystone: Keystone) -> None:
    keystone.tokens["t"] = keystone.facts("member")
    keystone.tokens["other"] = keystone.facts("member")
    assert await validator(keystone).identity("t", "other") is None
    assert await validator(keystone).identity("t", "unknown") is None
    assert await validator(keystone, service_token_roles_required=False).identity("t", "other") is not None


async def test_scopes_are_told(keystone: Keystone) -> None:
    keystone.tokens["s"] = {**keystone.facts("admin"), "system": {"all": True}, "project": None}
    keystone.tokens["d"] = {**keystone.facts("admin"), "domain": {"id": "dom"}, "project": None}
    tokens = validator(keystone)
    system, domain = await tokens.identity("s"), await tokens.identity("d")
    assert system is not None
    assert domain is not None
    assert (system.system_scope, system.project_id, domain.domain_id) == ("all", None, "dom")


async def test_what_keystone_could_not_be_asked_is_counted(keystone: Keystone) -> None:
    tokens, name = validator(keystone), "manila_keystone_failures_total"
    before = prometheus_client.REGISTRY.get_sample_value(name) or 0
    await tokens.identity("unknown")
    assert prometheus_client.REGISTRY.get_sample_value(name) == before
    keystone.broken = True
    with pytest.raises(KeystoneAway):
        await tokens.identity("another")
    assert prometheus_client.REGISTRY.get_sample_value(name) == before + 1


async def test_the_api_says_503_and_when_to_come_back(keystone: Keystone, core: Core) -> None:
    keystone.broken = True
    answer = await Client(make_app(core, validator(keystone)), "t")("GET", "/v2/shares")
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    assert "serviceUnavailable" in answer.json


async def test_the_cache_is_bounded_and_knows_no_tokens(keystone: Keystone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.tokens.keystone.CACHE_SIZE", 3)
    tokens = validator(keystone)
    for number in range(6):
        await tokens.identity(f"secret-{number}")
    assert len(tokens._cache) == 3
    assert not [key for key in tokens._cache if b"secret" in key]


async def test_static_tokens_take_service_tokens_too() -> None:
    tokens = StaticTokens({
        "a": {"user_id": "u", "project_id": "p", "roles": ["member"]},
        "s": {"user_id": "x", "project_id": "q", "roles": ["service"]},
    })  # fmt: skip
    found = await tokens.identity("a", "s")
    assert found is not None
    assert (found.user_id, found.service_roles) == ("u", ("service",))
    assert await tokens.identity("a", "nope") is None
    assert await tokens.identity("nope") is None


@pytest.mark.parametrize(("address", "confirmed", "safe"), [
    ("127.0.0.1", False, True), ("::1", False, True), ("localhost", False, True),
    ("0.0.0.0", False, False), ("::", False, False), ("10.1.2.3", False, False), ("0.0.0.0", True, True),
])  # fmt: skip
def test_static_tokens_stay_on_this_machine(address: str, confirmed: bool, safe: bool) -> None:
    if safe:
        check_listen(address, confirmed)
    else:
        with pytest.raises(UnsafeListen):
            check_listen(address, confirmed)
