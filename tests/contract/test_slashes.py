"""Metadata whose key holds a slash: its item can be read, changed and removed by its own URL, of every resource."""

from __future__ import annotations

import itertools

import pytest

from db.connection import Database
from generated.routes import ROUTES
from tests.contract import requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, asker, core_over

ITEM = "/metadata/{key}"
OWNERS = sorted({one.path.removesuffix(ITEM) for one in ROUTES if one.path.endswith(ITEM)})
"""Paths of the resources whose metadata items have URLs."""
KEYS = ("pvc.example/annot", "/a", "a/", "a//b", "a/metadata/b", "a/b.json", "a b/c%")


def test_the_resources_are_those_of_the_contract() -> None:
    assert [one.rpartition("/")[0].rpartition("/")[2] for one in OWNERS] == [
        "share-access-rules", "subnets", "share-replicas", "shares", "export_locations", "snapshots",
    ]  # fmt: skip


UNFIT = {"/shares/{share_id}/export_locations/{resource_id}"}
"""Resources whose keys may hold no slash, as the contract has it: none is made."""


def _quoted(key: str, form: str) -> str:
    return "".join(one if one.isalnum() or one == "." else form.format(ord(one)) for one in key)


@pytest.mark.parametrize("owner", OWNERS)
async def test_an_item_has_its_url(db: Database, owner: str) -> None:
    async with db.write() as conn:
        shared = await rows.common(conn)
        ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
    ask = asker(core_over(db))
    last = max(one.until for one in ROUTES)
    routes = [one for one in requests.operations(all_versions=False) if one.route.path.startswith(f"{owner}/metadata")]
    methods = {
        (one.route.method, one.route.path.endswith(ITEM)): one for one in routes if one.route.until == last
    }  # fmt: skip
    base = next(iter(methods.values()))
    path = base.filled(ids, [ids[kind] for kind in base.kinds])[0].partition("/metadata")[0] + "/metadata"
    who, whole = (
        "admin" if "export_locations" in owner else "member-a",
        "PUT" if ("POST", False) not in methods else "POST",
    )
    for key, form in itertools.product(KEYS, ("%{:02X}", "%{:02x}")):
        item = f"{path}/{_quoted(key, form)}"
        made = await ask(who, whole, path, {"metadata": {key.strip("/"): "w", key: "x"}})
        if owner in UNFIT:
            assert made.status == 400
            assert f"'{key}' does not match any of the regexes" in made.json["badRequest"]["message"]
            continue
        assert made.status == 200, f"{key}: {made.content!r}"
        if ("GET", True) in methods:
            shown = await ask(who, "GET", item)
            assert (shown.status, shown.json) == (200, {"meta": {key: "x"}}), key
        if ("PUT", True) in methods:
            changed = await ask(who, "PUT", item, {"metadata": {key: "y"}, "meta": {key: "y"}})
            assert changed.status == 200, f"{key}: {changed.content!r}"
            assert (await ask(who, "GET", item)).json == {"meta": {key: "y"}}
        assert (await ask(who, "DELETE", item)).status == 200, key
        assert (await ask(who, "DELETE", item)).status == 404, key
        if ("GET", False) in methods:
            left = (await ask(who, "GET", path)).json["metadata"]
            assert key not in left
            assert left.get(key.strip("/"), "w") == "w", "its neighbour stays"
