"""Requests that a proxy and the service might read differently, and what else is no request."""

from __future__ import annotations

import contextlib

import pytest

from tests.hostile.target import Target, get

TOKEN = "X-Auth-Token: member-a-token\r\n"
SMUGGLED = "GET /v2/shares HTTP/1.1\r\nHost: x\r\n\r\n"


def head(*lines: str, line: str = "GET /v2/ HTTP/1.1", host: str = "Host: api\r\n") -> bytes:
    return (f"{line}\r\n{host}" + "".join(f"{one}\r\n" for one in lines) + "\r\n").encode("latin-1")


REFUSED = {
    "host-missing": head(host=""),
    "host-twice": head("Host: api"),
    "host-twice-other-case": head("hOST: evil.example"),
    "host-blank-inside": head(host="Host: a b\r\n"),
    "host-two-ports": head(host="Host: a:1:2\r\n"),
    "host-path": head(host="Host: a/b\r\n"),
    "host-user": head(host="Host: u@a\r\n"),
    "host-quote": head(host='Host: a"b\r\n'),
    "host-beyond-ascii": head(host="Host: \xe4.example\r\n"),
    "token-twice": head("X-Auth-Token: member-a-token", "X-Auth-Token: member-b-token"),
    "token-twice-the-same": head("X-Auth-Token: member-a-token", "x-auth-token: member-a-token"),
    "service-token-twice": head("X-Service-Token: a", "X-Service-Token: b"),
    "version-twice": head("X-OpenStack-Manila-API-Version: 2.7", "X-OpenStack-Manila-API-Version: 2.8"),
    "type-twice": head("Content-Type: application/json", "Content-Type: text/plain"),
    "absolute-user": head(line="GET http://user@evil.example/v2/ HTTP/1.1"),
    "absolute-empty": head(line="GET http:///v2/ HTTP/1.1"),
    "absolute-other-scheme": head(line="GET ftp://api/v2/ HTTP/1.1"),
    "asterisk": head(line="OPTIONS * HTTP/1.1"),
    "authority": head(line="CONNECT api:443 HTTP/1.1"),
    "relative": head(line="GET v2/ HTTP/1.1"),
    "control-in-target": head(line="GET /v2/\x01 HTTP/1.1"),
    "blank-in-target": head(line="GET /v2/ x HTTP/1.1"),
    "beyond-ascii-in-target": head(line="GET /v2/\xe4 HTTP/1.1"),
    "no-version": b"GET /v2/\r\n\r\n",
    "odd-method": head(line="GE T /v2/ HTTP/1.1"),
    "unknown-method": head(line="G@T /v2/ HTTP/1.1"),
    "version-1.2": head(line="GET /v2/ HTTP/1.2"),
    "name-blank": head("X-Auth-Token : member-a-token"),
    "name-empty": head(": member-a-token"),
    "name-control": head("X-Auth\x01-Token: member-a-token"),
    "name-beyond-ascii": head("X-\xc4uth: a"),
    "no-colon": head("X-Auth-Token"),
    "value-nul": head("a: b\0c"),
    "value-cr": head("a: b\rc: d"),
    "folded": head("a: b", " c"),
    "bare-lf": b"GET /v2/ HTTP/1.1\nHost: api\n\n",
    "length-and-chunks": head("Content-Length: 4", "Transfer-Encoding: chunked", line="POST /v2/shares HTTP/1.1"),
    "chunks-and-length": head("Transfer-Encoding: chunked", "Content-Length: 4", line="POST /v2/shares HTTP/1.1"),
    "two-lengths": head("Content-Length: 4", "Content-Length: 5", line="POST /v2/shares HTTP/1.1"),
    "length-list": head("Content-Length: 4, 4", line="POST /v2/shares HTTP/1.1"),
    "length-sign": head("Content-Length: +4", line="POST /v2/shares HTTP/1.1"),
    "length-negative": head("Content-Length: -4", line="POST /v2/shares HTTP/1.1"),
    "length-hex": head("Content-Length: 0x4", line="POST /v2/shares HTTP/1.1"),
    "length-huge": head("Content-Length: 99999999999999999999999", line="POST /v2/shares HTTP/1.1"),
    "coding-unknown": head("Transfer-Encoding: xchunked", line="POST /v2/shares HTTP/1.1"),
    "coding-not-last": head("Transfer-Encoding: chunked, identity", line="POST /v2/shares HTTP/1.1"),
    "coding-twice": head("Transfer-Encoding: gzip", "Transfer-Encoding: chunked", line="POST /v2/shares HTTP/1.1"),
    "upgrade-with-a-body": head(
        "Connection: upgrade", "Upgrade: h2c", "Content-Length: 4", line="POST /v2/shares HTTP/1.1"
    ),
    "other-protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 100,
    "preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_no_request_is_refused(target: Target, name: str) -> None:
    """Nothing after it on the same connection is taken for a request."""
    async with contextlib.aclosing(await target.connect()) as wire:
        await wire.send(REFUSED[name] + SMUGGLED.encode())
        answer = await wire.answer()
        assert answer.status in (400, 505), answer
        assert b"\r\nconnection: close\r\n" in answer.head
        assert b"\r\ncontent-type: application/json\r\n" in answer.head
        assert await wire.closed()
        assert (await wire.answer()).status == 0, "there was a second answer"


@pytest.mark.parametrize(
    ("data", "host"),
    [
        (head(line="GET http://real.example:81/v2 HTTP/1.1", host="Host: other\r\n"), "http://real.example:81/v2/"),
        (head(line="GET HTTP://real.example/v2 HTTP/1.1", host="Host: other\r\n"), "http://real.example/v2/"),
        (head(line="GET http://[::1]:8786/v2 HTTP/1.1", host="Host: other\r\n"), "http://[::1]:8786/v2/"),
        (head(line="GET /v2 HTTP/1.1", host="Host: [::1]:8786\r\n"), "http://[::1]:8786/v2/"),
        (head(line="GET /v2 HTTP/1.1", host="Host: a_b.example\r\n"), "http://a_b.example/v2/"),
    ],
)
async def test_the_authority_of_the_target_counts(target: Target, data: bytes, host: str) -> None:
    answer = await target.ask(data.replace(b"\r\n\r\n", f"\r\n{TOKEN}\r\n".encode(), 1))
    assert answer.status == 302
    assert f"\r\nlocation: {host}\r\n".encode() in answer.head


async def test_an_absolute_target_without_a_path(target: Target) -> None:
    assert (await target.ask(head(line="GET http://api HTTP/1.1"))).status == 300
    assert (await target.ask(head(line="GET http://api?a=b HTTP/1.1"))).status == 300


async def test_requests_sent_ahead_are_answered_in_order(target: Target) -> None:
    paths = ["/v2/shares", "/", "/v2/nothing", "/healthcheck"]
    statuses = [200, 300, 404, 200]
    async with contextlib.aclosing(await target.connect()) as wire:
        for data in (b"".join(get(path) for path in paths), b"".join(get(path) for path in reversed(paths))):
            await wire.send(data)
            assert [(await wire.answer()).status for _ in paths] == statuses
            statuses.reverse()


async def test_requests_sent_far_ahead_are_answered_as_far_as_is_kept(target: Target) -> None:
    """The connection ends after the last that is answered, and says so: the client asks the others again."""
    async with contextlib.aclosing(await target.connect()) as wire:
        await wire.send(get("/v2/shares") * 2000)
        answers = []
        while (answer := await wire.answer()).status:
            answers.append(answer)
    assert 5 <= len(answers) <= 20
    assert {one.status for one in answers} == {200}
    assert [b"connection: close" in one.head for one in answers] == [False] * (len(answers) - 1) + [True]


async def test_nothing_follows_a_request_that_closes(target: Target) -> None:
    async with contextlib.aclosing(await target.connect()) as wire:
        await wire.send(get("/", more="Connection: close\r\n") + get("/v2/shares"))
        assert (await wire.answer()).status == 300
        assert (await wire.answer()).status == 0


async def test_an_upgrade_that_is_not_offered_is_a_plain_request(target: Target) -> None:
    """Without a body, as curl asks for HTTP/2; what follows is not read."""
    for protocol in ("h2c", "websocket", "x"):
        more = f"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: {protocol}\r\nHTTP2-Settings: AAMAAABk\r\n"
        async with contextlib.aclosing(await target.connect()) as wire:
            await wire.send(get("/v2/", more=more) + get("/v2/shares"))
            assert (await wire.answer()).status == 200
            assert (await wire.answer()).status == 0


async def test_a_trailer_says_nothing(target: Target) -> None:
    body = b"2\r\n{}\r\n0\r\nX-Auth-Token: admin-token\r\n\r\n"
    coding = "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n"
    post = f"POST /v2/share_networks HTTP/1.1\r\nHost: x\r\n{coding}"
    assert (await target.ask(f"{post}\r\n".encode() + body)).status == 401
    async with contextlib.aclosing(await target.connect()) as wire:
        await wire.send(f"{post}{TOKEN}\r\n".encode() + body + get("/v2/shares"))
        assert [(await wire.answer()).status for _ in range(2)] == [404, 200]


async def test_a_body_too_large_is_refused_in_the_original_s_form(target: Target) -> None:
    for data in (
        head(TOKEN.strip(), "Content-Length: 114689", line="POST /v2/shares HTTP/1.1"),
        head(TOKEN.strip(), "Transfer-Encoding: chunked", line="POST /v2/shares HTTP/1.1")
        + b"20000\r\n" + b"x" * 0x20000 + b"\r\n20000\r\n" + b"x" * 0x20000 + b"\r\n0\r\n\r\n",
    ):  # fmt: skip
        answer = await target.ask(data)
        assert answer.status == 413
        assert answer.body.startswith(b"413 Request Entity Too Large\n\nRequest is too large.")


async def test_a_connection_lasts_for_some_requests(target: Target) -> None:
    async with contextlib.aclosing(await target.connect()) as wire:
        for _ in range(100):
            await wire.send(get("/healthcheck"))
            assert b"connection:" not in (await wire.answer()).head
