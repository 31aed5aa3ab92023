"""Transfers of shares: who may offer and take them, and what moves with them."""

from __future__ import annotations

from typing import Any

import pytest

from generated.errors import DriverCannotTransferShareWithRules
from services.transfers import crypt_hash
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage, refused

TENANT_B = "c0000000000000000000000000000000"
UNKNOWN = "00000000-0000-4000-8000-00000000dead"


async def _offer(stage: Stage, share: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"transfer": {"share_id": share["id"], **fields}}
    answer = await stage.ask("member-a", "POST", "/v2/share-transfers", body)
    assert answer.status == 202, answer.json
    found: dict[str, Any] = answer.json["transfer"]
    return found


async def _accept(stage: Stage, offer: dict[str, Any], who: str = "member-b", **fields: Any) -> Any:
    body = {"accept": {"auth_key": offer["auth_key"], **fields}}
    return await stage.ask(who, "POST", f"/v2/share-transfers/{offer['id']}/accept", body)


async def test_a_share_with_snapshots_and_rules_moves_with_its_quota(stage: Stage) -> None:
    share = await stage.share(size=2)
    body = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", body)
    snapshot = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    await stage.work()
    offer = await _offer(stage, share, name="  gift  ")
    assert (offer["name"], offer["source_project_id"], len(offer["auth_key"])) == ("gift", TENANT_A, 16)
    assert (await _accept(stage, offer, clear_access_rules="true")).status == 202
    assert (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).status == 404
    shown = (await stage.ask("member-b", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["project_id"]) == ("available", TENANT_B)
    await stage.work()
    rules = await stage.ask("member-b", "GET", f"/v2/share-access-rules?share_id={share['id']}")
    assert rules.json == {"access_list": []}
    assert (await stage.ask("member-b", "GET", f"/v2/snapshots/{snapshot.json['snapshot']['id']}")).status == 200
    assert set((await stage.usage(TENANT_A)).values()) == {0}
    moved = {"shares": 1, "gigabytes": 2, "snapshots": 1, "snapshot_gigabytes": 2}
    assert await stage.usage(TENANT_B) == moved
    assert (await stage.ask("admin", "GET", f"/v2/share-transfers/{offer['id']}")).status == 404
    assert refused(await _accept(stage, offer)) == (400, f"Transfer {offer['id']} could not be found.")


async def test_only_the_owners_see_an_offer(stage: Stage) -> None:
    offer = await _offer(stage, await stage.share())
    path = f"/v2/share-transfers/{offer['id']}"
    for who, status in (("member-a", 200), ("reader-a", 200), ("admin", 200), ("member-b", 404), ("norole-a", 403)):
        answer = await stage.ask(who, "GET", path)
        assert answer.status == status, who
    foreign = refused(await stage.ask("member-b", "DELETE", path))
    unknown = refused(await stage.ask("member-b", "DELETE", f"/v2/share-transfers/{UNKNOWN}"))
    assert foreign == (404, unknown[1].replace(UNKNOWN, offer["id"]))
    assert "auth_key" not in (await stage.ask("member-a", "GET", path)).json["transfer"]


async def test_an_offer_that_is_taken_back(stage: Stage) -> None:
    share = await stage.share()
    offer = await _offer(stage, share)
    assert (await stage.ask("reader-a", "DELETE", f"/v2/share-transfers/{offer['id']}")).status == 403
    assert (await stage.ask("member-a", "DELETE", f"/v2/share-transfers/{offer['id']}")).status == 200
    assert (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]["status"] == "available"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, "'transfer' is missing from the request body."),
        ({"transfer": []}, "'transfer' is missing from the request body."),
        ({"transfer": {}}, "Must supply 'share_id' attribute."),
        ({"transfer": {"share_id": 5}}, "The 'share_id' attribute must be a uuid."),
        ({"transfer": {"share_id": UNKNOWN}}, "Invalid share: Share specified was not found."),
    ],
)
async def test_an_offer_that_is_refused(stage: Stage, body: Any, text: str) -> None:
    assert refused(await stage.ask("member-a", "POST", "/v2/share-transfers", body)) == (400, text)


