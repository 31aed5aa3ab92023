"""Quota usage: never over a limit, never left behind, whatever runs at once."""

from __future__ import annotations

import asyncio

import pytest

from db import quotas
from db.connection import Database
from db.quotas import Limits, OverQuota

P, U, V, T = "project", "user-1", "user-2", "type-1"


async def _take(db: Database, user: str = U, limits: Limits | None = None, **deltas: int) -> None:
    async with db.write() as conn:
        await quotas.reserve(conn, P, user, deltas, limits, T)


def limits(project: int = -1, user: int = -1, share_type: int = -1) -> Limits:
    return Limits({"shares": project}, {"shares": user}, {"shares": share_type})


async def _usage(db: Database, **level: str) -> dict[str, dict[str, int]]:
    async with db.read() as conn:
        return await quotas.usage(conn, P, **level)


async def test_usage_is_counted_per_project_user_and_type(db: Database) -> None:
    await _take(db, U, shares=1, gigabytes=3)
    await _take(db, V, shares=1, gigabytes=2)
    assert await _usage(db) == {
        "shares": {"in_use": 2, "reserved": 0},
        "gigabytes": {"in_use": 5, "reserved": 0},
    }
    assert (await _usage(db, user_id=V))["gigabytes"]["in_use"] == 2
    assert (await _usage(db, share_type_id=T))["gigabytes"]["in_use"] == 5


@pytest.mark.parametrize(
    ("limit", "level"),
    [(limits(project=2), "project"), (limits(user=1), "user"), (limits(share_type=2), "share_type")],
)
async def test_each_level_refuses_and_takes_nothing(db: Database, limit: Limits, level: str) -> None:
    await _take(db, U, shares=1)
    await _take(db, V, shares=1)
    with pytest.raises(OverQuota) as caught:
        await _take(db, U, limit, shares=1)
    assert caught.value.overs == ["shares"]
    assert caught.value.level == level
    assert (await _usage(db))["shares"]["in_use"] == 2


async def test_what_project_and_user_refuse_is_told_together_with_the_limits_of_the_user(db: Database) -> None:
    await _take(db, U, shares=1, gigabytes=2)
    limit = Limits({"shares": 1, "gigabytes": 50}, {"shares": 11, "gigabytes": 2}, {"shares": 0, "gigabytes": 0})
    with pytest.raises(OverQuota) as caught:
        await _take(db, U, limit, shares=1, gigabytes=1)
    assert (caught.value.overs, caught.value.quotas) == (["gigabytes", "shares"], {"shares": 11, "gigabytes": 2})
    assert caught.value.level == "project"


async def test_giving_back_is_never_refused_and_stops_at_zero(db: Database) -> None:
    await _take(db, U, shares=1)
    await _take(db, U, limits(project=0), shares=-1)
    await _take(db, U, limits(project=0), shares=-1)
    assert (await _usage(db))["shares"]["in_use"] == 0


async def test_a_rolled_back_transaction_takes_nothing(db: Database) -> None:
    with pytest.raises(RuntimeError):
        async with db.write() as conn:
            await quotas.reserve(conn, P, U, {"shares": 1}, None, T)
            raise RuntimeError
    assert await _usage(db) == {}


async def test_a_race_grants_exactly_the_limit(db: Database) -> None:
    granted = 0

    async def one(number: int) -> None:
        nonlocal granted
        try:
            await _take(db, U if number % 2 else V, limits(project=20), shares=1)
            granted += 1
        except OverQuota:
            pass

    await asyncio.gather(*(one(number) for number in range(60)))
    assert granted == 20
    assert (await _usage(db))["shares"] == {"in_use": 20, "reserved": 0}
