"""Values that the database cannot take are the sender's mistake, not the service's."""

from __future__ import annotations

import pytest

from api.faults import of_exception
from db.connection import Database, UnusableValue


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT 1 AS one WHERE 'x' = %s", "a\0b"),
        ("SELECT %s::int AS one", 2**40),
        ("SELECT %s::timestamp AS one", "no time"),
    ],
)
async def test_a_value_the_database_refuses_is_400(db: Database, sql: str, value: object) -> None:
    async with db.read() as conn:
        with pytest.raises(UnusableValue) as raised:
            await conn.one(sql, (value,))
        assert await conn.one("SELECT 1 AS one") == {"one": 1}
    assert of_exception(raised.value).status == 400
