"""Public reports that need more than a request: a policy of the operator, a database that fails, rows that vanish."""

from __future__ import annotations

import asyncio
import dataclasses
import typing
from typing import Any

import pytest
from structlog.testing import capture_logs

from db import heartbeats, quotas, subnets, tasks
from db.connection import Database
from db.write import new_id
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from services import work
from tests.contract import rows
from tests.handlers.catalogue import asker, core_over
from tests.handlers.share_stage import Stage, stage_over
from worker.operation import Backend
from worker.registry import operations
from worker.runner import Runner
from worker.service import ShareManager

BOB = "c0000000000000000000000000000001"
NETWORK = {"share_network": {"neutron_net_id": rows.NEUTRON_NET, "neutron_subnet_id": rows.NEUTRON_SUBNET}}


async def test_no_secret_is_logged_at_debug(db: Database, capfd: pytest.CaptureFixture[str]) -> None:
    with capture_logs() as seen:
        async for stage in stage_over(db):
            share = await stage.share()
            body = {"security_service": {"type": "ldap", "password": "s3cr3t-of-a-service"}}
            assert (await stage.ask("member-a", "POST", "/v2/security-services", body)).status == 200
            rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.9"}}
            await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", rule)
            await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
            await stage.work()
    told = str(seen) + "".join(capfd.readouterr())
    assert "answered" in told
    assert "s3cr3t" not in told
    assert "member-a-token" not in told


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_database_that_fails_takes_no_quota(db: Database, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """Rows and usage are one transaction: both or none."""
    ask = asker(core_over(db))
    kept = (await ask("member-a", "POST", "/v2/share-networks", NETWORK)).json["share_network"]["id"]

    async def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("planted")

    monkeypatch.setattr(subnets, "create", broken)
    if method == "DELETE":
        monkeypatch.setattr(quotas, "reserve", broken)
    path = "/v2/share-networks" if method == "POST" else f"/v2/share-networks/{kept}"
    assert (await ask("member-a", method, path, NETWORK if method == "POST" else None)).status == 500
    async with db.read() as conn:
        usage = await conn.all(
            "SELECT DISTINCT in_use, reserved FROM quota_usages WHERE resource = 'share_networks' AND in_use > 0"
        )
        alive = await conn.all("SELECT id FROM share_networks WHERE deleted = 'False'")
    assert [(row["in_use"], row["reserved"]) for row in usage] == [(1, 0)]
    assert [row["id"] for row in alive] == [kept]


def _job(kind: type[work.Job]) -> work.Job:
    """A job about things that are not there."""
    values: dict[str, Any] = {}
    hints = typing.get_type_hints(kind)
    for one in dataclasses.fields(kind):
        if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING:
            continue
        hint = hints[one.name]
        plain = typing.get_origin(hint) or hint
        if plain is str or str in typing.get_args(hint):
            values[one.name] = "node1@alpha#fake_pool_for_ALPHA" if "host" in one.name else new_id()
        else:
            values[one.name] = {dict: {}, list: [], tuple: (), int: 1, bool: False, float: 1.0}.get(plain)
    return kind(**values)


async def test_work_on_what_has_vanished_ends_without_an_error(db: Database) -> None:
    """An instance, replica or server that is gone meanwhile holds up nothing and fails nothing."""
    async with db.write() as conn:
        await rows.common(conn)
        for name, kind in work.kinds().items():
            if name in ("share_copy", "server_migrate"):
                continue  # these need what they copy, and a back end with share servers: tests of their own
            await work.enqueue(conn, _job(kind), "node1@alpha")
    core = core_over(db)
    driver = DummyDriver(BackendOptions("alpha", "ALPHA", driver_handles_share_servers=False))
    backend = Backend("alpha", "node1@alpha", driver)
    runner = Runner(core, operations(), {backend.host: backend}, queues=("scheduler",), poll=0.05)
    stop = asyncio.Event()
    with capture_logs() as seen:
        serving = asyncio.create_task(runner.run(stop))
        async with asyncio.timeout(60):
            while True:
                async with db.read() as conn:
                    if not await tasks.pending(conn):
                        break
                await asyncio.sleep(0.05)
        stop.set()
        runner.wake()
        await serving
    loud = [line for line in seen if line["log_level"] in ("error", "critical", "exception")]
    assert not loud, "\n".join(f"{line.get('operation')}: {line.get('error')}" for line in loud)


async def test_a_back_end_that_fails_to_start_joins_later_and_keeps_no_other_waiting(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.service.FIRST_RETRY", 0.05)
    backends = []
    for name in ("alpha", "beta"):
        options = BackendOptions(name, name.upper(), driver_handles_share_servers=False)
        backends.append(Backend(name, f"node1@{name}", DummyDriver(options)))
    failures = iter((True, True, False))

    async def fails_twice() -> None:
        if next(failures):
            raise ConnectionError("planted")

    monkeypatch.setattr(backends[1].driver, "do_setup", fails_twice)
    manager = ShareManager(core_over(db), backends, zone="nova", report_interval=0.05)
    stop = asyncio.Event()
    serving = asyncio.create_task(manager.run(stop))
    async with asyncio.timeout(20):
        while "alpha" not in manager.served:
            await asyncio.sleep(0.01)
        await manager.served["alpha"].ready.wait()
        assert not manager.served["beta"].ready.is_set()
        await manager.served["beta"].ready.wait()
    stop.set()
    await asyncio.wait_for(serving, 20)


async def test_strangers_in_one_address_plan_do_not_meet(stage: Stage) -> None:
    """A rule for everybody is accepted: what makes it harmless is the network that the gateway stands in."""
    share = await stage.share()
    rule = {"allow_access": {"access_type": "ip", "access_to": "0.0.0.0/0", "access_level": "rw"}}
    answer = await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", rule)
    assert answer.status == 200
    assert (await stage.ask("member-b", "GET", f"/v2/shares/{share['id']}")).status == 404


async def test_services_that_start_together_make_one_zone(db: Database) -> None:
    async def register(number: int) -> None:
        async with db.write() as conn:
            await heartbeats.register(conn, "manila-share", "manila-share", f"node{number}@alpha", "zone-1")

    await asyncio.gather(*(register(number) for number in range(8)))
    async with db.read() as conn:
        zones = await conn.all("SELECT id FROM availability_zones WHERE name = 'zone-1' AND deleted = 'False'")
    assert len(zones) == 1
