"""Token checks against a Keystone of a few lines, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import prometheus_client
import pytest

from api.app import make_app
from api.tokens.base import KeystoneAway, TooManyTokens
from api.tokens.keystone import LOOK_UPS, KeystoneTokens
from api.tokens.static import StaticTokens, UnsafeListen, check_listen
from generated.settings import KeystoneAuthtokenSection
from services.core import Core
from tests.api.client import Client
from tests.api.keystone import Keystone


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
    monkeypatch.setattr("api.tokens.keystone.REFUSALS_SIZE", 4)
    tokens = validator(keystone)
    keystone.tokens |= {f"secret-{number}": keystone.facts("member") for number in range(6)}
    for number in range(12):
        await tokens.identity(f"secret-{number}")
    assert (len(tokens._cache), len(tokens._refusals)) == (3, 4)
    assert not [key for key in (*tokens._cache, *tokens._refusals) if b"secret" in key]


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


@pytest.mark.parametrize("token", ["", "a b", "a\tb", "\u00e4", "a\0", "'--", "<x>", "x" * 8193, "a,b", '"'])
async def test_what_cannot_be_a_token_is_not_asked_about(keystone: Keystone, token: str) -> None:
    assert await validator(keystone).identity(token) is None
    assert keystone.asked == []


async def test_tokens_of_every_provider_are_asked_about(keystone: Keystone) -> None:
    forms = ["0" * 32, "gAAAAABl-_x=", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "MIIB/+A-=", "PKIZ_eJx-_", "a" * 8192]
    for form in forms:
        keystone.tokens[form] = keystone.facts("member")
        assert await validator(keystone).identity(form) is not None
    assert keystone.asked == forms


async def test_refusals_do_not_push_good_tokens_out(keystone: Keystone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.tokens.keystone.CACHE_SIZE", 3)
    keystone.tokens["t"] = keystone.facts("member")
    tokens = validator(keystone)
    await tokens.identity("t")
    for number in range(10):
        assert await tokens.identity(f"made-up-{number}") is None
        assert await tokens.identity(f"made-up-{number}") is None
    assert await tokens.identity("t") is not None
    assert keystone.asked == ["t", *(f"made-up-{number}" for number in range(10))]


async def test_a_token_that_keystone_cannot_read_is_refused(keystone: Keystone) -> None:
    """Too long for its server, or not of its form: an answer about the token, not a Keystone that is away."""
    for keystone.refusal in (400, 404, 413, 414, 431):
        assert await validator(keystone).identity("t") is None


async def test_look_ups_are_bounded_and_a_good_token_does_not_wait_for_a_flood(keystone: Keystone) -> None:
    keystone.tokens |= {"good": keystone.facts("member"), "known": keystone.facts("member")}
    keystone.seconds = 0.05
    tokens = validator(keystone)
    await tokens.identity("known")
    flood = [asyncio.create_task(tokens.identity(f"made-up-{number}", None, "evil")) for number in range(1200)]
    await asyncio.sleep(0.1)
    assert await tokens.identity("known") is not None
    assert await tokens.identity("good", None, "evil") is not None
    assert len(keystone.asked) < 200, "it came before most of the flood"
    found = await asyncio.gather(*flood, return_exceptions=True)
    refused = [one for one in found if isinstance(one, TooManyTokens)]
    assert 900 < len(refused) < 1200
    assert [one for one in found if one is not None and not isinstance(one, TooManyTokens)] == []
    assert keystone.most <= LOOK_UPS


async def test_too_many_tokens_are_answered_with_a_time_to_come_back(keystone: Keystone, core: Core) -> None:
    keystone.seconds = 0.2
    app = make_app(core, validator(keystone))
    asking = [Client(app, f"made-up-{number}")("GET", "/v2/shares") for number in range(300)]
    answers = await asyncio.gather(*asking)
    assert {one.status for one in answers} == {401, 429}
    assert {one.headers["retry-after"] for one in answers if one.status == 429} == {"1"}
