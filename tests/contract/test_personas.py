"""Every operation as every persona: who is refused is what the golden table of the policies says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pathlib
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import yaml

from db.connection import Database
from db.write import new_id
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from generated.routes import ROUTES
from services.core import Core
from services.work import ServerMigrateCheck
from tests.codegen.test_policies import GOLDEN
from tests.contract import requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, asker, core_over
from worker.operation import Backend
from worker.registry import operations
from worker.runner import Runner

SPEC = pathlib.Path(__file__).resolve().parent.parent.parent / "spec" / "routes_stable-2026.2.json"
COLUMNS = {"admin": "admin", "member-a": "member", "reader-a": "reader", "norole-a": "roleless", "service": "service"}
"""Persona of the conformance tokens -> column of the golden table."""
WEAKEST_FIRST = ("norole-a", "service", "reader-a", "member-b", "member-a", "admin")
LISTED: dict[str, Any] = yaml.safe_load((requests.HERE / "exceptions.yaml").read_text())
EXCEPTIONS: dict[str, Any] = LISTED["personas"]
NEVER_SUCCEED: dict[str, str] = LISTED["never_succeed"]
USES_UP = re.compile(
    r"delete|remove|unmanage |accept |reset_\w+ |promote |update |share_transfers.create |revert |migration|extend "
    r"|shrink |restore "
)
"""Operations after which a thing is gone or cannot take the same request again."""
REFUSED_BY_POLICY = "Policy doesn't allow"


def golden() -> dict[str, dict[str, str]]:
    """Rule -> persona's column -> letters of the targets for which it holds."""
    lines = GOLDEN.read_text().splitlines()
    names = lines[2].split()
    return {line.split()[0]: dict(zip(names, line.split()[1:], strict=True)) for line in lines[3:]}


def enforced() -> dict[str, list[str]]:
    """Operation -> the rules that must hold for its own project's things, whatever the request says."""
    found: dict[str, list[str]] = {}
    for one in json.loads(SPEC.read_text())["operations"]:
        rules = [p["rule"] for p in one["policies"] if p["mode"] == "enforce" and not p["conditional"]]
        found[one["operation_id"]] = rules
    return found


def expected(operation: str, persona: str, table: dict[str, dict[str, str]], rules: list[str]) -> str:
    """``refused``, ``foreign`` (allowed, but the things are another project's) or ``allowed``."""
    column = COLUMNS.get(persona, "member")
    if any("o" not in table[rule][column] for rule in rules):
        return "refused"
    return "foreign" if persona in ("member-b", "service") else "allowed"


def judge(wanted: str, status: int, text: str, kinds: list[str]) -> bool:
    """Whether an answer is what the policies promise."""
    if status >= 500:
        return False
    if wanted == "refused":
        return status in (403, 404)
    if wanted == "foreign" and kinds:
        return status >= 400 or text in ('{"metadata":{}}', "")
    if wanted in ("unknown", "useless"):
        return status == (404 if wanted == "unknown" else 400)
    return status not in (401, 404) and not (status == 403 and REFUSED_BY_POLICY in text)


@contextlib.asynccontextmanager
async def answering(core: Core, operation: str) -> AsyncIterator[None]:
    """While a request waits for a back end's answer, its worker answers, and does nothing else."""
    if operation != "share_servers.action.migration_check":
        yield
        return
    backend = Backend("gamma", rows.SERVER_HOST, DummyDriver(BackendOptions("gamma", "GAMMA")))
    only = {name: one for name, one in operations().items() if one.job is ServerMigrateCheck}
    runner, stop = Runner(core, only, {backend.host: backend}, poll=0.05), asyncio.Event()
    running = asyncio.create_task(runner.run(stop))
    yield
    stop.set()
    runner.wake()
    await running


@pytest.mark.parametrize("half", ["reads", "writes"])
async def test_who_may_do_what(db: Database, half: str) -> None:
    table, rules = golden(), enforced()
    who = {"project_id": TENANT_A, "user_id": ALICE}
    async with db.write() as conn:
        shared = await rows.common(conn)
        await rows.usage(conn, who)
        ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
    core = rows.core(db)
    ask = asker(core)
    wrong: list[str] = []
    asked, succeeded = set(), set()
    last: dict[str, str] = {}
    for one in requests.operations(all_versions=False):
        if (one.route.method == "GET") != (half == "reads"):
            continue
        operation = one.route.operation
        asked.add(operation)
        for persona in WEAKEST_FIRST:
            path, body = one.filled(ids, [ids[kind] for kind in one.kinds])
            headers = requests.headers(one.route)
            version = f"2.{one.version}"
            async with answering(core, operation):
                got = await ask(persona, one.route.method, path, body, version, headers=headers)
            text = got.content.decode()
            listed = EXCEPTIONS.get(operation, {})
            wanted = listed.get(persona) or listed.get("everybody")
            wanted = wanted or expected(operation, persona, table, rules[operation])
            if not judge(wanted, got.status, text, one.kinds):
                wrong.append(f"{one} as {persona}: {got.status} {text[:150]}, but {wanted}")
            if got.status < 300 and wanted == "allowed":
                succeeded.add(operation)
                if one.route.method != "GET" and USES_UP.search(f"{operation} "):
                    async with db.write() as conn:
                        ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
            last[operation] = f"{got.status} {text[:120]}"
        nobody = await ask(new_id(), one.route.method, path, body, version, headers=headers)
        if nobody.status != 401:
            wrong.append(f"{one} without a token: {nobody.status}")
    print(f"{half}: {len(asked)} operations as 7 personas, {len(succeeded)} succeed for somebody")
    never = asked - succeeded
    differing = never ^ (NEVER_SUCCEED.keys() & asked)
    assert not differing, [f"{name}: {last[name]}" for name in sorted(differing)]
    assert not wrong, f"{len(wrong)} answers\n" + "\n".join(wrong)


def test_every_rule_that_an_operation_enforces_is_in_the_golden_table() -> None:
    table = golden()
    assert len(table) == 230
    used = {rule for rules in enforced().values() for rule in rules}
    assert used <= table.keys()


def test_the_dispatch_table_enforces_the_rules_of_the_contract() -> None:
    decorated: dict[str, set[str]] = {}
    for one in json.loads(SPEC.read_text())["operations"]:
        decorated[one["operation_id"]] = {p["rule"] for p in one["policies"] if p["source"] == "handler-decorator"}
    for route in ROUTES:
        assert set(route.rules) <= decorated[route.operation], route.operation


def test_every_operation_of_the_contract_is_asked() -> None:
    known = {one["operation_id"] for one in json.loads(SPEC.read_text())["operations"]}
    asked = {one.route.operation for one in requests.operations(all_versions=False)}
    assert len(known) == 258
    assert asked == known - {"versions.list"}, "the versions are for everybody, without a token: see the next test"


async def test_the_versions_are_for_everybody(db: Database) -> None:
    ask = asker(core_over(db))
    for persona in (*WEAKEST_FIRST, new_id()):
        assert (await ask(persona, "GET", "/")).status == 300
