"""What of a proxy's headers is believed, and from whom."""

from __future__ import annotations

from typing import Any

import pytest

from api import forwarded
from api.app import make_app
from api.tokens.static import StaticTokens
from services.core import Core
from tests.api.client import Client
from tests.api.conftest import TOKENS, behind_proxy

PROXY = {"x-forwarded-proto": "https", "x-forwarded-host": "cloud.example"}
TRUSTED = "https://cloud.example"
ALL = ("Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix")


def base(core: Core, headers: dict[str, str], client: tuple[str, int] | None = ("192.0.2.1", 40000)) -> str:
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "client": client}
    return forwarded.place(core.settings, scope, {"host": "api.test", **headers}).base_url


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ({}, TRUSTED),
        ({"forwarded": "host=evil.example;proto=http"}, TRUSTED),
        ({"x-forwarded-prefix": "/share"}, TRUSTED + "/share"),
        ({"x-forwarded-prefix": "/share/"}, TRUSTED + "/share"),
        ({"x-forwarded-prefix": ".evil.example/x"}, TRUSTED),
        ({"x-forwarded-prefix": "@evil.example/x"}, TRUSTED),
        ({"x-forwarded-prefix": "//evil.example"}, TRUSTED),
        ({"x-forwarded-prefix": "/a/../b\r\nX: y"}, TRUSTED),
        ({"x-forwarded-host": "evil.example, cloud.example"}, TRUSTED),
        ({"x-forwarded-host": "[2001:db8::1]:8786"}, "https://[2001:db8::1]:8786"),
        ({"x-forwarded-host": "evil.example/x"}, "https://api.test"),
        ({"x-forwarded-host": "user@evil.example"}, "https://api.test"),
        ({"x-forwarded-host": "a b"}, "https://api.test"),
        ({"x-forwarded-proto": "javascript"}, "http://cloud.example"),
        ({"x-forwarded-proto": "http, https"}, TRUSTED),
    ],
)
def test_only_what_the_proxy_overwrites_is_believed(core: Core, added: dict[str, str], expected: str) -> None:
    assert base(behind_proxy(core), {**PROXY, **added}) == expected


def test_a_proxy_of_rfc_7239_is_believed_where_it_is_named(core: Core) -> None:
    believed = behind_proxy(core, trusted_proxy_headers=("Forwarded",))
    said = 'for=192.0.2.7;host=evil.example, for=192.0.2.9;proto=https;host="cloud.example:8443"'
    assert base(believed, {"forwarded": said, "x-forwarded-host": "evil.example"}) == "https://cloud.example:8443"
    assert base(believed, PROXY) == "http://api.test"


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        (("192.0.2.1", 1), TRUSTED),
        (("::ffff:192.0.2.1", 1), TRUSTED),
        (("2001:db8::5", 1), TRUSTED),
        (("192.0.3.1", 1), "http://api.test"),
        (("2001:db9::5", 1), "http://api.test"),
        (None, "http://api.test"),
    ],
)
def test_only_the_named_proxies_are_believed(core: Core, client: tuple[str, int] | None, expected: str) -> None:
    believed = behind_proxy(core, trusted_proxies=("192.0.2.0/24", "2001:db8::5"))
    assert base(believed, PROXY, client) == expected


def test_without_the_option_nobody_is_believed(core: Core) -> None:
    assert base(core, {**PROXY, "forwarded": "host=evil.example"}) == "http://api.test"


async def test_the_document_for_everybody_is_not_kept_by_caches(core: Core) -> None:
    tokens = StaticTokens.read(str(TOKENS))
    for one, vary in ((core, None), (behind_proxy(core, trusted_proxy_headers=ALL), ", ".join(["Host", *ALL]))):
        answer = await Client(make_app(one, tokens), None)("GET", "/")
        assert (answer.headers.get("vary"), answer.headers["cache-control"]) == (vary, "no-cache")


def test_a_proxy_that_is_no_network_stops_the_start(core: Core) -> None:
    with pytest.raises(ValueError, match=r"\[openkeel\] trusted_proxies: 'proxy.example' does not appear"):
        make_app(behind_proxy(core, trusted_proxies=("proxy.example",)), StaticTokens.read(str(TOKENS)))
