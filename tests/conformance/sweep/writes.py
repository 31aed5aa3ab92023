"""Every operation that changes something, with bodies that are right and bodies with one thing wrong, where its
versions begin and end.

Both sides get the same, so whatever a request does, they hold the same afterwards. The world is made anew for each
kind of resource; within one, what changes little comes first.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from generated.routes import ROUTES
from generated.runtime import Route
from tests.conformance.sweep.reads import EVERY, PEOPLE, headed
from tests.contract import requests
from tests.contract.filters import SPEC

Step = dict[str, Any]
WORLD: Step = {"op": "world", "control": "reset"}
"""Stands for: everything from the start."""
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("share_access_rules", "share_access_rule_metadata", "share_transfers", "share_backups", "resource_locks"),
    ("share_groups", "share_group_snapshots"),
    ("share_replicas", "share_export_locations"),
    ("share_networks", "share_network_subnets", "security_services"),
    ("share_servers",),
    ("snapshots", "snapshot_instances"),
    ("share_instances",),
    ("shares",),
    ("os_share_manage", "os_share_unmanage"),
)
"""Resources whose operations share a world; all others are the last."""
FINAL = (
    "reset_task_state", "reset_replica_state", "reset_status", "revert", "promote", "accept", "migration_cancel",
    "migration_complete", "migration_start", "soft_delete", "restore", "unmanage", "force_delete", "delete",
)  # fmt: skip
"""Ends of operation names, from what can be done over and over to what ends a thing."""
BACK: dict[str, Any] = {
    "share_networks.action.reset_status": {"reset_status": {"status": "active"}},
    "share_servers.action.reset_status": {"reset_status": {"status": "active"}},
    "share_replicas.action.reset_replica_state": {"reset_replica_state": {"replica_state": "in_sync"}},
    "shares.action.os_reset_status": {"os-reset_status": {"status": "available"}},
    "snapshots.action.os_reset_status": {"os-reset_status": {"status": "available"}},
    "share_instances.action.os_reset_status": {"os-reset_status": {"status": "available"}},
}
"""Operation -> the body that brings back what its own body has changed."""
MADE = {
    "shares": "share", "snapshots": "snapshot", "share-replicas": "share_replica", "share-groups": "share_group",
    "share-group-snapshots": "share_group_snapshot", "share-networks": "share_network",
    "security-services": "security_service", "share-transfers": "transfer", "resource-locks": "resource_lock",
    "types": "share_type", "share-group-types": "share_group_type", "qos-types": "qos_type",
}  # fmt: skip
"""Segment of a path -> what the answer to a creation there calls the new thing."""
UNDONE: dict[str, tuple[str, Step]] = {
    f"{'share_types' if path == 'types' else path.replace('-', '_')}.create": (
        f"{key}.id",
        {"do": f"DELETE /v2/{path}/${{made}}"},
    )
    for path, key in MADE.items()
}
UNDONE |= {
    "shares.action.allow_access": (
        "access.id",
        {
            "do": "POST /v2/shares/${share}/action",
            "body": {"deny_access": {"access_id": "${made}", "unrestrict": True}},
        },
    ),
    "snapshots.action.allow_access": (
        "snapshot_access.id",
        {"do": "POST /v2/snapshots/${snapshot}/action", "body": {"deny_access": {"access_id": "${made}"}}},
    ),
}
"""Operation -> where its answer has the id of what it made, and the request that removes that at once."""
BODIES: dict[str, list[Any]] = {
    "share_transfers.accept": [{"accept": {"auth_key": "${auth_key}"}}],
    "services.update": [{"host": "node1@alpha", "binary": "manila-share"}],
}
"""Operation -> bodies, where those of tests/contract/requests.yaml do not fit."""
SAMPLES: dict[str, Any] = {
    "share_network_id": "${network}", "share_group_id": "${group}", "snapshot_id": "${snapshot}",
    "share_server_id": "${server}", "share_network_subnet_id": "${subnet}", "new_share_type_id": "${type}",
    "new_share_network_id": "${network}", "share_group_type_id": "${default_group_type}",
    "source_share_group_snapshot_id": "${group_snapshot}", "share_types": ["${type_id}"], "share_type": "default",
    "volume_type": "default", "availability_zone": "nova", "metadata": {"color": "blue"}, "is_public": False,
    "scheduler_hints": {"same_host": "${share}"}, "driver_options": {"a": "b"}, "extra_specs": {"color": "red"},
    "group_specs": {"color": "red"}, "specs": {"color": "red"}, "force": True, "reset_operation": True,
    "unrestrict": True, "lock_visibility": True, "lock_deletion": True, "clear_access_rules": True,
    "share_type_access:is_public": True, "os-share-type-access:is_public": True, "quiesce_wait_time": 5,
    "neutron_net_id": "00000000-0000-4000-8000-000000000010", "backup_options": {"backup_type": "dummy"},
    "neutron_subnet_id": "00000000-0000-4000-9000-000000000010", "mount_point_name": "mp", "access_level": "ro",
    "encryption_key_ref": None, "status": "available", "os-status": "available", "task_state": None,
    "resource_type": "share", "resource_action": "delete", "id": "${project}", "tenant_id": "${project}",
}  # fmt: skip
"""Field -> a value for it where a body does not have it; others get ``x``, those of quotas a number."""
WRONG: tuple[Any, ...] = (None, "", "x" * 256, 1, -1, True, [], {}, "bogus")
NUMBER = re.compile(r"shares|gigabytes|snapshots|networks|groups|replicas|backups|keys")
CONTRACT: dict[str, Any] = {one["operation_id"]: one for one in json.loads(SPEC.read_text())["operations"]}
SCHEMAS: dict[str, Any] = json.loads(SPEC.with_name("openapi_stable-2026.2.json").read_text())["components"]["schemas"]
SERIAL = itertools.count(1)


def _fields(schema: Any) -> dict[str, dict[str, Any]]:
    """Field of a schema -> its own fields."""
    found: dict[str, dict[str, Any]] = {}
    if isinstance(schema, list):
        for one in schema:
            found |= _fields(one)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            found |= _fields(SCHEMAS[schema["$ref"].rpartition("/")[2]])
        found |= {name: _fields(inner) for name, inner in schema.get("properties", {}).items()}
        for key in ("anyOf", "allOf", "oneOf"):
            found |= _fields(schema.get(key, []))
    return found


def fields(operation: str) -> dict[str, dict[str, Any]]:
    """The fields of an operation's bodies at all versions."""
    found: dict[str, dict[str, Any]] = {}
    for variant in CONTRACT[operation]["variants"]:
        for body in variant["request_body"]:
            for outer, inner in _fields({"$ref": f"/{body['schema']}"}).items():
                found[outer] = found.get(outer, {}) | inner
    return found


