"""Lists in pages: a walk from marker to marker ends, shows everything, and nothing twice."""

from __future__ import annotations

import urllib.parse
from typing import Any

import pytest

from db.connection import Database
from db.write import insert
from tests.api.client import Answered
from tests.contract import rows
from tests.handlers.catalogue import ALICE, TENANT_A, TENANT_B, Ask, asker, core_over

COUNT = 5
LISTS = (
    ("messages", "messages"),
    ("qos-types", "qos_types"),
    ("resource-locks", "resource_locks"),
    ("security-services", "security_services"),
    ("security-services/detail", "security_services"),
    ("share-backups", "share_backups"),
    ("share-backups/detail", "share_backups"),
    ("share-group-snapshots", "share_group_snapshots"),
    ("share-group-snapshots/detail", "share_group_snapshots"),
    ("share-groups", "share_groups"),
    ("share-groups/detail", "share_groups"),
    ("share-networks", "share_networks"),
    ("share-networks/detail", "share_networks"),
    ("share-replicas", "share_replicas"),
    ("share-replicas/detail", "share_replicas"),
    ("share-transfers", "transfers"),
    ("share-transfers/detail", "transfers"),
    ("shares", "shares"),
    ("shares/detail", "shares"),
    ("snapshots", "snapshots"),
    ("snapshots/detail", "snapshots"),
)
"""Path -> key of the list in the answer: all lists that take ``limit`` and are not an administrator's alone."""
SORTED = (
    ("shares", "shares", "status"),
    ("shares/detail", "shares", "host"),
    ("shares", "shares", "is_public"),
    ("shares/detail", "shares", "replica_state"),
    ("snapshots", "snapshots", "size"),
    ("share-backups", "share_backups", "status"),
    ("share-groups", "share_groups", "name"),
    ("share-group-snapshots", "share_group_snapshots", "status"),
    ("messages", "messages", "resource_type"),
    ("qos-types", "qos_types", "description"),
    ("resource-locks", "resource_locks", "resource_type"),
    ("share-transfers", "transfers", "display_name"),
)
"""Path, key of the list, and a sort key that many rows share or lack."""
LINKS = {
    "share-backups": "share_backup_links",
    "share-group-snapshots": "share_group_snapshot_links",
    "share-replicas": "share_replica_links",
    "snapshots": "share_snapshots_links",
}
"""What the link to the next page is called where it is not the list's name with ``_links``, as clients know it."""
UNLINKED = ("qos-types", "security-services", "share-networks")
"""Lists whose answers have no link to the next page, as with the original; a client makes the marker itself."""


@pytest.fixture
async def ask(db: Database) -> Ask:
    """Tenant A with several of everything, replicated shares too; some keys are equal, some are missing."""
    async with db.write() as conn:
        shared = await rows.common(conn)
        for number in range(COUNT):
            await rows.tenant(conn, shared, TENANT_A, ALICE)
            await insert(conn, "qos_types", {"name": f"described-{number}", "description": "d"})
        await rows.tenant(conn, shared, TENANT_B, "c0000000000000000000000000000001")
        await conn.run("UPDATE transfers SET display_name = NULL WHERE id = (SELECT min(id) FROM transfers)")
    plain = asker(core_over(db, default_share_group_type="default_group"))

    async def experimental(who: str, path: str) -> Answered:
        return await plain(who, "GET", path, headers={"X-OpenStack-Manila-API-Experimental": "true"})

    return experimental


def _link(answer: Answered, links: str) -> str | None:
    """Path and query of the link to the next page, the only one, which is called ``links``."""
    found = {key: one for key, one in answer.json.items() if key.endswith("_links")}
    if not found:
        return None
    assert list(found) == [links]
    (link,) = found[links]
    assert link["rel"] == "next"
    parts = urllib.parse.urlsplit(link["href"])
    return f"{parts.path}?{parts.query}"


async def _walk(ask: Ask, path: str, key: str, query: str, total: int, *, links: bool = True) -> list[str]:
    """Ids of all pages in turn; without ``links`` the marker is made of the last id, as clients do."""
    seen: list[str] = []
    following: str | None = f"/v2/{path}?limit=2{query}"
    while following is not None:
        answer = await ask("member-a", following)
        assert answer.status == 200, answer.content
        page: list[dict[str, Any]] = answer.json[key]
        seen += [one["id"] for one in page]
        assert len(page) <= 2, following
        assert len(seen) <= total, f"{following} goes on after everything was shown"
        following = _link(answer, LINKS.get(path.partition("/")[0], f"{key}_links"))
        if path.partition("/")[0] in UNLINKED:
            assert following is None
        elif page:
            assert (following is not None) == (len(page) == 2)
        if not links or path.partition("/")[0] in UNLINKED:
            following = f"/v2/{path}?limit=2{query}&marker={page[-1]['id']}" if page else None
    return seen


async def test_a_walk_ends_with_everything_seen_once(ask: Ask) -> None:
    for path, key in LISTS:
        whole = [one["id"] for one in (await ask("member-a", f"/v2/{path}")).json[key]]
        assert len(whole) == len(set(whole)) >= COUNT, path
        assert await _walk(ask, path, key, "", len(whole)) == whole, path
        assert await _walk(ask, path, key, "", len(whole), links=False) == whole, path


@pytest.mark.parametrize("direction", ["asc", "desc"])
async def test_a_walk_in_an_order_of_equal_and_missing_keys(ask: Ask, direction: str) -> None:
    for path, key, sort_key in SORTED:
        order = f"&sort_key={sort_key}&sort_dir={direction}"
        whole = [one["id"] for one in (await ask("member-a", f"/v2/{path}?{order[1:]}")).json[key]]
        assert len(whole) == len(set(whole)) >= COUNT, path
        assert await _walk(ask, path, key, order, len(whole), links=False) == whole, f"{path}{order}"


async def test_offsets_cover_a_list_too(ask: Ask) -> None:
    for path, key in LISTS:
        whole = [one["id"] for one in (await ask("member-a", f"/v2/{path}")).json[key]]
        seen: list[str] = []
        for offset in range(0, len(whole) + 2, 2):
            answer = await ask("member-a", f"/v2/{path}?limit=2&offset={offset}")
            seen += [one["id"] for one in answer.json[key]]
        assert seen == whole, path


async def test_a_marker_that_is_nothing_is_no_marker(ask: Ask) -> None:
    """As with the original, where every marker but that of messages is none."""
    for path, key in LISTS:
        whole = (await ask("member-a", f"/v2/{path}")).json[key]
        for marker in ("", "x", "00000000-0000-4000-8000-000000000000"):
            answer = await ask("member-a", f"/v2/{path}?marker={marker}")
            assert answer.status == 200, answer.content
            assert answer.json[key] == whole, path
