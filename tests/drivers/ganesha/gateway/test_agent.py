"""What the agent beside Ganesha does before Ganesha starts."""

from __future__ import annotations

import asyncio
import pathlib
import time

import pytest

from drivers.ganesha.gateway import files, places
from drivers.ganesha.gateway.agent import GatewayAgent
from drivers.ganesha.gateway.pod import Gateway


class Pod:
    """The agent of a gateway that served two shares, ``a`` and ``b``; ``mounted``: what is there."""

    def __init__(self, folder: pathlib.Path, seconds: int) -> None:
        said = {"GATEWAY_SERVER": "s1", "GATEWAY_POD": "the-pod", "GATEWAY_VOLUMES": str(seconds)}
        said |= {"GATEWAY_ADDRESSES": "10.0.0.50", "GATEWAY_INTERFACES": "net1"}
        for name in ("control", "answers", "shares", "state", "run", "devices"):
            (folder / name).mkdir()
            said[f"GATEWAY_{name.upper()}_FOLDER"] = str(folder / name)
        self.own = Gateway.described(said)
        self.own.make()
        for name in "ab":
            (self.own.state / "exports.d" / f"{name}.conf").write_text("EXPORT {}")
        self.agent = GatewayAgent(self.own)
        self.agent._orders.make()
        self.mounted: set[str] = set()

    async def gather(self, stop: asyncio.Event | None = None) -> float:
        """Seconds it took."""
        begin = time.monotonic()
        await asyncio.wait_for(self.agent._gather(stop or asyncio.Event()), 10)
        return time.monotonic() - begin


@pytest.fixture
def pod(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Pod:
    made = Pod(tmp_path, 60)
    monkeypatch.setattr(files, "mounted", lambda path: path.name in made.mounted)
    return made


async def test_ganesha_waits_for_all_volumes_that_it_served(pod: Pod) -> None:
    pod.mounted.add("a")
    waiting = asyncio.create_task(pod.gather())
    await asyncio.sleep(0.3)
    assert not pod.own.bound() and (pod.own.run / places.ALIVE).exists()
    pod.mounted.add("b")
    await waiting
    assert pod.own.bound()


async def test_one_volume_that_does_not_come_blocks_no_other(pod: Pod) -> None:
    object.__setattr__(pod.own, "volumes", 1)
    pod.mounted.add("a")
    assert await pod.gather() > 0.9
    assert pod.own.bound()


async def test_what_is_served_no_more_is_not_waited_for(pod: Pod) -> None:
    pod.mounted.add("a")
    pod.agent._orders.enlist("the-pod-before", ["a"])
    waiting = asyncio.create_task(pod.gather())
    await asyncio.sleep(0.3)
    assert not waiting.done(), "that list is of another pod"
    pod.agent._orders.enlist("the-pod", ["a"])
    await waiting


async def test_an_agent_that_starts_again_does_not_wait(pod: Pod) -> None:
    (pod.own.run / places.BOUND).touch()
    assert await pod.gather() < 1


async def test_an_agent_that_is_told_to_stop_does_so(pod: Pod) -> None:
    stop = asyncio.Event()
    stop.set()
    await pod.gather(stop)
    assert not pod.own.bound()
