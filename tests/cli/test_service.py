"""How many connections a process may open."""

from __future__ import annotations

from typing import Any

import pytest

from cli.service import API_CONNECTIONS, pool_size
from deploy.bootstrap import ROOT
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


def test_the_page_says_the_figures_of_the_defaults() -> None:
    """A worker has one connection more, which it listens on."""
    lines = (ROOT / "docs" / "operations.md").read_text().splitlines()
    said = {line.split("`")[1]: line for line in lines if line.startswith("| `manila-") and "connection" not in line}
    assert f"| {pool_size(settings(1, 16), ['api'])} |" in said["manila-api"]
    assert f"| {pool_size(settings(1, 16), ['scheduler']) + 1}:" in said["manila-scheduler"]
    shares = [pool_size(settings(number, 16), ["share"]) + 1 for number in (1, 2, 3)]
    assert "{}, {}, {} with one, two, three".format(*shares) in said["manila-share"]


def test_the_operators_limits_hold() -> None:
    assert pool_size(settings(3, 16, max_pool_size=5, max_overflow=3), ("share",)) == 8
    assert pool_size(settings(3, 16, max_pool_size=1, max_overflow=0), ("share",)) == 2
    assert pool_size(settings(10, 16, max_pool_size=5, max_overflow=-1), ("share",)) == 182
