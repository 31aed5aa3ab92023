"""Input that only random sequences send: paths beyond ASCII, bodies that are no object."""

from __future__ import annotations

from typing import Any

import pytest

from generated.runtime import Fault, Reply
from handlers.call import Call
from services.core import Core
from services.values import kept_text
from tests.api.client import Client
from tests.api.test_faults import app_with


async def test_a_letter_beyond_ascii_in_a_path_is_that_letter(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    async def handler(call: Call) -> Reply:
        seen.append(call.path["id"])
        return Reply({})

    await Client(app_with(core, monkeypatch, handler))("GET", "/v2/shares/%C3%A9")
    assert seen == ["é"]


@pytest.mark.parametrize(("body", "status"), [(1.5, 400), (True, 400), (0, 422), ("x", 422), ([], 422)])
async def test_only_a_number_has_no_keys(core: Core, monkeypatch: pytest.MonkeyPatch, body: Any, status: int) -> None:
    async def handler(call: Call) -> Reply:
        if not call.has("snapshot"):
            raise Fault(422)
        return Reply({})

    answer = await Client(app_with(core, monkeypatch, handler))("POST", "/v2/snapshots", body)
    assert answer.status == status


def test_a_number_in_place_of_a_text_is_kept_as_the_database_writes_it() -> None:
    assert [kept_text(value) for value in (1.5, 0, True, False, "x", None)] == ["1.5", "0", "true", "false", "x", None]
