"""How the demonstration takes down what it has made, whatever its user has done with it meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from deploy.embedded import demo

ALL = [
    f"{cloud} {command}"
    for cloud in ("tenant-a", "tenant-b")
    for command in ("share delete docs --wait", "share network delete net")
]


class Heard(demo.Show):
    """Notes commands; those in ``failing`` fail."""

    def __init__(self, *failing: str) -> None:
        self.failing, self.asked = failing, list[str]()

    async def openstack(self, cloud: str, command: str) -> Any:
        self.asked.append(f"{cloud} {command}")
        if self.asked[-1] in self.failing:
            raise demo.Failed("exit status 1: No share found\n1 of 1 shares failed to delete.")


@pytest.mark.parametrize("gone", ALL)
async def test_what_its_user_has_removed_holds_nothing_up(gone: str, capsys: pytest.CaptureFixture[str]) -> None:
    show = Heard(gone)
    await demo.clean(show, anyway=True)
    assert show.asked == ALL
    assert "1 of 1 shares failed to delete." in capsys.readouterr().out


async def test_by_itself_nothing_may_be_missing() -> None:
    show = Heard(ALL[1])
    with pytest.raises(demo.Failed):
        await demo.clean(show)
    assert show.asked == ALL[:2]
