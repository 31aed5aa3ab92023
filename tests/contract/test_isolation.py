"""A request about another tenant's thing is answered exactly as one about a thing that does not exist."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from db.connection import Conn, Database
from db.write import new_id
from generated.columns import COLUMNS
from generated.routes import ROUTES
from tests.api.client import Answered
from tests.contract import filters, requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, TENANT_B, Ask, asker, core_over

BOB = "c0000000000000000000000000000001"
EXCEPTIONS: dict[str, Any] = yaml.safe_load((requests.HERE / "exceptions.yaml").read_text())
REQUEST_ID = re.compile(r"req-[0-9a-f-]{36}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OF_TENANT = [table for table in COLUMNS if table not in ("services", "quota_usages")]


@dataclass(slots=True)
class Stage:
    """Tenants A and B with one of everything each; ``ask`` asks."""

    db: Database
    ask: Ask
    theirs: dict[str, str]
    own: dict[str, str]


STATUS_COLUMNS = ("status", "state", "access_rules_status", "replica_state", "task_state", "aggregate_status")
MADE_AS: dict[str, tuple[str, ...]] = {
    "as they are": (),
    "locked": (
        """INSERT INTO resource_locks (id, user_id, project_id, resource_id, resource_action, resource_type,
                                       lock_context, lock_reason, deleted, created_at)
           SELECT gen_random_uuid(), user_id, project_id, id, action, kind, context, 'kept', 'False', now()
           FROM (SELECT id, 'share' AS kind FROM shares UNION SELECT id, 'access_rule' FROM share_access_map) AS things,
                (SELECT project_id, user_id FROM shares LIMIT 1) AS owner,
                (VALUES ('delete', 'user'), ('delete', 'admin'), ('show', 'admin'), ('show', 'user'))
                    AS locks (action, context)
           WHERE kind = 'access_rule' OR action = 'delete'""",
    ),
    "in error": tuple(
        f"UPDATE {table} SET {column} = 'error'"
        for table, columns in COLUMNS.items()
        for column in STATUS_COLUMNS
        if column in columns and table not in ("services", "quota_usages")
    ),
    "being deleted": tuple(
        f"UPDATE {table} SET status = 'deleting'"
        for table, columns in COLUMNS.items()
        if "status" in columns and table not in ("services", "quota_usages")
    ),
    "in the recycle bin": ("UPDATE shares SET is_soft_deleted = true, scheduled_to_be_deleted_at = now()",),
}
"""How another tenant's things are -> the statements that make them so before the requester has any."""


async def stage(db: Database, *, public: bool = False, made_as: str = "as they are") -> Stage:
    async with db.write() as conn:
        shared = await rows.common(conn)
        theirs = await rows.tenant(conn, shared, TENANT_A, ALICE, public=public)
        for statement in MADE_AS[made_as]:
            await conn.run(statement)
        own = await rows.tenant(conn, shared, TENANT_B, BOB)
        for project, user in ((TENANT_A, ALICE), (TENANT_B, BOB)):
            await rows.usage(conn, {"project_id": project, "user_id": user})
    core = core_over(
        db, default_share_group_type="default_group", enabled_share_protocols=("NFS", "CIFS"), service_down_time=86400
    )
    return Stage(db, asker(core), theirs, own)


async def contents(conn: Conn) -> set[str]:
    """Every row of every table that tenants' things are in, as text."""
    found: set[str] = set()
    for table in OF_TENANT:
        found |= {f"{table} {row['text']}" for row in await conn.all(f"SELECT t::text AS text FROM {table} AS t")}
    return found


async def counted(conn: Conn) -> set[str]:
    """What is counted of whom, reserved or in use."""
    every = await conn.all("SELECT t::text AS text FROM quota_usages AS t WHERE in_use <> 0 OR reserved <> 0")
    return {row["text"] for row in every}


def told(answer: Answered, named: list[str]) -> tuple[int, dict[str, str], str]:
    """Status, headers and body, with the ids that the request named (or that were made) as placeholders."""
    text = answer.content.decode()
    for number, ident in enumerate(named):
        text = text.replace(ident, f"<{number}>")
    text = TIME.sub("<time>", UUID.sub("<id>", text))
    kept = {key: REQUEST_ID.sub("<req>", value) for key, value in answer.headers.items() if key != "content-length"}
    return answer.status, kept, text


def brief(one: tuple[int, dict[str, str], str]) -> str:
    return f"{one[0]} {one[2][:160]}"


