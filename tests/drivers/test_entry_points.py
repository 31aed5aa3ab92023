"""The driver contract against the drivers: what one lacks it says, and what nobody calls is no entry point."""

from __future__ import annotations

import inspect
import pathlib
import re

import pytest

from drivers.base import BackendOptions, ShareDriver
from drivers.dummy.driver import DummyDriver
from drivers.ganesha.driver import GaneshaDriver
from tests.drivers.ganesha.fakes import World

ROOT = pathlib.Path(__file__).parents[2]
ENTRIES = {
    name: inspect.getsource(member)
    for name, member in inspect.getmembers(ShareDriver, inspect.isfunction)
    if not name.startswith("_")
}
NEEDED = {name for name, source in ENTRIES.items() if "raise NotImplementedError" in source}
"""Those that do nothing by themselves; the others have a default that is right for every driver."""

OLDER = "the other call for it is there"
ASKED = "the worker asks, and does without: see the entry point's page"
SECURITY, ALLOCATIONS = "security_service_update_support", "network_allocation_update_support"
REPLICATION = "replication_type"
LACKING: dict[str, dict[str, str]] = {
    "dummy": {
        "allow_access": OLDER, "deny_access": OLDER, "ensure_share": OLDER,
        "get_backend_info": ASKED, "get_share_status": "it does nothing in the background",
        "connection_get_info": ASKED, "prepare_to_inspect": ASKED, "inspect": ASKED, "changes": ASKED,
        "remove_orphan": "it finds none",
    },
    "ganesha": {
        "allow_access": OLDER, "deny_access": OLDER, "ensure_share": OLDER,
        "manage_existing": OLDER, "manage_existing_snapshot": OLDER,
        "connection_get_info": ASKED, "shrink_share": ASKED,
        "update_share_from_metadata": ASKED, "update_share_network_subnet_from_metadata": ASKED,
        "migration_check_compatibility": ASKED, "migration_start": ASKED, "migration_continue": ASKED,
        "migration_complete": ASKED, "migration_cancel": ASKED, "migration_get_progress": ASKED,
        "share_server_migration_check_compatibility": ASKED, "share_server_migration_start": ASKED,
        "share_server_migration_continue": ASKED, "share_server_migration_complete": ASKED,
        "share_server_migration_cancel": ASKED, "share_server_migration_get_progress": ASKED,
        "check_update_share_server_security_service": SECURITY, "update_share_server_security_service": SECURITY,
        "check_update_share_server_network_allocations": ALLOCATIONS,
        "update_share_server_network_allocations": ALLOCATIONS,
        "create_replica": REPLICATION, "delete_replica": REPLICATION, "promote_replica": REPLICATION,
        "update_replica_state": REPLICATION, "create_replicated_snapshot": REPLICATION,
        "delete_replicated_snapshot": REPLICATION, "update_replicated_snapshot": REPLICATION,
        "revert_to_replicated_snapshot": REPLICATION,
    },
}  # fmt: skip
"""Driver -> what it lacks -> the capability that says so, or why none has to."""
DRIVERS: dict[str, type[ShareDriver]] = {"dummy": DummyDriver, "ganesha": GaneshaDriver}
CAPABILITIES = (SECURITY, ALLOCATIONS, REPLICATION)


@pytest.mark.parametrize("name", DRIVERS)
async def test_what_a_driver_lacks_its_capabilities_deny(name: str) -> None:
    kind = DRIVERS[name]
    lacking = {one for one in NEEDED if getattr(kind, one) is getattr(ShareDriver, one)}
    assert lacking == set(LACKING[name])
    driver = DummyDriver(BackendOptions("a", "A")) if name == "dummy" else World().driver()
    stats = await driver.get_share_stats(refresh=True)
    for one, reason in LACKING[name].items():
        assert reason not in CAPABILITIES or not stats.get(reason), one


@pytest.mark.parametrize("name", DRIVERS)
async def test_what_a_driver_says_it_can_do_is_there(name: str) -> None:
    driver = DummyDriver(BackendOptions("a", "A", replication_domain="d")) if name == "dummy" else World().driver()
    stats = await driver.get_share_stats(refresh=True)
    offers = {
        "snapshot_support": ("create_snapshot", "delete_snapshot"),
        "create_share_from_snapshot_support": ("create_share_from_snapshot",),
        "revert_to_snapshot_support": ("revert_to_snapshot",),
        "mount_snapshot_support": ("snapshot_update_access",),
        SECURITY: ("update_share_server_security_service", "check_update_share_server_security_service"),
        ALLOCATIONS: ("update_share_server_network_allocations", "check_update_share_server_network_allocations"),
        REPLICATION: ("create_replica", "delete_replica", "promote_replica", "update_replica_state"),
    }
    said = {one for one in offers if stats.get(one)}
    assert said >= {"snapshot_support", "revert_to_snapshot_support"}
    for one in said:
        assert all(getattr(DRIVERS[name], method) is not getattr(ShareDriver, method) for method in offers[one]), one


def test_every_entry_point_has_a_caller() -> None:
    folders = ("worker", "scheduler", "services", "cli", "drivers")
    text = "\n".join(file.read_text() for folder in folders for file in (ROOT / folder).rglob("*.py"))
    called = set(re.findall(r"\.([a-z_]+)\b", text))
    assert [name for name in ENTRIES if name not in called] == []
