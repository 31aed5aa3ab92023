"""What the agent beside Ganesha does before Ganesha starts."""

from __future__ import annotations

import asyncio
import errno
import os
import pathlib
import time

import pytest

from drivers.ganesha.gateway import files, places
from drivers.ganesha.gateway.agent import GatewayAgent
from drivers.ganesha.gateway.beneath import Refused
from drivers.ganesha.gateway.orders import Order
from drivers.ganesha.gateway.pod import Gateway
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException
from tests.drivers.ganesha.gateway.sick import Errors, Ganesha


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


@pytest.mark.parametrize("wanted", [True, False])
async def test_what_failed_is_answered_by_what_is_feared(
    pod: Pod, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    async def fails(*_: object) -> None:
        raise ShareBackendException(msg="nft ended with 1")

    pod.mounted.add("a")
    (pod.own.shares / "a").mkdir()
    for call in ("publish", "suspend"):
        monkeypatch.setattr(pod.agent._exports, call, fails)
    pod.agent._orders.give(Order("a", 7, exported=wanted, pod="the-pod"))
    await pod.agent._consider("a", anew=False)
    answer = pod.agent._orders.answer("a")
    assert answer is not None and (answer.generation, answer.exported) == (7, not wanted)
    assert "nft ended with 1" in answer.message
    # it is tried again at the next look
    assert "a" not in pod.agent._stamps


async def test_a_filter_that_cannot_be_loaded_is_vouched_for_no_more(pod: Pod, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(_: str) -> None:
        raise ShareBackendException(msg="nft ended with 1")

    monkeypatch.setattr("drivers.ganesha.gateway.agent.VOUCH", 0.01)
    pod.agent._admitted = set()
    begin = time.time()
    vouching = asyncio.create_task(pod.agent._vouch())
    await asyncio.sleep(0.1)
    assert pod.own.closed(begin - 1)
    monkeypatch.setattr(pod.agent._exports, "refilter", fails)
    await pod.agent._refilter()
    await asyncio.sleep(0.05)
    later = time.time() + 0.05
    await asyncio.sleep(0.2)
    assert not pod.own.closed(later)
    vouching.cancel()


async def test_its_own_garbage_stops_it_not(pod: Pod) -> None:
    (pod.own.answers / "a.json").write_text("{")
    with pytest.raises(Refused):
        pod.agent._orders.answer("a")
    pod.agent._orders.give(Order("a", 7, exported=False, pod="the-pod"))
    await pod.agent._consider("a", anew=False)
    answer = pod.agent._orders.answer("a")
    assert answer is not None and answer.generation == 7


async def test_a_state_that_answers_with_errors_keeps_nobody_in(pod: Pod, monkeypatch: pytest.MonkeyPatch) -> None:
    """The complaint is the answer, and once the state is well the same order is followed."""
    one, two = Client("10.0.0.1/32", "RW"), Client("10.0.0.2/32", "RW")
    ganesha = Ganesha()
    monkeypatch.setattr("drivers.ganesha.gateway.exports.Control", ganesha.control)
    loaded: list[str] = []

    async def load(_: object, rules: str, limit: float) -> None:
        loaded.append(rules)

    monkeypatch.setattr("drivers.ganesha.gateway.agent.firewall.load", load)
    pod.mounted.add("a")
    (pod.own.shares / "a").mkdir()

    async def follow(generation: int, *clients: Client) -> str:
        order = Order("a", generation, exported=True, pod="the-pod", clients=clients, root=(0, 0, 0o755), prepared=True)
        pod.agent._orders.give(order)
        pod.agent._identify(["a"])
        await pod.agent._consider("a", anew=False)
        answer = pod.agent._orders.answer("a")
        assert answer is not None and answer.generation == generation and answer.exported == (not answer.message)
        return answer.message

    assert await follow(1, one, two) == ""
    identities = (pod.own.run / places.IDENTITIES).read_text()
    broken = Errors(pod.own.state, errno.EIO)
    try:
        assert "Input/output error" in await follow(2, two)
        (shown,) = ganesha.told.values()
        assert "10.0.0.1" not in shown and "10.0.0.2" in shown
        assert "10.0.0.1" not in loaded[-1] and "10.0.0.2" in loaded[-1]
        await pod.agent._refilter()
        await pod.agent._drop("a")
        assert ganesha.told == {} and "10.0.0.2" not in loaded[-1]
        assert pod.agent._orders.answer("a") is not None, "it is not done yet"
        assert (pod.own.run / places.IDENTITIES).read_text() == identities
    finally:
        broken.heal()
    assert await follow(2, two) == ""
    (shown,) = ganesha.told.values()
    assert "10.0.0.1" not in shown and "10.0.0.2" in shown and "10.0.0.2" in loaded[-1]


async def test_a_volume_that_answers_with_errors_stops_no_other_order(
    pod: Pod, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: object) -> object:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    monkeypatch.setattr("drivers.ganesha.gateway.agent.os.statvfs", fails)
    pod.mounted.add("a")
    (pod.own.shares / "a").mkdir()
    pod.agent._orders.give(Order("a", 7, exported=False, pod="the-pod"))
    await pod.agent._consider("a", anew=False)
    answer = pod.agent._orders.answer("a")
    assert answer is not None and (answer.generation, answer.mounted) == (7, True)
    assert "Input/output error" in answer.message


def test_a_state_that_cannot_be_written_is_no_reason_not_to_start(pod: Pod, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: pathlib.Path, mode: int) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))

    monkeypatch.setattr(pathlib.Path, "chmod", fails)
    pod.own.make()


def test_what_is_mounted_and_answers_with_errors_is_mounted(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = pathlib.Path.stat

    def fails(self: pathlib.Path, **how: bool) -> os.stat_result:
        if self.name in sick:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(self))
        return stat(self, **how)

    monkeypatch.setattr(pathlib.Path, "stat", fails)
    sick = {"share"}
    assert files.mounted(tmp_path / "share") and not files.mounted(tmp_path / "other")
    sick.add(tmp_path.name)
    with pytest.raises(OSError, match="Input/output"):
        files.mounted(tmp_path / "share")
