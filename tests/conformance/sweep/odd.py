"""What no client should send: other methods, slashes, suffixes, contents, versions, names of actions, paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generated.routes import ROUTES
from tests.conformance.sweep.reads import headed
from tests.contract import requests

Step = dict[str, Any]
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
SOME = (None, 0, 6, 7, 51, 99)
TAILS = ("/", "//", ".json", ".xml", "/.json", ".xml.json", ".txt")
VERSIONS: tuple[str, ...] = (
    "2.100",
    "2.00",
    "2.007",
    "2",
    "2.",
    "2.x",
    "3.0",
    "1.0",
    "1.9",
    "0.0",
    "latest",
    "-1",
    "",
    "2.0.0",
    " 2.10 ",
)
UNKNOWN = (
    "/", "/v1", "/v1/", "/v2", "/v2/", "/v3", "/v3/", "/bogus", "/v2/bogus", "/v2/bogus/1", "/v2//shares",
    "//v2/shares",
    "/v2/shares/${share}/bogus", "/v2/shares/${share}/bogus/x", "/v2/shares/detail/bogus",
    "/v2/shares/${share}/metadata/color/x",
    "/v2/${project}/shares", "/v2/${project}/shares/${share}", "/v2/${member-b.project}/shares", "/v2/${project}",
    "/v2/not-a-project/shares", "/v1/${project}/shares", "/v1/shares", "/v1/${project}/limits", "/v1/${project}/types",
    "/healthcheck", "/v2/versions", "/versions", "/v2/shares/${share}/action", "/v2/SHARES", "/V2/shares",
    "/v2/share_networks", "/v2/share-instances", "/v2/snapshot_instances", "/v2/shares%2Fdetail",
    "/v2/shares?limit=%zz",
    "/v2/shares?limit=1&limit=2", "/v2/shares?", "/v2/shares/%00", "/v2/shares/${share}%0a", "/v2/shares/%C3%A9",
    "/v2/consistency-groups", "/v2/cgsnapshots", "/v2/os-share-manage", "/v2/os-services", "/v2/services",
)  # fmt: skip
ACCEPTS: tuple[str, ...] = (
    "application/json",
    "*/*",
    "text/html",
    "application/xml",
    "text/plain;q=0.5",
    "bogus",
    "application/json;version=2",
)
TYPES: tuple[str, ...] = (
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "application/xml",
    "",
    "bogus/",
    "text/json",
)
TYPES += ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/vnd.openstack+json")
RAW: tuple[str, ...] = (
    "",
    " ",
    "{",
    "[]",
    "[1]",
    '"x"',
    "null",
    "1",
    "true",
    "{}",
    '{"share": }',
    '{"a": NaN}',
    '{"share": {"size": 1e400}}',
)
RAW += (
    '{"share": {"size": 1, "size": 2}}',
    '{"share": {"name": "\\ud800"}}',
    "a=b",
    "<a/>",
    '{"share": {"name": "\\u0000"}}',
)
TARGETS: tuple[str, ...] = (
    "POST /v2/shares",
    "PUT /v2/shares/${share}",
    "POST /v2/shares/${share}/action",
    "POST /v2/share-networks",
)
TARGETS += ("PUT /v2/quota-sets/${project}", "POST /v2/types", "POST /v2/shares/${share}/metadata")
TARGETS += ("POST /v2/resource-locks", "GET /v2/shares", "DELETE /v2/shares/${lost_share}/metadata/bogus")


def _methods() -> Iterator[Step]:
    """Methods that a path does not have, and the paths with slashes and suffixes."""
    known: dict[str, dict[str, str]] = {}
    for route in ROUTES:
        path = "/" if route.operation == "versions.list" else requests.path_of(route)
        known.setdefault(path, {}).setdefault(route.method, route.operation)
    for path, methods in known.items():
        for method in METHODS:
            if method not in methods and not (method == "GET" and path.endswith("_share}")):
                for minor in SOME:
                    step: Step = {"op": "odd.method", "as": "admin", "do": f"{method} {path}", "experimental": True}
                    yield headed(step, minor)
                yield {"op": "odd.method", "as": "none", "do": f"{method} {path}", "version": "2.99"}
        for tail in TAILS if "GET" in methods else ():
            for minor in (None, 6, 99):
                asked: Step = {"op": methods["GET"], "as": "admin", "do": f"GET {path}{tail}", "experimental": True}
                yield headed(asked, minor)


def _actions() -> Iterator[Step]:
    """Each action's name with and without its prefix, of every resource that has actions, where it is none."""
    names = {one.action for one in ROUTES if one.action}
    every = sorted({name.removeprefix("os-") for name in names} | {f"os-{name.removeprefix('os-')}" for name in names})
    paths = sorted({requests.path_of(one).replace("plain_share", "share") for one in ROUTES if one.action})
    valid = {(one.path, one.action, minor) for one in ROUTES if one.action for minor in range(one.since, one.until + 1)}
    plain = {requests.path_of(one).replace("plain_share", "share"): one.path for one in ROUTES if one.action}
    for path in paths:
        for name in (*every, "bogus", "", "action", "index", "show", "delete", "__init__", "get"):
            for minor in (None, 0, 6, 7, 50, 99):
                step: Step = {"op": "odd.action", "as": "admin", "do": f"POST {path}", "body": {name: None}}
                if (plain[path], name, minor or 0) not in valid:
                    yield headed({**step, "experimental": True}, minor)


