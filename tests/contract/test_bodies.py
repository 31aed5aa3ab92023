"""Bodies that are no JSON: every operation that takes a body says 400, as to plain text, and does nothing."""

from __future__ import annotations

import json

from db.connection import Database
from tests.cases.test_answers import taken
from tests.contract import requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, asker, core_over

BOUNDARY = "--x\r\nContent-Disposition: form-data; name=body\r\n\r\n%s\r\n--x--\r\n"
FOREIGN = {
    "multipart/form-data; boundary=x": BOUNDARY,
    "text/plain": "%s",
    "application/x-www-form-urlencoded": "body=%s",
    "application/xml": "<body>%s</body>",
}
"""Content type -> how the JSON that the operation takes is wrapped."""


async def test_what_is_no_json_is_refused_by_every_write(db: Database) -> None:
    async with db.write() as conn:
        shared = await rows.common(conn)
        await rows.usage(conn, {"project_id": TENANT_A, "user_id": ALICE})
        ids = await rows.tenant(conn, shared, TENANT_A, ALICE)
    ask = asker(core_over(db, default_share_group_type="default_group"))
    before, wrong, asked = await taken(db), [], set()
    for one in requests.operations():
        if one.body is None or one.route.method == "GET":
            continue
        path, body = one.filled(ids, [ids[kind] for kind in one.kinds])
        asked.add(one.route.operation)
        for kind, form in FOREIGN.items():
            headers = {**requests.headers(one.route), "Content-Type": kind}
            raw = (form % json.dumps(body)).encode()
            answer = await ask("admin", one.route.method, path, None, f"2.{one.version}", raw=raw, headers=headers)
            if answer.status != 400:
                wrong.append(f"{one} as {kind}: {answer.status} {answer.content[:120]!r}")
    assert await taken(db) == before
    assert not wrong, f"{len(wrong)} answers\n" + "\n".join(wrong)
    assert len(asked) >= 120, len(asked)
