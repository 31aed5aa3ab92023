"""The head of a request: what is refused before anything is done with it, and where its target leads.

Rules: RFC 9112, sections 3.2 (targets and Host) and 6.3 (the end of a message), as far as the parser leaves them to us.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import httptools

Headers = list[tuple[bytes, bytes]]

SINGLE = frozenset(
    (
        b"host", b"content-length", b"content-type", b"transfer-encoding", b"authorization", b"expect",
        b"x-auth-token", b"x-service-token", b"x-openstack-manila-api-version", b"x-openstack-manila-api-experimental",
    )
)  # fmt: skip
"""Fields that have one value: of two, a proxy and we might believe different ones."""
AUTHORITY = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?")
VISIBLE = re.compile(rb"[\x21-\x7e]+")


class Refused(Exception):
    """A request that is answered with an error and followed by the end of its connection.

    ``kind`` names the reason in metrics; ``text`` is what the client reads, it never repeats what was sent.
    """

    def __init__(self, status: int, kind: str, text: str) -> None:
        super().__init__(text)
        self.status, self.kind, self.text = status, kind, text


@dataclass(frozen=True, slots=True)
class Target:
    """Path as sent, query as sent, and the authority of an absolute target, which counts instead of Host."""

    raw_path: bytes
    query: bytes
    authority: bytes | None


def check(headers: Headers, version: str) -> dict[bytes, bytes]:
    """The single-valued fields of a head, after a look for repeated ones and at Host.

    Raises:
        Refused: 400, and 505 for another version than 1.0 and 1.1.
    """
    if version not in ("1.1", "1.0"):
        raise Refused(505, "version", "Only HTTP/1.1 and HTTP/1.0 are understood.")
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in SINGLE:
            if name in found:
                raise Refused(400, "repeated", f"The header {name.decode()} may be sent once only.")
            found[name] = value
    host = found.get(b"host")
    if host is None:
        if version == "1.1":
            raise Refused(400, "host", "The header Host is missing.")
    elif host and not AUTHORITY.fullmatch(host.strip()):
        raise Refused(400, "host", "The header Host is malformed.")
    return found


def target(method: str, url: bytes) -> Target:
    """Where a request goes. Raises Refused 400 for what is no path and no absolute URL."""
    if not url.startswith(b"/"):
        return _absolute(url) if method != "CONNECT" else _refuse()
    if not VISIBLE.fullmatch(url):
        return _refuse()
    raw_path, _, query = url.partition(b"#")[0].partition(b"?")
    return Target(raw_path, query, None)


def _absolute(url: bytes) -> Target:
    try:
        parts = httptools.parse_url(url)
    except httptools.HttpParserInvalidURLError:
        return _refuse()
    scheme = (parts.schema or b"").lower()
    authority = url.partition(b"://")[2]
    for end in (b"/", b"?", b"#"):
        authority = authority.partition(end)[0]
    if scheme not in (b"http", b"https") or not VISIBLE.fullmatch(url) or not AUTHORITY.fullmatch(authority):
        return _refuse()
    return Target(parts.path or b"/", parts.query or b"", authority)


def _refuse() -> Target:
    raise Refused(400, "target", "The request's target is malformed.")
