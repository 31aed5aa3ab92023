"""Clients in every form that the API takes: shown as they were sent, one rule a client, the same text for a driver."""

from __future__ import annotations

from typing import Any

import pytest

from db import driver_rows
from drivers.ganesha import rules
from tests.handlers.share_stage import Stage, refused

FORMS = (
    # as sent, in what other forms, and the network that a gateway admits
    ("10.0.0.1", ("10.0.0.1/32", "10.0.0.1/00032", "10.0.0.1/255.255.255.255"), "10.0.0.1/32"),
    ("10.0.1.0/0.0.0.255", ("10.0.1.0/24", "10.0.1.0/255.255.255.0"), "10.0.1.0/24"),
    ("2001:DB8::A", ("2001:db8::a", "2001:db8:0:0:0::a/128", "2001:0DB8::000A"), "2001:db8::a/128"),
    ("2001:db8:0:5::/64", ("2001:DB8:0:5::/64", "2001:db8:0:5:0::/64"), "2001:db8:0:5::/64"),
    ("::ffff:10.0.0.1", ("::FFFF:10.0.0.1", "::ffff:a00:1/128"), None),
    ("fe80::1%eth0", ("FE80::1%eth0", "fe80:0::1%eth0"), None),
)
ILLEGAL = ("10.0.0.1/24", "2001:db8::1/64", "10.0.0.01", "10.0.0.1/33", "::ffff:10.0.0.300", "2001:db8::/129", "1:2")


async def _path(stage: Stage, kind: str) -> tuple[str, str]:
    """A share or snapshot that takes rules: its path, and the action that lists them."""
    body: Any = {"share_type": {"name": "full", "extra_specs": {
        "driver_handles_share_servers": "False", "snapshot_support": "True", "mount_snapshot_support": "True",
    }}}  # fmt: skip
    assert (await stage.ask("admin", "POST", "/v2/types", body)).status == 200
    share = (await stage.share(share_type="full"))["id"]
    if kind == "share":
        return f"/v2/shares/{share}", f"/v2/share-access-rules?share_id={share}"
    made = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share}})
    await stage.work()
    path = f"/v2/snapshots/{made.json['snapshot']['id']}"
    return path, f"{path}/access-list"


@pytest.mark.parametrize("kind", ["share", "snapshot"])
async def test_a_client_has_one_rule_however_it_is_written(
    stage: Stage, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rules_path = await _path(stage, kind)
    method = "update_access" if kind == "share" else "snapshot_update_access"
    seen: list[Any] = []
    for backend in stage.backends.values():
        driver: Any = backend.driver
        real = getattr(driver, method)

        async def told(thing: Any, wanted: Any, *rest: Any, real: Any = real, **more: Any) -> Any:
            seen.append(wanted)
            return await real(thing, wanted, *rest, **more)

        monkeypatch.setattr(driver, method, told)
        monkeypatch.setattr(driver, "get_configured_ip_versions", lambda: (4, 6))
    for sent, others, _ in FORMS:
        for number, text in enumerate((sent, *others)):
            body = {"allow_access": {"access_type": "ip", "access_to": text}}
            answer = await stage.ask("member-a", "POST", f"{path}/action", body)
            assert (answer.status < 300) == (number == 0), f"{text}: {answer.content!r}"
            if number:
                assert refused(answer)[1].endswith(f" access ip:{text} exists.")
        await stage.work()
    for text in ILLEGAL:
        body = {"allow_access": {"access_type": "ip", "access_to": text}}
        assert (await stage.ask("member-a", "POST", f"{path}/action", body)).status == 400, text
    (listed,) = (await stage.ask("member-a", "GET", rules_path)).json.values()
    assert {one["access_to"] for one in listed} == {sent for sent, _, _ in FORMS}
    assert {one["access_to"] for one in seen[-1]} == {sent for sent, _, _ in FORMS}, "a driver gets what was sent"


async def test_a_gateway_admits_the_network_that_a_rule_means(stage: Stage) -> None:
    """What the Ganesha back ends make of the rows as drivers get them."""
    path, _ = await _path(stage, "share")
    for sent, _, _ in FORMS:
        body = {"allow_access": {"access_type": "ip", "access_to": sent}}
        assert (await stage.ask("member-a", "POST", f"{path}/action", body)).status == 200
    async with stage.core.db.read() as conn:
        row = await conn.one("SELECT id FROM share_instances WHERE deleted = 'False'")
        assert row is not None
        found = (await driver_rows.rules(conn, [row["id"]]))[row["id"]]
    planned = rules.plan(found)
    assert {one.network for one in planned.clients} == {network for _, _, network in FORMS if network}
    states = {one["access_to"]: planned.results[one["id"]].get("state") for one in found}
    assert states == {sent: "active" if network else "error" for sent, _, network in FORMS}
