"""A role that the operator invented may reset states; it reaches no project but its own."""

from __future__ import annotations

import pathlib
import re

from api.app import make_app
from api.tokens.static import StaticTokens
from db.connection import Database
from generated.policies import RULES
from generated.settings import DefaultSection, OsloPolicySection, Settings
from services.core import Core
from services.policy import Policy
from tests.api.client import Client
from tests.contract import requests, rows
from tests.contract.test_isolation import contents
from tests.handlers.catalogue import ALICE, TENANT_A, TENANT_B, TOKENS

BOB = "c0000000000000000000000000000001"
RESETS = re.compile(r"reset_(status|task_state|replica_state)$")


def allowed() -> str:
    """A policy file that lets members reset everything that can be reset, and look at what that needs."""
    names = [one.name for one in RULES if "reset" in one.name]
    return "".join(f'"{name}": "role:member"\n' for name in names)


async def test_a_role_that_resets_states_reaches_no_other_project(db: Database, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(allowed())
    async with db.write() as conn:
        shared = await rows.common(conn)
        theirs = await rows.tenant(conn, shared, TENANT_A, ALICE)
        own = await rows.tenant(conn, shared, TENANT_B, BOB)
    settings = Settings(
        default=DefaultSection(default_share_type="default"), oslo_policy=OsloPolicySection(policy_file=str(file))
    )
    client = Client(make_app(Core(db, settings, Policy(settings)), StaticTokens.read(str(TOKENS))), "member-b-token")
    async with db.read() as conn:
        before = await contents(conn)
    wrong, asked = [], set()
    found = [one for one in requests.operations() if RESETS.search(one.route.operation)]
    for ids, project in ((theirs, "foreign"), (own, "own")):
        for one in found:
            path, body = one.filled(own, [ids[kind] for kind in one.kinds])
            version, headers = f"2.{one.version}", requests.headers(one.route)
            answer = await client(one.route.method, path, body, version=version, headers=headers)
            asked.add(one.route.operation)
            if answer.status != 202 if project == "own" else answer.status not in (400, 403, 404):
                wrong.append(f"{project}: {one}: {answer.status} {answer.content[:150]!r}")
        if project == "foreign":
            async with db.read() as conn:
                assert await contents(conn) == before
    assert not wrong, "\n".join(wrong)
    assert len(asked) >= 14, sorted(asked)
