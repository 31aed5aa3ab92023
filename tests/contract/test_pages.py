"""Every list answers ``limit``, ``offset`` and ``marker`` as the original was seen to: see ``pages.yaml``."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest
import yaml

from db.connection import Database
from tests.contract import requests, rows
from tests.contract.test_lists import CHILDREN, RULES, lists, multiply
from tests.handlers.catalogue import ALICE, TENANT_A, Ask, asker

TABLE = yaml.safe_load((pathlib.Path(__file__).parent / "pages.yaml").read_text())
ANSWERS: dict[str, dict[str, str]] = {
    name: {query: answer for answer, queries in group["answers"].items() for query in queries}
    for group in TABLE
    for name in group["lists"]
}
"""Operation -> query -> answer."""
SLICE = re.compile(r"\[(\d+):(\d*)\]")


def items(body: Any) -> list[str]:
    """What is in a list's answer, comparable."""
    found = next(value for key, value in body.items() if isinstance(value, (list, dict)) and not key.endswith("_links"))
    return [json.dumps(one, sort_keys=True) for one in found] if isinstance(found, list) else sorted(found)


def mark(body: Any) -> str:
    """The id of the second item."""
    found = next((value for key, value in body.items() if isinstance(value, list) and not key.endswith("_links")), [])
    second = found[1] if len(found) > 1 else None
    return str(second.get("id", "unknown")) if isinstance(second, dict) else "unknown"


def owed(answer: str, whole: list[str]) -> list[str] | str:
    """The items, or the refusal, that an answer of the table stands for."""
    here = answer.rpartition(" => ")[2]
    if here in ("all", "none"):
        return whole if here == "all" else []
    if part := SLICE.fullmatch(here):
        return whole[int(part[1]) : int(part[2]) if part[2] else None]
    return here


def test_every_list_is_in_the_table() -> None:
    assert {one.route.operation for one in lists()} == set(ANSWERS)
    assert not [answer for answers in ANSWERS.values() for answer in answers.values() if "500" in answer[-4:]]


async def filled(db: Database) -> dict[str, str]:
    """Some of everything, and many of what has parts; the ids of one."""
    async with db.write() as conn:
        shared = await rows.common(conn)
        for _ in range(4):
            ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
        for table, condition, kind in CHILDREN:
            await multiply(conn, table, condition, ids[kind])
        await conn.run(RULES, (ids["instance"], ids["share"]))
    return ids


async def compare(ask: Ask, one: requests.Request, ids: dict[str, str]) -> list[str]:
    """What a list answers otherwise than the table says."""
    path, _ = one.filled(ids, [ids[kind] for kind in one.kinds])
    operation, version, headers = one.route.operation, f"2.{one.version}", requests.headers(one.route)
    path += "&" if "?" in path else "?"
    for who in ("member-a", "admin"):
        answer = await ask(who, "GET", path, version=version, headers=headers)
        if answer.status != 403:
            break
    assert answer.status == 200, f"{one}: {answer.content!r}"
    whole, second, wrong = items(answer.json), mark(answer.json), []
    for query, text in ANSWERS[operation].items():
        if "MARK" in query and second == "unknown":
            continue
        answer = await ask(who, "GET", path + query.replace("MARK", second), version=version, headers=headers)
        if answer.status == 200:
            got: Any = items(answer.json)
        else:
            got = f"{answer.status} {next(iter(answer.json.values()))['message']}"
        if got != (want := owed(text, whole)):
            seen = got if isinstance(got, str) else [whole.index(item) if item in whole else -1 for item in got]
            wrong.append(f"{operation} ?{query}: {seen} instead of {text if isinstance(want, list) else want}")
    return wrong


@pytest.mark.parametrize("half", [0, 1])
async def test_lists_take_limit_offset_and_marker_as_the_original(db: Database, half: int) -> None:
    ids = await filled(db)
    ask = asker(rows.core(db))
    wrong = [line for one in lists()[half::2] for line in await compare(ask, one, {"qos_type": "none", **ids})]
    assert not wrong, "\n".join(wrong)
