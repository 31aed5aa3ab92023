"""The dispatch table and the views against what the original answered in the recordings."""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import generated.views
from generated.routes import ROUTES
from generated.runtime import Route
from tests.codegen.view_fields import families, fields

RECORDINGS = Path(__file__).parent.parent / "conformance" / "vendored" / "recordings"
VIEWS = {
    name: views
    for module in pkgutil.iter_modules(generated.views.__path__)
    for name, views in families(module.name).items()
}
PATTERNS = {path: re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$") for path in {route.path for route in ROUTES}}


def exchanges() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Scenario, request and answer of every recorded success."""
    for file in sorted(RECORDINGS.glob("*.json")):
        for exchange in json.loads(file.read_text())["exchanges"]:
            request, response = exchange["request"], exchange["response"]
            if request["path"].startswith("/v2/") and response["status"] in (200, 201, 202, 204):
                yield file.stem, request, response


def route_of(request: dict[str, Any]) -> Route | None:
    """The row that answers a request; of several paths the one with the fewest parameters."""
    path = request["path"].removeprefix("/v2").partition("?")[0]
    path = re.sub(r"^/(<\w+:\d+>|[0-9a-f]{32})(?=/)", "", path)
    path = path.removesuffix(".json")
    body = request.get("body")
    action = next(iter(body)) if path.endswith("/action") and isinstance(body, dict) else None
    minor = int((request.get("version") or "2.0").partition(".")[2])
    rows = [
        route
        for route in ROUTES
        if route.method == request["method"]
        and route.since <= minor <= route.until
        and PATTERNS[route.path].match(path)
        and route.action == action
    ]
    return min(rows, key=lambda route: route.path.count("{")) if rows else None


NO_OPS = {"share_replicas.action.promote", "share_replicas.action.resync", "shares.action.restore"}
"""They answer 200 where there is nothing to do."""

SHARE_TYPE_QUOTAS = {"share_networks", "share_groups", "share_group_snapshots"}
"""Quotas that a share type has none of: its answer leaves them out."""


def test_every_recorded_success_is_routed_with_its_status() -> None:
    wrong = []
    seen = 0
    for scenario, request, response in exchanges():
        route = route_of(request)
        seen += 1
        if route is not None and route.operation in NO_OPS and response["status"] == 200:
            continue
        if route is None or route.status != response["status"]:
            wrong.append((scenario, request["method"], request["path"], request["version"], response["status"], route))
    assert seen > 1000
    assert wrong == []


def objects(view: str, body: Any) -> Iterator[dict[str, Any]]:
    """The objects of a family in an answer: alone or in a list, within the envelope."""
    for value in body.values():
        if isinstance(value, dict) and "id" in value:
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, dict) and "id" in one)


def test_recorded_objects_have_the_fields_of_their_view() -> None:
    wrong: dict[str, Any] = {}
    seen = 0
    for scenario, request, response in exchanges():
        route = route_of(request)
        if (
            route is None
            or route.view is None
            or route.view.upper() not in VIEWS
            or not isinstance(response["body"], dict)
        ):
            continue
        minor = int((request["version"] or "2.0").partition(".")[2])
        shown = fields(VIEWS[route.view.upper()], minor)
        always = {name for name, rule in shown.items() if not rule.startswith("context")}
        for one in objects(route.view, response["body"]):
            seen += 1
            lacking = always - one.keys()
            if lacking == SHARE_TYPE_QUOTAS and "share_type=" in request["path"]:
                continue
            if lacking or one.keys() - shown.keys():
                wrong[f"{scenario} {route.operation} {minor}"] = sorted(one.keys() ^ always)
    assert seen > 1000
    assert wrong == {}