def edges(operation: str, near: bool = False) -> list[int]:
    """Versions at which the operation or its body begins or ends; with ``near`` those beside them, too."""
    parts = CONTRACT[operation]["variants"]
    parts = [*parts, *(body for one in parts for body in one["request_body"])]
    found = {int(one[end].partition(".")[2]) for one in parts for end in ("min_version", "max_version")}
    if near:
        found |= {other for one in found for other in (one - 1, one + 1)}
    return sorted(found & set(EVERY))


def bodies(operation: str) -> list[Any]:
    """Bodies that are right; a body of None is none."""
    known = BODIES.get(operation) or requests.BODIES.get(operation, [None])
    told = json.dumps(known).replace("${own.", "${")
    return [
        {key: value for key, value in one.items() if key != "_since"} if isinstance(one, dict) else one
        for one in json.loads(told)
    ]


def fresh(body: Any) -> Any:
    """The body with another name, address or path each time, where two may not have the same."""
    number = next(SERIAL)
    told = (
        json.dumps(body).replace('"new"', f'"new-{number}"').replace("10.1.1.1", f"10.1.{number // 250}.{number % 250}")
    )
    return json.loads(re.sub(r'(10\.0\.0\.1:/\w+)"', rf'\1-{number}"', told))


def spoilt(operation: str, body: Any, *, values: bool = True) -> Iterator[Any]:
    """The body with one thing missing or more than it has, and, with ``values``, with one wrong value."""
    if not isinstance(body, dict) or not body:
        yield from ({}, {"bogus": {}})
        return
    outer = next(iter(body))
    inner, known = body[outer], fields(operation)
    yield from ({}, {"bogus": inner}, {**body, "surprise": {"a": 1}})
    outers: tuple[Any, ...] = (None, "", "x", 1, [], {}) if values else (None, {})
    yield from ({**body, outer: value} for value in outers)
    if not isinstance(inner, dict):
        return
    yield {**body, outer: {**inner, "surprise": "x"}}
    free = {"metadata", "specs", "extra_specs", "group_specs"}
    wrong: tuple[Any, ...] = WRONG if values else ()
    for name in sorted({*inner, *known.get(outer, {})}):
        if name in inner:
            yield {**body, outer: {key: value for key, value in inner.items() if key != name}}
        else:
            yield {**body, outer: {**inner, name: SAMPLES.get(name, 50 if NUMBER.search(name) else "x")}}
        yield from ({**body, outer: {**inner, name: value}} for value in wrong)
    if outer in free and values:
        yield from ({outer: one} for one in ({"": "v"}, {"x" * 256: "v"}, {"k": "v" * 1024}, {"a": "1", "b": None}))


