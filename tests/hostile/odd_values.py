"""Values that no client should send, and each operation's requests with one of them in one place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from tests.contract import filters, requests

SURROGATE: Final = "\ud800"
TEXTS: Final = (
    SURROGATE,
    f"a{SURROGATE}\n",
    "\0",
    "\x1b[31m\r\n2026-11-30 23:00:00.000 1 CRITICAL keystone [-] forged",
    "é" * 300,
    "x" * 70_000,
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "9999-12-31T23:59:60Z",
    "2024-02-30",
    "1e400",
    "-0",
    "٣",
    "1" * 5000,
    "(" * 3000,
    "{'a': " * 500,
    "%s%(x)s{0}",
    "../../etc/passwd",
)
NUMBERS: Final = (-1, 0, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1.5, 1e308, float("nan"), float("inf"))
SHAPES: Final[tuple[Any, ...]] = (
    None,
    True,
    [],
    {},
    [[[]]],
    {SURROGATE: SURROGATE},
    {"": ""},
    {"a": {"b": [1]}},
    [SURROGATE, None, 2**70],
)
VALUES: Final = (*TEXTS, *NUMBERS, *SHAPES)
IN_URLS: Final = (*(text for text in TEXTS if len(text) < 6000), "-1", str(2**31), str(2**63), str(2**64), "1.5", "nan")


class Drawing:
    """Draws values in turn, so that neighbouring places get different ones and all are used; or all at each place.

    Arguments:
        every: how many of the values each place gets; 0 for all.
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._next = 0

    def of(self, values: Sequence[Any]) -> Iterator[Any]:
        if not self._every or self._every >= len(values):
            yield from values
            return
        for _ in range(self._every):
            self._next += 1
            yield values[self._next % len(values)]


def in_bodies(one: requests.Request, ids: Mapping[str, str], draw: Drawing) -> Iterator[tuple[str, bytes]]:
    """Where the odd value stands, and the body as JSON: one property of the contract is replaced or added at a time."""
    _, body = one.filled(ids, [ids[kind] for kind in one.kinds])
    for value in draw.of(VALUES):
        yield "body", json.dumps(value).encode()
    if not isinstance(body, dict):
        return
    for key, inner in body.items():
        for value in draw.of(VALUES):
            yield key, json.dumps({**body, key: value}).encode()
        yield "key", json.dumps({SURROGATE: inner}).encode()
        if not isinstance(inner, dict):
            continue
        for name in sorted(filters.properties_of_bodies()[one.route.operation] - {key} | inner.keys()):
            for value in draw.of(VALUES):
                yield f"{key}.{name}", json.dumps({**body, key: {**inner, name: value}}).encode()
        for text in draw.of(TEXTS):
            yield f"{key}.?", json.dumps({**body, key: {**inner, text: "v"}}).encode()


def quoted(text: str) -> str:
    """``text`` as it is sent in a URL; a surrogate as the three bytes that a careless encoder makes of it."""
    return quote(text.encode(errors="surrogatepass"), safe="")


def in_queries(one: requests.Request, ids: Mapping[str, str], draw: Drawing) -> Iterator[tuple[str, str]]:
    """The parameter, and path with query."""
    path, _ = one.filled(ids, [ids[kind] for kind in one.kinds])
    path = path.partition("?")[0]
    for name in (*filters.DECLARED[one.route.operation], "metadata", "extra_specs", "sort_key", "limit", "?"):
        for text in draw.of(IN_URLS):
            yield name, f"{path}?{'' if name == '?' else name}={quoted(text)}"
            yield name, f"{path}?{quoted(text)}"


def in_paths(one: requests.Request, ids: Mapping[str, str], draw: Drawing) -> Iterator[tuple[str, str]]:
    """The kind of the thing, and a path with the odd value in the place of its id, or of the word at the end."""
    kinds = [kind for kind in one.kinds if "${" + kind + "}" in one.path]
    for at, kind in enumerate(kinds):
        for text in draw.of(IN_URLS):
            others = [ids[each] for each in one.kinds]
            others[at] = quoted(text)
            yield kind, one.filled(ids, others)[0]
