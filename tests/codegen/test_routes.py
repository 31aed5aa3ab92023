"""The dispatch table against the contract's counts, and the list of what is missing, which may only shrink."""

from __future__ import annotations

import itertools

from codegen.spec import Spec, function_of, module_of
from generated.microversions import MAX_MINOR
from generated.registry import REGISTRY
from generated.routes import ROUTES
from generated.routes.absent import ABSENT
from generated.routes.rows import LATEST
from generated.runtime import Route
from generated.schemas import schema
from tests.codegen.test_generate import SPEC

"""Lower it when operations get their behaviour; never raise it."""


def test_every_operation_of_the_contract_is_routed_and_has_a_place_for_its_handler() -> None:
    operations = {operation["operation_id"] for operation in Spec(SPEC).operations}
    assert {route.operation for route in ROUTES} == operations
    assert len(operations) == 258
    assert len(ABSENT) == len(set(ABSENT)) == 121
    places = {(module, name) for module, names in REGISTRY.items() for name in names}
    assert places == {(module_of(operation), function_of(operation)) for operation in operations}


def test_variants_of_an_operation_never_overlap() -> None:
    def name(route: Route) -> str:
        return route.operation

    for operation, group in itertools.groupby(sorted(ROUTES, key=name), key=name):
        rows = sorted(group, key=lambda route: route.since)
        for earlier, later in itertools.pairwise(rows):
            assert earlier.until < later.since, operation
        assert all(0 <= route.since <= route.until <= MAX_MINOR for route in rows), operation
    assert LATEST == MAX_MINOR == 99


def test_every_schema_of_the_table_is_in_the_package() -> None:
    names = {name for route in ROUTES for name in (route.schema, route.query_schema) if name}
    assert len(names) == 41
    for name in names:
        assert isinstance(schema(name), dict)


def test_the_order_of_checks_is_the_measured_one() -> None:
    first = {route.operation for route in ROUTES if route.body_first}
    actions = ("extend", "os_extend", "shrink", "os_shrink", "revert", "os_reset_status")
    updates = {"quota_class_sets.update", "os_quota_class_sets.update", "resource_locks.update"}
    assert first == updates | {f"shares.action.{action}" for action in actions}
    assert {(route.operation, route.since) for route in ROUTES if route.body_key} == {("shares.create", 65)} | {
        ("shares.create", since) for since in (67, 84, 90)
    }
    with_rules = {route.operation for route in ROUTES if route.rules}
    assert "shares.action.os_reset_status" not in with_rules
