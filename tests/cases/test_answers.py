"""Requests whose answer by the original is a defect, and the answers owed instead (``answers.yaml``)."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest
import yaml

from db.connection import Database
from tests.contract import rows
from tests.handlers.catalogue import ALICE, TENANT_A, TENANT_B, Ask, asker, core_over

BOB = "c0000000000000000000000000000001"
ROWS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (pathlib.Path(__file__).resolve().parent / "answers.yaml").read_text()
)
PLACEHOLDER = re.compile(r"\$\{([ab])\.(\w+)\}")
KEYS = {"as", "do", "version", "body", "raw", "headers", "status", "text", "never"}


async def taken(db: Database) -> list[tuple[Any, ...]]:
    """The usage of every project, reservations, and how much work waits."""
    async with db.read() as conn:
        usage = await conn.all(
            "SELECT project_id, user_id, share_type_id, resource, in_use, reserved FROM quota_usages"
            " WHERE in_use <> 0 OR reserved <> 0 ORDER BY id"
        )
        rest = await conn.all("SELECT (SELECT count(*) FROM openkeel_tasks), (SELECT count(*) FROM reservations) AS r")
    return [tuple(row.values()) for row in [*usage, *rest]]


async def judge(db: Database, ask: Ask, request: dict[str, Any], ids: dict[str, dict[str, str]]) -> str | None:
    """Send one request; what is wrong with its answer."""
    assert request.keys() <= KEYS, request

    def fill(text: str) -> str:
        return PLACEHOLDER.sub(lambda match: ids[match[1]][match[2]], text)

    method, path = fill(request["do"]).split(" ", 1)
    raw = request["raw"].encode() if "raw" in request else None
    body = json.loads(fill(json.dumps(request["body"]))) if "body" in request else None
    headers = {"X-OpenStack-Manila-API-Experimental": "true", **request.get("headers", {})}
    version = str(request.get("version", "2.99"))
    path = path.replace(" ", "%20")
    before = await taken(db)
    answer = await ask(request.get("as", "member-a"), method, path, body, version, raw=raw, headers=headers)
    text = answer.content.decode()
    problem = None
    if answer.status >= 400 and await taken(db) != before:
        problem = "is refused, but takes quota or leaves work"
    elif answer.status == 501:
        problem = "is not there: every operation of the contract is"
    elif not re.fullmatch(str(request["status"]), str(answer.status)):
        problem = f"not {request['status']}"
    elif "text" in request and not re.search(fill(request["text"]), text):
        problem = f"does not show {request['text']}"
    elif "never" in request and re.search(fill(request["never"]), text):
        problem = f"shows {request['never']}"
    return problem and f"{request.get('as', 'member-a')} {method} {path}: {answer.status} {text[:200]}: {problem}"


@pytest.mark.parametrize("part", range(4))
async def test_answers(db: Database, part: int) -> None:
    ids = {}
    async with db.write() as conn:
        shared = await rows.common(conn)
        for name, project, user in (("a", TENANT_A, ALICE), ("b", TENANT_B, BOB)):
            await rows.usage(conn, {"project_id": project, "user_id": user})
            ids[name] = await rows.tenant(conn, shared, project, user)
    ask = asker(core_over(db, default_share_group_type="default_group", enabled_share_protocols=("NFS", "CIFS")))
    wrong = []
    for row in sorted(ROWS)[part::4]:
        for request in ROWS[row]:
            problem = await judge(db, ask, request, ids)
            wrong += [f"{row}: {problem}"] if problem else []
    assert not wrong, "\n" + "\n".join(wrong)