def _rank(route: Route) -> tuple[int, str]:
    ends = [place for place, name in enumerate(FINAL, 1) if route.operation.endswith(name)]
    if route.method == "DELETE" and not ends:
        ends = [len(FINAL)]
    return (ends[0] if ends else 0, route.operation)


def _of(route: Route) -> Iterator[Step]:
    operation, path = route.operation, requests.path_of(route)
    trial = any(one.experimental for one in ROUTES if one.operation == operation)
    plain: Step = {"op": operation, "do": f"{route.method} {path}"}
    if operation in UNDONE:
        plain["undo"] = UNDONE[operation]

    def step(body: Any, person: str, minor: int, tried: bool = True) -> Step:
        sent = {"body": body} if body is not None else {}
        return headed({**plain, "as": person, **sent, "experimental": tried}, minor)

    def asked(body: Any, person: str, minor: int) -> Step:
        return step(fresh(body), person, minor)

    first, *others = bodies(operation)
    places = edges(operation)
    for minor, person in itertools.product(places, PEOPLE):
        whole = minor in (places[0], places[-1]) and person == "admin"
        wrongs = spoilt(operation, first, values=whole)
        yield from (asked(wrong, person, minor) for wrong in ([] if first is None else [None]))
        yield from (asked(wrong, person, minor) for wrong in wrongs)
    for body in (first, *others):
        for minor in edges(operation, near=True):
            for person in (*PEOPLE, "member-b"):
                if trial:
                    yield step(fresh(body), person, minor, tried=False)
                yield asked(body, person, minor)
                back = BACK.get(operation)
                if back is None and operation.endswith("reset_status"):
                    back = {"reset_status": {"status": "available"}}
                if back:
                    yield asked(back, "admin", minor)


def _world(route: Route) -> int:
    """Which of ``TOGETHER`` the operation's resource is in."""
    resource = route.operation.partition(".")[0]
    return next((place for place, names in enumerate(TOGETHER) if resource in names), len(TOGETHER))


def steps(names: tuple[str, ...] = ()) -> Iterator[Step]:
    """The requests, resource by resource; those that live apart have a world of their own."""
    routes = {one.operation: one for one in ROUTES if one.method != "GET"}
    chosen = [one for one in routes.values() if not names or any(name in one.operation for name in names)]
    chosen.sort(key=lambda one: (_world(one), *_rank(one)))
    for number, (_, together) in enumerate(itertools.groupby(chosen, _world)):
        if number:
            yield WORLD
        for route in together:
            yield from _of(route)
