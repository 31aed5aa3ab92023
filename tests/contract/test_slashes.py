"""Metadata and specs whose key holds a slash or letters beyond ASCII: each item can be read, changed and removed by its
own URL, of every resource."""

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
KEYS = (
    "pvc.example/annot",
    "/a",
    "a/",
    "a//b",
    "a/metadata/b",
    "a/b.json",
    "a b/c%",
    "Größe",
    "größe/名",
    "\U0001f600",
)
SPECS = {
    "share type": ("/v2/types/{type}/extra_specs", "extra_specs"),
    "share group type": ("/v2/share-group-types/{group_type}/group-specs", "group_specs"),
    "QoS type": ("/v2/qos-types/{qos_type}/specs", "specs"),
}
"""What has specs -> their path, and the key of the body."""


def test_the_resources_are_those_of_the_contract() -> None:
    assert [one.rpartition("/")[0].rpartition("/")[2] for one in OWNERS] == [
        "share-access-rules", "subnets", "share-replicas", "shares", "export_locations", "snapshots",
    ]  # fmt: skip


UNFIT = {"/shares/{share_id}/export_locations/{resource_id}"}
"""Resources whose keys may hold no slash, as the contract has it: none is made."""


def _quoted(key: str, form: str) -> str:
    """``key`` in a path, each byte of a letter beyond ASCII in the form ``form``."""
    plain = key.encode()
    return "".join(chr(one) if one == 46 or (one < 128 and chr(one).isalnum()) else form.format(one) for one in plain)


@pytest.mark.parametrize("kind", SPECS)
async def test_a_spec_has_its_url(db: Database, kind: str) -> None:
    ask = asker(core_over(db))
    path, field = SPECS[kind]
    extra = {"extra_specs": {"driver_handles_share_servers": "false"}}
    share_type = (await ask("admin", "POST", "/v2/types", {"share_type": {"name": "t", **extra}})).json["share_type"][
        "id"
    ]
    group = {"share_group_type": {"name": "g", "share_types": [share_type]}}
    ids = {"type": share_type}
    ids["group_type"] = (await ask("admin", "POST", "/v2/share-group-types", group)).json["share_group_type"]["id"]
    ids["qos_type"] = (await ask("admin", "POST", "/v2/qos-types", {"qos_type": {"name": "q"}})).json["qos_type"]["id"]
    path = path.format(**ids)
    for key, form in itertools.product(("Größe", "名.x", "größe:ß"), ("%{:02X}", "%{:02x}")):
        item = f"{path}/{_quoted(key, form)}"
        assert (await ask("admin", "POST", path, {field: {key: "x"}})).status in (200, 201, 202), key
        assert (await ask("admin", "GET", item)).json == {key: "x"}, key
        assert (await ask("admin", "PUT", item, {key: "y"})).status == 200, key
        assert (await ask("admin", "GET", path)).json[field][key] == "y"
        assert (await ask("admin", "DELETE", item)).status in (202, 204), key
        assert (await ask("admin", "GET", item)).status == 404, key


async def test_a_spec_whose_key_holds_a_slash_has_its_url(db: Database) -> None:
    ask = asker(core_over(db))
    specs = {"driver_handles_share_servers": "false", "a/b": "x"}
    body = {"share_type": {"name": "t", "extra_specs": specs}}
    made = await ask("admin", "POST", "/v2/types", body)
    assert made.status == 200, made.content
    item = f"/v2/types/{made.json['share_type']['id']}/extra_specs/a%2Fb"
    assert (await ask("admin", "GET", item)).json == {"a/b": "x"}
    assert (await ask("admin", "DELETE", item)).status == 202


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
