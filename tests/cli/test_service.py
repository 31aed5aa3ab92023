"""How many connections a process may open."""

from __future__ import annotations

from typing import Any

import pytest

from cli.service import API_CONNECTIONS, pool_size
from generated.settings import DatabaseSection, DefaultSection, OpenkeelSection, Settings


def settings(backends: int, tasks: int, **database: Any) -> Settings:
    names = tuple(f"b{number}" for number in range(backends))
    return Settings(
        default=DefaultSection(enabled_share_backends=names),
        openkeel=OpenkeelSection(task_concurrency=tasks),
        database=DatabaseSection(**database),
    )


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (("api",), 2 + API_CONNECTIONS),
        (("scheduler",), 2 + 6),
        (("share",), 2 + 3 * 6),
        (("api", "scheduler", "share", "data"), 2 + API_CONNECTIONS + 6 + 18 + 6),
    ],
)
def test_a_pool_fits_the_tasks_of_each_back_end(roles: tuple[str, ...], expected: int) -> None:
    assert pool_size(settings(3, 4), roles) == expected


def test_the_operators_limits_hold() -> None:
    assert pool_size(settings(3, 16, max_pool_size=5, max_overflow=3), ("share",)) == 8
    assert pool_size(settings(3, 16, max_pool_size=1, max_overflow=0), ("share",)) == 2
    assert pool_size(settings(10, 16, max_pool_size=5, max_overflow=-1), ("share",)) == 182
