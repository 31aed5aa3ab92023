"""Lists cost the same few statements whatever their length: nothing, one and fifty of everything."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from db.connection import Conn, Database
from generated.columns import COLUMNS, ID_KIND
from tests.contract import filters, requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, asker

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
MOST = 3
MANY = 50
NO_LISTS = ("versions.list", "shares.migration_progress")
OF_LOCATION = "export_location_id IN (SELECT id FROM share_instance_export_locations WHERE uuid = %s)"
CHILDREN = (
    ("share_instances", "share_id = %s", "share"),
    ("share_instance_export_locations", "share_instance_id = %s", "instance"),
    ("share_instance_export_locations_metadata", OF_LOCATION, "location"),
    ("share_instance_export_locations", "share_instance_id = %s", "replica"),
    ("share_metadata", "share_id = %s", "share"),
    ("share_access_map", "share_id = %s", "share"),
    ("share_snapshot_instances", "snapshot_id = %s", "snapshot"),
    ("share_snapshot_instance_export_locations", "share_snapshot_instance_id = %s", "snapshot_instance"),
    ("share_snapshot_metadata", "share_snapshot_id = %s", "snapshot"),
    ("share_snapshot_access_map", "share_snapshot_id = %s", "snapshot"),
    ("share_snapshot_instances", "share_group_snapshot_id = %s", "group_snapshot"),
    ("share_network_subnets", "share_network_id = %s", "network"),
    ("share_network_subnet_metadata", "share_network_subnet_id = %s", "subnet"),
    ("share_instance_metadata", "share_instance_id = %s", "replica"),
    ("qos_type_specs", "qos_type_id = %s", "qos_type"),
    ("share_type_extra_specs", "share_type_id = %s", "type"),
    ("share_type_projects", "share_type_id = %s", "type"),
    ("share_group_type_specs", "share_group_type_id = %s", "group_type"),
    ("share_group_type_projects", "share_group_type_id = %s", "group_type"),
)
"""Table, whose rows in it are made many, and the kind of that thing."""
RULES = """
    INSERT INTO share_instance_access_map (id, share_instance_id, access_id, state, deleted)
    SELECT gen_random_uuid()::text, %s, a.id, 'active', 'False' FROM share_access_map a
    WHERE a.share_id = %s AND NOT EXISTS (SELECT 1 FROM share_instance_access_map m WHERE m.access_id = a.id)