async def test_odd_offers_and_acceptances(stage: Stage) -> None:
    share = await stage.share()
    for name in (5, ["a"], "n" * 256):
        body = {"transfer": {"share_id": share["id"], "name": name}}
        assert (await stage.ask("member-a", "POST", "/v2/share-transfers", body)).status == 400
    body = {"transfer": {"share_id": share["id"], "name": "n" * 256}}
    assert (await stage.ask("member-a", "POST", "/v2/share-transfers", body)).status == 400
    await stage.ask("admin", "POST", f"/v2/shares/{share['id']}/action", {"reset_status": {"status": "error"}})
    refusal = refused(await stage.ask("member-a", "POST", "/v2/share-transfers", body))
    assert refusal == (400, "Invalid share: Share's status must be available."), "the name is looked at last"
    await stage.ask("admin", "POST", f"/v2/shares/{share['id']}/action", {"reset_status": {"status": "available"}})
    offer = await _offer(stage, share)
    again = await stage.ask("member-a", "POST", "/v2/share-transfers", {"transfer": {"share_id": share["id"]}})
    assert refused(again) == (400, "Invalid share: Share's status must be available.")
    wrong = await _accept(stage, {**offer, "auth_key": ["x"]})
    text = f"Invalid auth key: Attempt to transfer {offer['id']} with invalid auth key."
    assert refused(wrong) == (400, text)
    unclear = await _accept(stage, offer, clear_access_rules="maybe")
    assert refused(unclear) == (400, "Invalid boolean clear_access_rules : maybe")


async def test_a_snapshot_that_failed_since_does_not_move(stage: Stage) -> None:
    share = await stage.share()
    made = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    snapshot = made.json["snapshot"]["id"]
    await stage.work()
    offer = await _offer(stage, share)
    await stage.ask("admin", "POST", f"/v2/snapshots/{snapshot}/action", {"reset_status": {"status": "error"}})
    text = f"Invalid snapshot: Transfer {offer['id']}: Snapshot {snapshot} is not in the expected available state."
    assert refused(await _accept(stage, offer)) == (400, text)
    assert await stage.usage(TENANT_B) == {}


async def test_the_new_projects_quota_counts(stage: Stage) -> None:
    offer = await _offer(stage, await stage.share(size=2))
    for limit, text in (
        ({"gigabytes": 1}, "Requested share exceeds allowed project/user or share type gigabytes quota."),
        (
            {"gigabytes": -1, "shares": 0},
            "Maximum number of shares allowed (0) either per project/user or share type quota is exceeded.",
        ),
        ({"shares": -1, "per_share_gigabytes": 1}, "Requested share size 2 is larger than maximum allowed limit 1."),
    ):
        await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_B}", {"quota_set": limit})
        assert refused(await _accept(stage, offer)) == (413, text)
    assert await stage.usage(TENANT_B) == {}


async def test_a_back_end_that_refuses_gets_everything_back(stage: Stage) -> None:
    share = await stage.share(size=2)
    offer = await _offer(stage, share)
    for one in stage.backends.values():
        one.driver.faults.fail("transfer_accept", exception=DriverCannotTransferShareWithRules.__name__)  # type: ignore[attr-defined]
    assert (await _accept(stage, offer)).status == 202
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["project_id"]) == ("awaiting_transfer", TENANT_A)
    assert await stage.messages() == [("026", "026")]
    assert await stage.usage(TENANT_A) == {"shares": 1, "gigabytes": 2}
    assert (await _accept(stage, offer)).status == 202


async def test_a_type_of_others_does_not_move(stage: Stage) -> None:
    body = {"share_type": {"name": "own", "share_type_access:is_public": False,
                           "extra_specs": {"driver_handles_share_servers": "False"}}}  # fmt: skip
    made = (await stage.ask("admin", "POST", "/v2/types", body)).json["share_type"]["id"]
    grant = {"addProjectAccess": {"project": TENANT_A}}
    await stage.ask("admin", "POST", f"/v2/types/{made}/action", grant, "2.7")
    offer = await _offer(stage, await stage.share(share_type="own"))
    assert refused(await _accept(stage, offer))[0] == 404


def test_the_hash_is_the_originals() -> None:
    # made by manila 23.0.1's own function
    assert crypt_hash("5f1cc0ff", "0123456789abcdef") == KNOWN


KNOWN = "4a20c623da26d3ca6581393c3aafc28c9d2f5ab3bfec6b970d57a06039bd8103"
