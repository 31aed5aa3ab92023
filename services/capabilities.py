"""Capability reports as pools, and extra specs matched against a pool's capabilities."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from generated.runtime import Row
from services.values import FALSE, TRUE

DEFAULT_POOL = "_pool0"
NOT_CAPABILITIES = frozenset(("availability_zones", "capabilities:availability_zones", "default_qos_type"))
"""Extra specs that no capability answers."""

FIRST = (
    *("pool_name", "total_capacity_gb", "free_capacity_gb", "allocated_capacity_gb", "qos"),
    *("reserved_percentage", "reserved_snapshot_percentage", "reserved_share_extend_percentage"),
)
"""Statistics of every pool, in the order in which drivers report them: the database keeps no order of keys."""
INHERITED: tuple[tuple[str, Any], ...] = (
    ("driver_handles_share_servers", None),
    ("snapshot_support", None),
    ("create_share_from_snapshot_support", None),
    ("revert_to_snapshot_support", False),
    ("mount_snapshot_support", False),
    ("snapshot_inherit_share_access_support", False),
)
INHERITED_LATE: tuple[tuple[str, Any], ...] = (
    ("security_service_update_support", False),
    ("network_allocation_update_support", False),
    ("share_server_multiple_subnet_support", False),
    ("share_replicas_migration_support", False),
    ("encryption_support", None),
    ("qos_type_support", False),
)
"""Capabilities of the back end that a pool has too unless it says otherwise, with what a silent back end means; in two
parts, since clients print them in the order of the answer."""


def read_bool(value: object, default: bool = False) -> bool:
    """A boolean in any of its spellings; ``default`` for other text."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in TRUE else False if text in FALSE else default


def split_host(host: str) -> tuple[str, str | None, str | None]:
    """``node1@alpha#pool`` into host, back end and pool."""
    rest, _, pool = host.partition("#")
    name, _, backend = rest.partition("@")
    return name, backend or None, pool or None


def backend_of(host: str) -> str:
    """``node1@alpha`` of ``node1@alpha#pool``."""
    return host.partition("#")[0]


def pools(host: str, report: Mapping[str, Any], reported_at: str) -> list[Row]:
    """The pools of a back end as the API shows them: name, host, backend, pool, capabilities.

    Args:
        host: ``node1@alpha``.
        report: the back end's capability report.
        reported_at: time of the report in API form.
    """
    listed = report.get("pools")
    if listed is None:
        name = report.get("share_backend_name") or DEFAULT_POOL
        whole = {key: value for key, value in report.items() if key != "pools"}
        return [_pool(host, str(name), _completed(whole, report, reported_at))]
    return [_pool(host, str(one["pool_name"]), _completed(dict(one), report, reported_at)) for one in listed]


def _pool(host: str, name: str, capabilities: Row) -> Row:
    node, backend, _ = split_host(host)
    return {
        "name": f"{host}#{name}",
        "host": node,
        "backend": backend,
        "pool": name,
        "capabilities": capabilities,
    }


def _completed(reported: Row, report: Mapping[str, Any], reported_at: str) -> Row:
    """A pool with what it inherits of its back end."""
    pool = {key: reported[key] for key in FIRST if key in reported} | reported
    for key in ("share_backend_name", "storage_protocol", "vendor_name", "driver_version"):
        pool[key] = pool.get(key) or report.get(key)
    pool["timestamp"] = pool.get("timestamp") or reported_at
    for key, silent in INHERITED:
        pool.setdefault(key, report.get(key, silent))
    for key in ("dedupe", "compression"):
        # the original does not hand these down
        pool.setdefault(key, False)
    for key in ("replication_type", "replication_domain"):
        pool[key] = pool.get(key) or report.get(key)
    groups = report.get("share_group_stats") or {}
    pool.setdefault("sg_consistent_snapshot_support", groups.get("consistent_snapshot_support"))
    for key, silent in INHERITED_LATE:
        pool.setdefault(key, report.get(key, silent))
    for key in ("ipv4_support", "ipv6_support"):
        if report.get(key) is not None:
            pool[key] = report[key]
    return pool


def _number(compare: Callable[[float, float], bool]) -> Callable[[Any, str], bool]:
    return lambda value, wanted: compare(float(value), float(wanted))


_OPERATORS: Mapping[str, Callable[[Any, str], bool]] = {
    "=": _number(operator.ge),
    "==": _number(operator.eq),
    "!=": _number(operator.ne),
    ">=": _number(operator.ge),
    "<=": _number(operator.le),
    "s==": operator.eq,
    "s!=": operator.ne,
    "s<": operator.lt,
    "s<=": operator.le,
    "s>": operator.gt,
    "s>=": operator.ge,
    "<in>": lambda value, wanted: wanted in value,
    "<is>": lambda value, wanted: read_bool(value) is read_bool(wanted),
}


def match(value: Any, requirement: str) -> bool:
    """Whether one capability value meets one extra spec, whatever the case of letters.

    A value that can't be compared (text with a number) does not match.
    """
    if isinstance(value, str):
        value = value.lower()
    requirement = str(requirement).lower()
    words = requirement.split()
    sign = words[0] if words else ""
    if sign == "<or>":
        return value is not None and any(word == value for word in words[1::2])
    compare = _OPERATORS.get(sign)
    if compare is None:
        if isinstance(value, bool):
            return value == read_bool(requirement) if requirement.strip() in TRUE | FALSE else False
        return bool(value == requirement)
    if value is None or len(words) < 2:
        return False
    try:
        return compare(value, words[1])
    except (ValueError, TypeError):
        return False


def satisfies(capabilities: Mapping[str, Any], extra_specs: Mapping[str, Any]) -> bool:
    """Whether a pool's capabilities meet every extra spec that speaks of capabilities."""
    for key, requirement in extra_specs.items():
        if key in NOT_CAPABILITIES:
            continue
        scope = key.split(":")
        if scope[0] == "capabilities":
            scope = scope[1:]
        elif len(scope) > 1:
            continue
        found: Any = capabilities
        for word in scope:
            found = found.get(word) if isinstance(found, Mapping) else None
        if found is None:
            return False
        values = found if isinstance(found, list) else [found]
        if not any(match(value, requirement) for value in values):
            return False
    return True
