"""Operations of the contract, cut into the rows of the dispatch table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.spec import Spec, minor


def module_of(operation_id: str) -> str:
    """``shares.action.extend`` -> ``shares_action``: the handler module."""
    return operation_id.rsplit(".", 1)[0].replace(".", "_")


def function_of(operation_id: str) -> str:
    """``shares.action.extend`` -> ``extend``: the handler function."""
    return operation_id.rsplit(".", 1)[1]


@dataclass(frozen=True)
class RouteRow:
    """One variant of an operation over a range of versions in which its body and query schemas are the same."""

    operation: str
    method: str
    path: str
    action: str | None
    since: int
    until: int
    experimental: bool
    body: str | None
    schema: str | None
    query_schema: str | None
    view: str | None
    status: int
    rules: tuple[str, ...]
    body_first: bool


def _at(ranges: list[dict[str, Any]], version: int, newest: int) -> dict[str, Any]:
    for one in ranges:
        if minor(one["min_version"], 0) <= version <= minor(one["max_version"], newest):
            return one
    return {}


def _schema(one: dict[str, Any]) -> str | None:
    """The JSON schema's name; the contract's marker for "no body" is no schema."""
    name = one.get("manila_schema")
    return None if name == "none.no_body" else name


def _cuts(variant: dict[str, Any], newest: int) -> list[tuple[int, int]]:
    """The variant's range, cut wherever a request body or query schema changes."""
    since, until = minor(variant["min_version"], 0), minor(variant["max_version"], newest)
    starts = {since}
    for one in [*variant["request_body"], *variant["query_schemas"]]:
        starts.add(max(since, minor(one["min_version"], 0)))
        starts.add(minor(one["max_version"], newest) + 1)
    ordered = sorted(start for start in starts if since <= start <= until)
    return [(a, b - 1) for a, b in zip(ordered, [*ordered[1:], until + 1], strict=True)]


def rows(spec: Spec) -> Iterator[RouteRow]:
    """Every row, ordered by module, path, method, action and version."""
    newest = spec.newest
    first = set(spec.document("order")["body_first"])
    for one in sorted(spec.document("routes")["operations"], key=_order):
        rules = tuple(p["rule"] for p in one["policies"] if p["source"] == "handler-decorator")
        for variant in one["variants"]:
            for since, until in _cuts(variant, newest):
                body = _at(variant["request_body"], since, newest)
                answer = _at(variant["response_body"], since, newest)
                yield RouteRow(
                    operation=one["operation_id"], method=one["method"], path=one["path"], action=one["action_key"],
                    since=since, until=until, experimental=variant["experimental"],
                    body=body.get("schema"), schema=_schema(body),
                    query_schema=_schema(_at(variant["query_schemas"], since, newest)),
                    view=answer.get("schema", "").split("_v2_")[0] or None,
                    status=variant["success_status"][0], rules=rules, body_first=one["operation_id"] in first,
                )


def _order(one: dict[str, Any]) -> tuple[str, str, str, str]:
    return (module_of(one["operation_id"]), one["path"], one["method"], one["action_key"] or "")
