"""What an answer of Neutron, or of a proxy in front of it, means: whether to ask again, when, and what it refuses."""

from __future__ import annotations

import email.utils
import time
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx2

from generated.errors import NetworkException
from network.base import Row, Unavailable

AWAY: Final = frozenset({408, 429, 502, 503, 504})
"""Statuses that say nothing about what was asked: the request may be sent again."""
LOST: Final = frozenset({502, 503, 504})
"""Those after which Neutron may have been started again."""
DOUBTED: Final = frozenset({403, 404})
"""Refusals that a Neutron which has just started gives to everybody, before it has loaded its policies."""
LONGEST: Final = 30.0
"""Seconds that ``Retry-After`` may ask for; a longer wait is that of the task."""


def decoded(answer: httpx2.Response) -> Row:
    """The object of a good answer.

    Raises:
        Unavailable: the answer is no JSON object, so it is not Neutron's.
        NetworkException: a refusal; ``values["code"]`` is the status, ``values["kind"]`` Neutron's type, empty if it
            names none.
    """
    if not answer.is_success:
        raise refusal(answer)
    if not answer.content:
        return {}
    try:
        found = answer.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        text = f"{answer.request.method} {answer.request.url.path}: answered by something that is not Neutron"
        raise Unavailable(f"{text}: {answer.text[:200]}", code=502)
    return found


def refusal(answer: httpx2.Response) -> NetworkException:
    """The error an answer stands for; Neutron names its kind, proxies before it may not."""
    kind, message = "", answer.text[:500]
    try:
        found: Any = answer.json()["NeutronError"]
        kind, message = str(found["type"]), str(found["message"])
    except (ValueError, KeyError, TypeError):
        pass
    if answer.status_code in AWAY:
        return Unavailable(message, code=answer.status_code, kind=kind, after=retry_after(answer.headers))
    return NetworkException(message, code=answer.status_code, kind=kind)


def retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds that ``Retry-After`` asks for (RFC 9110, 10.2.3: a number or a date), at most ``LONGEST``."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), LONGEST)
    try:
        when = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return min(max(0.0, when.timestamp() - time.time()), LONGEST)


def next_page(links: Any) -> dict[str, list[str]] | None:
    """The query of the page that follows, by the links of a list; None: it was the last one.

    Only the query is taken: the address is the one that Neutron believes to have, which may be inside of a proxy.
    """
    for one in links or ():
        if one.get("rel") == "next":
            return parse_qs(urlsplit(str(one["href"])).query, keep_blank_values=True)
    return None
