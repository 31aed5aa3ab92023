"""Writes that come to nothing whatever their body is: of things that are not there, and by who may only read.

Which fault is told first, that of the body or the other, is what is compared; so each body has one thing wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from generated.routes import ROUTES
from generated.runtime import Route
from tests.conformance.sweep.reads import headed
from tests.conformance.sweep.writes import bodies, edges, fresh, spoilt
from tests.contract import requests

Step = dict[str, Any]
ABSENT = "5d0aab0d-dead-4bad-8bad-000000000000"
SHOWN = re.compile(r"\$\{(\w+)\}")
KEPT = {"project"}
"""Parts of paths that name no thing of their own."""


def paths(route: Route) -> Iterator[str]:
    """The path with one of its ids after the other unknown."""
    path = requests.path_of(route)
    for found in SHOWN.finditer(path):
        if found[1] not in KEPT:
            yield path[: found.start()] + ABSENT + path[found.end() :]


def _wrong(operation: str, *, values: bool) -> Iterator[Any]:
    first = bodies(operation)[0]
    yield first
    if first is not None:
        # an unknown id inside the body, too
        yield json.loads(SHOWN.sub(ABSENT, json.dumps(first)))
        yield from spoilt(operation, first, values=values)


def _of(route: Route) -> Iterator[Step]:
    places = edges(route.operation)
    for minor in sorted({places[0], places[-1]}):
        for path in paths(route):
            for person, values in (("admin", minor == places[-1]), ("member-a", False)):
                for body in _wrong(route.operation, values=values):
                    yield _step(route, path, person, body, minor)
        for body in _wrong(route.operation, values=False):
            yield _step(route, requests.path_of(route), "reader-a", body, minor)


def _step(route: Route, path: str, person: str, body: Any, minor: int) -> Step:
    sent = {} if body is None else {"body": fresh(body)}
    step: Step = {"op": route.operation, "as": person, "do": f"{route.method} {path}", **sent, "experimental": True}
    return headed(step, minor)


def steps(names: tuple[str, ...] = ()) -> Iterator[Step]:
    """The requests, operation by operation."""
    for route in {one.operation: one for one in ROUTES if one.method != "GET"}.values():
        if not names or any(name in route.operation for name in names):
            yield from _of(route)
