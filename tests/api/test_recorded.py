"""Requests that the original was asked, and its answers: what is decided before a handler must be the same to the byte.

``recorded.json`` has a case a line; a body of null was made by a handler of the original and isn't compared here.
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest
from fastapi import FastAPI

from api import app as shell
from api.tokens.static import StaticTokens
from generated.routes import ROUTES
from generated.runtime import Reply
from handlers.call import Call
from services.core import Core
from tests.api.client import Client
from tests.api.conftest import TOKENS, behind_proxy

CASES: list[dict[str, Any]] = json.loads((pathlib.Path(__file__).parent / "recorded.json").read_text())
REQUEST_ID = re.compile(r"req-[0-9a-f-]{36}")


async def stub(call: Call) -> Reply:
    """Stands for any handler."""
    if call.route.path == "/":
        from handlers.versions import list as versions

        return await versions(call)
    call.query.pairs()
    return Reply({"stub": call.route.operation})


@pytest.fixture
def apps(core: Core, monkeypatch: pytest.MonkeyPatch) -> dict[bool, FastAPI]:
    """The shell around stubs, without and with a proxy that is believed."""
    monkeypatch.setattr(shell, "load", lambda: {route.operation: stub for route in ROUTES})
    tokens = StaticTokens.read(str(TOKENS))
    proxied = behind_proxy(
        core, trusted_proxy_headers=("Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix")
    )
    return {False: shell.make_app(core, tokens), True: shell.make_app(proxied, tokens)}


def body_of(sent: str | None) -> bytes:
    if sent is None:
        return b""
    if sent.startswith("x*"):
        return b"x" * int(sent[2:])
    return sent.encode("utf-8" if "\ufeff" in sent else "latin-1")


@pytest.mark.parametrize("start", range(0, len(CASES), 60))
async def test_answers_are_the_originals(apps: dict[bool, FastAPI], start: int) -> None:
    for case in CASES[start : start + 60]:
        client = Client(apps[case["proxy"]], None)
        sent = {"Content-Type": "", "Host": "api.example:8786", **case["headers"]}
        got = await client(case["method"], case["target"], raw=body_of(case["sent"]), headers=sent)
        headers = {name: REQUEST_ID.sub("REQ", value) for name, value in got.headers.items()}
        headers.pop("content-length", None)
        if got.status == 300:  # on purpose: caches have to ask again
            assert headers.pop("cache-control") == "no-cache"
            assert ("Host" in headers.pop("vary", "")) is case["proxy"]
        assert (got.status, headers) == (case["status"], case["answer_headers"]), case
        if isinstance(case["body"], str) or not got.content:
            assert got.content.decode() == (case["body"] or ""), case
        elif case["body"] is not None:
            assert got.json == case["body"], case