async def send(stage: Stage, one: requests.Request, others: list[str], who: str = "member-b") -> Answered:
    path, body = one.filled(stage.own, others)
    return await stage.ask(who, one.route.method, path, body, f"2.{one.version}", headers=requests.headers(one.route))


@pytest.mark.parametrize("made_as", MADE_AS)
async def test_another_tenants_thing_is_as_one_that_is_not_there(db: Database, made_as: str) -> None:
    stage_ = await stage(db, made_as=made_as)
    async with db.read() as conn:
        before, usage = await contents(conn), await counted(conn)
    wrong: list[str] = []
    compared: set[str] = set()
    for one in requests.operations():
        kinds = one.kinds if one.route.operation not in EXCEPTIONS["isolation"] else []
        for first in range(len(kinds)):
            own = [stage_.own[kind] for kind in kinds[:first]]
            foreign = own + [stage_.theirs[kind] for kind in kinds[first:]]
            unknown = own + [
                new_id() if kind not in ("project", "user") else new_id().replace("-", "") for kind in kinds[first:]
            ]
            got = told(await send(stage_, one, foreign), foreign)
            expected = told(await send(stage_, one, unknown), unknown)
            compared.add(one.route.operation)
            if got != expected or got[0] >= 500:
                wrong.append(f"{one} from {kinds[first]}\n     foreign: {brief(got)}\n     unknown: {brief(expected)}")
    async with db.read() as conn:
        gone = (before - await contents(conn)) | (usage ^ await counted(conn))
    print(f"{len(compared)} operations compared")
    assert not wrong, f"{len(wrong)} answers tell\n" + "\n".join(wrong)
    assert not gone, "\n".join(sorted(gone))
    assert len(compared) > 200


async def test_a_public_share_can_be_read_and_no_more(db: Database) -> None:
    stage_ = await stage(db, public=True)
    async with db.read() as conn:
        before, usage = await contents(conn), await counted(conn)
    wrong: list[str] = []
    of_shares = {
        "share",
        "plain_share",
        "replicated_share",
        "member",
        "rule",
        "location",
        "instance",
        "replica",
        "replica_location",
    }
    for one in requests.operations():
        kinds, needed = one.kinds, requests.NEEDED.get(one.route.operation, " ")
        if not of_shares & set(kinds) or ("?" in one.path and not one.path.endswith(needed)):
            continue
        foreign = [stage_.theirs[kind] for kind in kinds]
        answer = await send(stage_, one, foreign)
        readable = one.route.operation in EXCEPTIONS["public_reads"]
        fine = answer.status < 300 if readable else answer.status in (400, 403, 404)
        if not fine:
            wrong.append(f"{one}: {answer.status} {answer.content[:200].decode()}")
    async with db.read() as conn:
        gone = (before - await contents(conn)) | (usage ^ await counted(conn))
    assert not wrong, f"{len(wrong)} answers\n" + "\n".join(wrong)
    assert not gone, "\n".join(sorted(gone))


def test_every_operation_with_a_body_has_one_here() -> None:
    known = {route.operation for route in ROUTES}
    assert not (requests.BODIES.keys() | requests.QUERIES.keys()) - known
    lacking = {route.operation for route in ROUTES if route.body and route.operation not in requests.BODIES}
    assert not lacking, sorted(lacking)


def test_every_id_that_a_query_takes_is_asked_with_another_tenants_thing() -> None:
    named = {name for names in filters.DECLARED.values() for name in names if name.endswith("_id")}
    assert named <= filters.FILTERS.keys() | filters.OF_NOBODY, sorted(named - filters.FILTERS.keys())


def test_every_id_that_a_body_takes_is_asked_with_another_tenants_thing() -> None:
    lacking = []
    for operation, names in filters.ids_in_bodies().items():
        text = json.dumps(requests.BODIES.get(operation))
        lacking += [f"{operation} {name}" for name in names if not re.search(rf'"{name}": "\$\{{(?!own\.)', text)]
    assert not lacking, sorted(lacking)


def test_every_exception_names_an_operation_and_a_reason() -> None:
    known = {route.operation for route in ROUTES}
    for operation, reason in EXCEPTIONS["isolation"].items():
        assert operation in known
        assert len(reason) > 20
    assert json.dumps(EXCEPTIONS["public_reads"]) and set(EXCEPTIONS["public_reads"]) <= known
