"""Stories of what is taken over, let go and given away."""

from __future__ import annotations

from tests.faults.stage import Stage
from tests.faults.stories import (
    Facts,
    Story,
    a_server,
    a_share,
    a_snapshot,
    ask_allow,
    ask_unmanage_server,
    check_gone,
    check_no_snapshot,
    check_share,
)

ADMIN = "a0000000000000000000000000000000"


async def _unmanage(stage: Stage, path: str) -> None:
    answer = await stage.admin("POST", f"{path}/action", {"unmanage": None})
    assert answer.status == 202, answer.content


async def ask_unmanage(stage: Stage, facts: Facts) -> None:
    await _unmanage(stage, f"/v2/shares/{facts['share']}")


async def a_share_let_go(stage: Stage, facts: Facts) -> None:
    await a_share(stage, facts)
    share = (await stage.admin("GET", f"/v2/shares/{facts['share']}")).json["share"]
    places = (await stage.admin("GET", f"/v2/shares/{facts['share']}/export_locations")).json["export_locations"]
    facts["offer"] = {"service_host": share["host"], "export_path": places[1]["path"], "protocol": "NFS"}
    await ask_unmanage(stage, facts)
    await stage.settled()


async def ask_manage(stage: Stage, facts: Facts) -> None:
    answer = await stage.admin("POST", "/v2/shares/manage", {"share": {**facts["offer"], "is_public": True}})
    assert answer.status == 200, answer.content
    facts["share"] = answer.json["share"]["id"]


async def ask_unmanage_snapshot(stage: Stage, facts: Facts) -> None:
    await _unmanage(stage, f"/v2/snapshots/{facts['snapshot']}")


async def a_snapshot_let_go(stage: Stage, facts: Facts) -> None:
    await a_snapshot(stage, facts)
    snapshot = (await stage.admin("GET", f"/v2/snapshots/{facts['snapshot']}")).json["snapshot"]
    facts["offer"] = {"share_id": facts["share"], "provider_location": snapshot["provider_location"]}
    await ask_unmanage_snapshot(stage, facts)
    await stage.settled()


async def ask_manage_snapshot(stage: Stage, facts: Facts) -> None:
    answer = await stage.admin("POST", "/v2/snapshots/manage", {"snapshot": facts["offer"]})
    assert answer.status == 202, answer.content
    facts["snapshot"] = answer.json["snapshot"]["id"]


async def check_managed_snapshot(stage: Stage, facts: Facts) -> None:
    answer = await stage.admin("GET", f"/v2/snapshots/{facts['snapshot']}")
    assert answer.json["snapshot"]["status"] == "available"
    assert (await stage.usage())["snapshots"] == 1


async def a_server_let_go(stage: Stage, facts: Facts) -> None:
    await a_server(stage, facts)
    await stage.settled()
    await ask_unmanage_server(stage, facts)
    facts["server"] = (await stage.rows("SELECT id FROM share_servers"))[0]["id"]
    await stage.settled()


async def ask_manage_server(stage: Stage, facts: Facts) -> None:
    wish = {
        "host": "node1@gamma",
        "share_network_id": facts["share_keys"]["share_network_id"],
        "identifier": facts["server"],
    }
    answer = await stage.admin("POST", "/v2/share-servers/manage", {"share_server": wish})
    assert answer.status == 202, answer.content


async def check_server(stage: Stage, facts: Facts) -> None:
    rows = await stage.rows("SELECT id, status, identifier FROM share_servers WHERE deleted = 'False'")
    assert [(row["status"], row["identifier"]) for row in rows] == [("active", facts["server"])]
    ports = await stage.rows("SELECT share_server_id FROM network_allocations WHERE deleted = 'False'")
    assert [row["share_server_id"] for row in ports] == [rows[0]["id"]] * 3


async def an_offer(stage: Stage, facts: Facts) -> None:
    await a_share(stage, facts)
    await ask_allow(stage, facts)
    await stage.settled()
    answer = await stage.member(
        "POST", "/v2/share-transfers", {"transfer": {"share_id": facts["share"]}}, version="2.77"
    )
    assert answer.status == 202, answer.content
    facts["offer"] = answer.json["transfer"]


async def ask_accept(stage: Stage, facts: Facts) -> None:
    body = {"accept": {"auth_key": facts["offer"]["auth_key"], "clear_access_rules": True}}
    answer = await stage.admin("POST", f"/v2/share-transfers/{facts['offer']['id']}/accept", body, version="2.77")
    assert answer.status == 202, answer.content


async def check_given(stage: Stage, facts: Facts) -> None:
    share = (await stage.admin("GET", f"/v2/shares/{facts['share']}")).json["share"]
    assert (share["status"], share["project_id"], share["access_rules_status"]) == ("available", ADMIN, "active")
    assert (await stage.usage())["shares"] == 1
    assert await stage.rows("SELECT 1 FROM share_instance_access_map WHERE deleted = 'False'") == []


MANAGE = Story(ask_manage, check_share, a_share_let_go)
STORIES = {
    "server_manage": Story(ask_manage_server, check_server, a_server_let_go, servers=True),
    "share_manage": MANAGE,
    "share_manage_place": MANAGE,
    "share_transfer": Story(ask_accept, check_given, an_offer),
    "share_unmanage": Story(ask_unmanage, check_gone, a_share),
    "snapshot_manage": Story(ask_manage_snapshot, check_managed_snapshot, a_snapshot_let_go),
    "snapshot_unmanage": Story(ask_unmanage_snapshot, check_no_snapshot, a_snapshot),
}
