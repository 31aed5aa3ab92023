"""Snapshots that clients mount, used sizes, and what keeps a gateway's process honest."""

from __future__ import annotations

import pathlib
import socket
import threading

import pytest

from drivers.ganesha.gateway import supervise
from drivers.ganesha.gateway.supervise import Pulse, set_aside
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.fakes import World
from tests.drivers.ganesha.test_driver import SHARE, server, world

__all__ = ["server", "world"]

SNAPSHOT: Row = {"id": "n1", "share_instance_id": "i1", "share": SHARE, "size": 2}
RULE: Row = {"id": "r1", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}


async def test_a_view_is_there_while_somebody_may_see_it(world: World, server: Row) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    update = await driver.create_snapshot(SNAPSHOT, server)
    assert update is not None
    assert [one["path"] for one in update["export_locations"]] == ["10.0.0.50:/n1"]
    world.done.clear()
    assert await driver.snapshot_update_access(SNAPSHOT, [RULE], [RULE], [], server) == {"r1": {"state": "active"}}
    assert [one for one in world.done if "n1" in one] == ["attach snapshot n1", "publish n1 [RO 10.0.0.5/32]"]
    export = world.exports["s1", "n1"]
    assert (export.read_only, export.squash) == (True, "No_Root_Squash")
    world.done.clear()
    await driver.snapshot_update_access(SNAPSHOT, [], [], [RULE], server)
    assert [one for one in world.done if "n1" in one] == ["withdraw n1", "detach snapshot n1"]
    await driver.delete_snapshot(SNAPSHOT, server)
    assert world.done[-1] == "delete snapshot n1"


async def test_a_rule_that_cannot_be_enforced_makes_no_view(world: World, server: Row) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    rule = RULE | {"access_type": "user"}
    results = await driver.snapshot_update_access(SNAPSHOT, [rule], [rule], [], server)
    assert results == {"r1": {"state": "error", "refused": "unsupported"}}
    assert "attach snapshot n1" not in world.done


async def test_views_come_back_with_the_gateway(world: World, server: Row) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    await driver.snapshot_update_access(SNAPSHOT, [RULE], [RULE], [], server)
    world.done.clear()
    await world.driver().do_setup()
    assert "attach snapshot n1" in world.done
    assert "publish n1 [RO 10.0.0.5/32]" in world.done
    assert "attach i1" in world.done


async def test_used_sizes(world: World, server: Row) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    (found,) = await driver.update_share_usage_size([SHARE, SHARE | {"id": "elsewhere"}])
    assert (found["id"], found["used_size"]) == ("i1", 0.25)


async def test_a_backup_is_swapped_in_once_it_is_there(world: World, server: Row) -> None:
    driver, backup = world.driver(), {"id": "b1"}
    await driver.create_share(SHARE, server)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], server)
    await driver.create_backup(SHARE, backup, server)
    assert [(await driver.create_backup_continue(SHARE, backup, server))["total_progress"] for _ in range(2)] == [
        "40", "100",
    ]  # fmt: skip
    await driver.restore_backup(backup, SHARE, server)
    world.done.clear()
    assert await driver.restore_backup_continue(backup, SHARE, server) == {"total_progress": "40"}
    assert world.done == []
    assert await driver.restore_backup_continue(backup, SHARE, server) == {"total_progress": "100"}
    assert [one for one in world.done if "i1" in one] == [
        "suspend i1", "detach i1", "swap i1", "attach i1", "extend i1 2", "publish i1 [RW 10.0.0.5/32]",
    ]  # fmt: skip
    await driver.delete_backup(backup, {}, None)
    assert world.done[-1] == "delete backup b1"


async def test_a_swap_that_fails_leaves_the_share_served(world: World, server: Row) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    world.broken = {"swap i1"}
    await driver.restore_backup_continue({"id": "b1"}, SHARE, server)
    with pytest.raises(ShareBackendException, match="swap i1 is broken"):
        await driver.restore_backup_continue({"id": "b1"}, SHARE, server)
    assert world.done[-1] == "publish i1 []"


# ---- the supervisor


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    """A listening port in Ganesha's place."""
    listening = socket.create_server(("127.0.0.1", 0))
    original = socket.socket.connect_ex
    address = listening.getsockname()
    monkeypatch.setattr(socket.socket, "connect_ex", lambda self, _: original(self, address))
    return listening


def test_an_answer_is_a_sign_of_life(port: socket.socket) -> None:
    asked = []

    def answer() -> None:
        line, _ = port.accept()
        asked.append(line.recv(256))
        line.sendall(b"\x80\x00\x00\x18" + b"x" * 24)
        line.close()

    thread = threading.Thread(target=answer)
    thread.start()
    pulse = Pulse(limit=3)
    while not asked:
        assert pulse.alive()
    thread.join()
    for _ in range(20):
        assert pulse.alive()
    pulse.hang_up()
    port.close()
    # record mark of the last fragment, a call of RPC 2 to program 100003 version 4 procedure 0
    assert asked[0].hex() == "80000028006f6b6d0000000000000002000186a3000000040000000000000000000000000000000000000000"


def test_silence_counts_only_when_asked(port: socket.socket) -> None:
    pulse = Pulse(limit=3)
    assert [pulse.alive() for _ in range(3)] == [True, True, False]
    pulse.hang_up()
    port.close()
    patient = Pulse(limit=0)
    assert all(patient.alive() for _ in range(10))


def test_a_port_that_nobody_listens_on_is_silence(port: socket.socket) -> None:
    port.close()
    pulse = Pulse(limit=2)
    assert [pulse.alive() for _ in range(2)] == [True, False]


@pytest.mark.parametrize("name", ["ganesha.log", "supervise.log"])
def test_long_logs_are_set_aside(tmp_path: pathlib.Path, name: str) -> None:
    log = tmp_path / name
    set_aside(log, 10)
    with log.open("a") as held:
        for turn in range(8):
            held.write(f"turn {turn}, long enough\n")
            held.flush()
            if name == "ganesha.log" and turn:
                log.write_text(f"turn {turn}, long enough\n")
            set_aside(log, 10)
    kept = sorted(one.name for one in tmp_path.iterdir() if one != log)
    assert kept == [f"{name}.{number}" for number in range(1, supervise._OLD_LOGS + 1)]
    assert (tmp_path / f"{name}.1").read_text() == "turn 7, long enough\n"
    assert (tmp_path / f"{name}.5").read_text() == "turn 3, long enough\n"
    if name == "supervise.log":
        assert log.read_text() == ""


def test_a_bus_is_asked_in_its_own_words(tmp_path: pathlib.Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "bus"))
    listening.listen()
    pulse = Pulse(limit=2, address=str(tmp_path / "bus"), question=supervise.GREETING)
    assert [pulse.alive() for _ in range(2)] == [True, False]
    line, _ = listening.accept()
    assert line.recv(256).startswith(b"\0AUTH EXTERNAL ")
    line.sendall(b"OK 1234\r\n")
    assert all(pulse.alive() for _ in range(3))
    for one in (line, listening):
        one.close()
    pulse.hang_up()
