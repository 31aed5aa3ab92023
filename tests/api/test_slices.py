"""A long list written in slices has the bytes of one written at once."""

from __future__ import annotations

import datetime
import json
from typing import Any

import orjson
import pytest

from api.bodies import encode_slices
from db.turns import SLICE

ROW: dict[str, Any] = {"id": "a", "name": 'ü"\\\n', "size": 1.5, "none": None, "links": [{"href": "h"}], "empty": {}}


@pytest.mark.parametrize("number", [0, 1, SLICE, SLICE + 1, 2 * SLICE, 1000])
async def test_bytes_are_the_same(number: int) -> None:
    rows = [{**ROW, "id": str(one), "at": datetime.date(2026, 1, 1)} for one in range(number)]
    for body in ({"shares": rows}, {"a": 1, "shares": rows, "count": number}, {"x": rows, "y": [], "z": rows}, rows):
        assert await encode_slices(body) == orjson.dumps(body, default=str)


async def test_numbers_beyond_64_bits_are_written_too() -> None:
    rows = [{"size": 2**70}] * (SLICE + 1)
    assert json.loads(await encode_slices({"shares": rows})) == {"shares": rows}
