"""Every GET of the contract at every microversion, by three people, with and without a query."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from typing import Any

from generated.microversions import MAX_MINOR
from generated.routes import ROUTES
from tests.contract import filters, requests

Step = dict[str, Any]
EVERY = [*range(MAX_MINOR + 1)]
PEOPLE = ("admin", "member-a")
MORE: dict[str, tuple[str, ...]] = {
    "share": (
        "served_share", "replicated_share", "clone_share", "public_share", "lost_share", "soft_deleted_share",
        "broken_share", "locked_share", "managed_share", "member", "saved_share", "transferred_share", "moved_share",
        "moving_share", "foreign_share",
    ),
    "snapshot": ("replicated_snapshot", "served_snapshot"),
    "type": ("type_id", "dhss_type_id", "repl_type"),
    "group_type": ("default_group_type",),
    "network": ("free_network", "lone_network", "moving_network", "foreign_network"),
    "subnet": ("zone_subnet",),
    "server": ("idle_server", "moved_server", "filled_server"),
    "replica": ("active_replica",),
    "group": ("clone_group",),
    "rule": ("broken_rule", "locked_rule"),
    "security_service": ("other_security_service",),
}  # fmt: skip
"""Kind of the thing that a path names -> others of that kind, which look different."""
VALUES: dict[str, tuple[str, ...]] = {
    "limit": ("1", "0", "1001", "x"),
    "offset": ("1", "x"),
    "sort_key": ("created_at", "status", "size", "name", "display_name", "host", "bogus"),
    "sort_dir": ("asc", "sideways"),
    "all_tenants": ("1", "maybe"),
    "all_projects": ("1", "maybe"),
    "with_count": ("1", "maybe"),
    "is_public": ("True", "all", "maybe"),
    "is_soft_deleted": ("True", "maybe"),
    "status": ("available", "bogus"),
    "created_since": ("2020-01-01", "yesterday"),
    "created_before": ("2099-01-01T00:00:00", "yesterday"),
    "name": ("s", "bogus"),
    "metadata": ("{'color': 'red'}", "{'color': 'blue'}", "x"),
    "extra_specs": ("{'snapshot_support': 'True'}", "x"),
    "capabilities": ("{'driver_handles_share_servers': 'True'}", "x"),
    "group_specs": ("{'color': 'red'}", "x"),
    "host": ("node1@alpha", "nowhere"),
    "share_proto": ("NFS", "nfs"),
    "access_type": ("ip", "bogus"),
}
"""Parameter of a query -> values that it is asked with; others get ``s`` and the ids that filters.py knows."""


def headed(step: Step, minor: int | None) -> Step:
    """The step with the header of a minor version; no header for None."""
    return step if minor is None else {**step, "version": f"2.{minor}"}


def edges(operation: str) -> list[int]:
    """Where an operation's variants begin and end."""
    return sorted({minor for one in ROUTES if one.operation == operation for minor in (one.since, one.until)})


def paths() -> dict[str, str]:
    """Path of each GET with placeholders -> its operation, those of other things of the same kind too."""
    found: dict[str, str] = {}
    for route in ROUTES:
        if route.method != "GET" or route.operation == "versions.list":
            continue
        path = requests.path_of(route) + requests.NEEDED.get(route.operation, "")
        found.setdefault(path, route.operation)
        for kind, others in MORE.items():
            mark = f"${{{kind}}}"
            if mark in path and path.count("$") == 1:
                for other in others:
                    found.setdefault(path.replace(mark, f"${{{other}}}", 1), route.operation)
    return found


def queries(operation: str, path: str) -> Iterator[str]:
    """Queries of an operation, with a leading ``?`` or ``&``."""
    route = next(one for one in ROUTES if one.operation == operation)
    asked = [
        f"{name}={urllib.parse.quote(value)}"
        for name in filters.DECLARED[operation]
        for value in VALUES.get(name, ("s",))
    ]
    if filters.listed(route.path):
        asked += ["limit=2&offset=1", "bogus=1", "limit=-1", "marker=bogus"]
    asked += filters.queries(operation, route.path)
    yield from ("&" + one if "?" in path else "?" + one for one in dict.fromkeys(asked) if "marker=$" not in one)


def steps(names: tuple[str, ...] = ()) -> Iterator[Step]:
    """The requests: each path at every version, each of its queries where something may change."""
    for path, operation in paths().items():
        if names and not any(one in operation for one in names):
            continue
        trial = any(one.experimental for one in ROUTES if one.operation == operation)
        for person in PEOPLE:
            base: Step = {"op": operation, "as": person, "do": f"GET {path}"}
            for minor in [None, *EVERY]:
                yield headed({**base, "experimental": True}, minor)
            if trial:
                yield from (headed(base, minor) for minor in edges(operation))
            yield {**base, "do": base["do"].replace("/v2/", "/v1/", 1)}
        plain = requests.path_of(next(one for one in ROUTES if one.operation == operation))
        if path != plain + requests.NEEDED.get(operation, ""):
            continue
        for query in queries(operation, path):
            for person in PEOPLE:
                asked: Step = {"op": operation, "as": person, "do": f"GET {path}{query.replace('own.', '')}"}
                if "sort_key" in query and "created_at" not in query:
                    asked["unordered"] = True  # things with equal keys have no order
                yield from (headed({**asked, "experimental": True}, minor) for minor in edges(operation))