"""
SHORT = (
    "availability_zones.list", "extensions.list", "limits.list", "os_availability_zones.list", "os_quota_sets.defaults",
    "os_services.list", "quota_sets.defaults", "quota_sets.detail", "scheduler_stats.pools", "services.list",
    "scheduler_stats.pools_detail", "share_group_types.default", "share_types.default", "share_servers.details",
)  # fmt: skip
"""What tenants do not make longer."""
UNIQUE = {"uuid": "gen_random_uuid()::text", "key": "key || n", "spec_key": "spec_key || n", "path": "path || n"} | {
    "project_id": "left(project_id, 28) || n"
}


async def multiply(conn: Conn, table: str, condition: str, owner: str) -> None:
    """Make ``MANY`` of the rows of ``owner``, each a copy of the first."""
    names = [name for name in COLUMNS[table] if name != "id" or ID_KIND[table] == "string"]
    values = ", ".join("gen_random_uuid()::text" if name == "id" else UNIQUE.get(name, f't."{name}"') for name in names)
    quoted = ", ".join(f'"{name}"' for name in names)
    await conn.run(
        f"""
        INSERT INTO {table} ({quoted}) SELECT {values}
        FROM (SELECT * FROM {table} WHERE {condition} LIMIT 1) t, generate_series(2, {MANY}) AS n
        """,
        (owner,),
    )


VALUES = {
    "capabilities": "{'driver_name': 'Dummy'}", "created_before": "2090-01-01T00:00:00", "extra_specs": "{'a': 'b'}",
    "created_since": "2000-01-01T00:00:00", "group_specs": "{'a': 'b'}", "host": rows.POOL, "ip_version": "4",
    "limit": "2", "metadata": "{'color': 'red'}", "offset": "1", "segmentation_id": "1", "size": "1",
    "sort_dir": "asc", "sort_key": "id", "status": "available", "action_id": "001", "detail_id": "002",
    "message_level": "ERROR", "resource_action": "delete",
    "lock_context": "user", "access_level": "rw", "access_type": "ip", "resource_type": "SHARE",
    "network_type": "vlan", "cidr": "10.0.0.0/24",
}  # fmt: skip
"""Parameter -> a value of its kind; the others take any text, those that are true or false ``true``."""
FLAGS = ("all_projects", "all_tenants", "ensuring", "is_public", "is_soft_deleted", "with_count")
ODD = {("resource_locks.list", "resource_type"): "share", ("share_types.list", "is_public"): "all"}


REFUSED = ("access_to=x", "created_before=2090-01-01T00:00:00", "created_since=2000-01-01T00:00:00")
"""What some lists refuse: an address without its type, a time where they take a day."""


def queries(operation: str, path: str, ids: dict[str, str]) -> Iterator[str]:
    """Every parameter of a list with a value that finds something where one is known, and pages of it."""
    declared = filters.DECLARED[operation]
    if operation.startswith("share_groups."):
        declared = [name for name in declared if name not in ("share_group_snapshot_id", "snapshot_id")]  # refused
    for name in declared:
        kinds = filters.listed(path) if name == "id" else filters.FILTERS.get(name, ())
        plain = "true" if name in FLAGS else VALUES.get(name, "x")
        yield f"{name}={ODD.get((operation, name)) or (ids[kinds[0]] if kinds else plain)}"
    for kind in filters.listed(path):
        yield f"limit=2&marker={ids[kind]}"
        if "with_count" in declared:
            yield f"limit=2&marker={ids[kind]}&with_count=true"


def lists() -> list[requests.Request]:
    """Every operation that answers a list, in its last version."""
    found = [
        one
        for one in requests.operations(all_versions=False)
        if one.route.method == "GET" and not one.route.path.rstrip("/").endswith("}")
    ]
    return [one for one in found if one.route.operation not in NO_LISTS]


@pytest.mark.parametrize("count", [0, 1, MANY])
async def test_a_list_costs_the_same_whatever_its_length(db: Database, statements: Statements, count: int) -> None:
    ids: dict[str, str] = {}
    async with db.write() as conn:
        shared = await rows.common(conn)
        for _ in range(count):
            ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
        if count == MANY:
            for table, condition, kind in CHILDREN:
                await multiply(conn, table, condition, ids[kind])
            await conn.run(RULES, (ids["instance"], ids["share"]))
    ask = asker(rows.core(db))
    costs: dict[str, int] = {}
    lengths: dict[str, int] = {}
    asked: set[str] = set()
    wrong: list[str] = []
    for one in lists():
        if one.kinds and not ids:
            continue
        operation = one.route.operation
        path, _ = one.filled({"qos_type": "none", **ids}, [ids[kind] for kind in one.kinds])
        for query in ("", *(queries(operation, path, ids) if ids else ())):
            whole = f"{path}{'&' if '?' in path else '?'}{query}".rstrip("?")
            for who in ("member-a", "admin"):
                with statements() as seen:
                    answer = await ask(
                        who, "GET", whole, version=f"2.{one.version}", headers=requests.headers(one.route)
                    )
                if answer.status != 403:
                    break
            if answer.status >= 300 and not (count == 0 and answer.status in (400, 404)) and query not in REFUSED:
                wrong.append(f"{whole}: {answer.content!r}")
            costs[f"{operation} {query}"] = len(seen)
            asked.add(operation)
            if count == MANY and operation not in SHORT and not query:
                lengths[operation] = max(len(one) for one in answer.json.values() if isinstance(one, (list, dict)))
    print(f"{count}: {len(asked)} lists, {len(costs)} queries,", sorted(name for name in costs if costs[name] > MOST))
    assert not wrong, "\n".join(wrong)
    assert {name: length for name, length in lengths.items() if length < MANY} == {}
    assert len(asked) > (30 if count == 0 else 50)
    assert len(costs) > len(asked) + (200 if count else -1)
    assert {name: cost for name, cost in costs.items() if cost > MOST} == {}