def _headers() -> Iterator[Step]:
    for path in UNKNOWN:
        for person in ("admin", "member-a", "none"):
            for minor in SOME:
                for method in ("GET", "HEAD", "POST"):
                    yield headed({"op": "odd.path", "as": person, "do": f"{method} {path}"}, minor)
    for version in VERSIONS:
        for path in ("/v2/shares", "/v2/limits", "/v1/limits", "/", "/v2/", "/v1/", "/v2/bogus", "/v2/share-replicas"):
            step: Step = {"op": "odd.version", "as": "admin", "do": f"GET {path}", "version": version or None}
            yield {**step, "headers": {"X-OpenStack-Manila-API-Version": version}}
    for word in ("true", "True", "TRUE", "1", "yes", "on", "false", "", "x", "t"):
        step = {"op": "odd.experimental", "as": "admin", "do": "GET /v2/share-replicas", "version": "2.40"}
        yield {**step, "headers": {"X-OpenStack-Manila-API-Experimental": word}}
    for accept in ACCEPTS:
        for path in ("/v2/shares", "/v2/shares/bogus", "/v2/bogus", "/", "/v2/", "/v2/share-replicas"):
            for person in ("admin", "none", "bogus"):
                step = {"op": "odd.accept", "as": person, "do": f"GET {path}", "version": "2.20"}
                yield {**step, "headers": {"Accept": accept}}
    for accept in ("text/html", "text/*;q=0.5, application/json", "text/html;q=5", "*/html", ",,text/html", "a/b;q"):
        for path in ("/healthcheck", "/v2/bogus"):
            yield {"op": "odd.accept", "as": "admin", "do": f"GET {path}", "headers": {"Accept": accept}}
    for token in ("", " ", "bogus", "admin-token ", "ADMIN-TOKEN"):
        yield {"op": "odd.token", "as": "none", "do": "GET /v2/shares", "headers": {"X-Auth-Token": token}}


def _contents() -> Iterator[Step]:
    for target in TARGETS:
        for raw in RAW:
            for minor in (None, 6, 99):
                for person in ("admin", "member-a", "none"):
                    step: Step = {"op": "odd.raw", "as": person, "do": target, "raw": raw}
                    yield headed(step, minor)
        for kind in TYPES:
            for raw in ("{}", '{"share": {"display_name": "x"}}', '{"share_type": {}}', "a=b", ""):
                step = {"op": "odd.type", "as": "admin", "do": target, "raw": raw, "headers": {"Content-Type": kind}}
                yield headed(step, 99)


def steps(names: tuple[str, ...] = ()) -> Iterator[Step]:
    """The requests; ``names`` are parts of ``odd.path``, ``odd.raw`` and so on."""
    for part in (_methods, _actions, _headers, _contents):
        yield from (one for one in part() if not names or any(name in one["op"] for name in names))
