"""The programs of a gateway's pod and the agent of its node, on a real Ganesha: what is said is what clients see."""

from __future__ import annotations

import asyncio
import copy
import functools
import os
import pathlib
import signal
import statistics
import subprocess
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway import files
from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import POD, SHARE_EXPORT
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client, NfsError
from tests.datapath.pod_lab import PodLab, eventually

pytestmark = pytest.mark.datapath


@pytest.fixture(scope="module")
async def pods() -> AsyncIterator[PodLab]:
    async with PodLab().working() as made:
        yield made


@pytest.fixture(scope="module")
async def gateway(pods: PodLab) -> dict[str, Any]:
    return await pods.server("a")


@pytest.fixture(scope="module")
async def client(pods: PodLab, gateway: Row) -> Client:
    return await pods.client("a", "10.0.0.5")


async def test_from_nothing_to_a_write(pods: PodLab, gateway: Row, client: Client) -> None:
    took = []
    for _ in range(3):
        begin = time.monotonic()
        share = await pods.share(gateway, 1, "rw 10.0.0.5")
        await client.mount(share["location"])
        await client("write", name="hello", text="world")
        took.append(time.monotonic() - begin)
        assert await client("read", name="hello") == "world"
        at = pods.root / "gateways" / gateway["id"] / "shares" / share["id"]
        assert (at / "hello").read_text() == "world" and at.stat().st_mode & 0o7777 == 0o777
        await pods.driver.delete_share(share, gateway)
        assert not at.exists() and (POD.plural, names.holder(share["id"])) not in pods.cluster.objects
        assert await eventually(functools.partial(_empty, pods.root / "gateways" / gateway["id"] / "control/desired"))
    print("next share to first write, s:", [round(one, 3) for one in took])


async def test_a_rule_is_active_when_it_is_enforced(pods: PodLab, gateway: Row, client: Client) -> None:
    share, other = await pods.share(gateway, 1, "rw 10.0.0.5"), await pods.share(gateway, 1, "ro 10.0.0.0/24")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    await client("open", name="f", mode="r+b")
    took = []
    for number in range(5):
        begin = time.monotonic()
        await pods.allow(share, "ro 10.0.0.5", f"ro 10.0.1.{number}")
        took.append(time.monotonic() - begin)
        assert await client.outcome("write_at", name="f", offset=0, text="X") == "NFS4ERR_ROFS"
        await pods.allow(share, "rw 10.0.0.5")
        assert await client("write_at", name="f", offset=0, text="X") == 1
    # another share of the gateway still admits the client, so the line stands and the answer is Ganesha's
    await pods.allow(share)
    assert await client.outcome("write_at", name="f", offset=0, text="X") == "NFS4ERR_ACCESS"
    print("rule to enforced, s:", [round(one, 3) for one in took])
    assert statistics.median(took) < 5
    for one in (share, other):
        await pods.driver.delete_share(one, gateway)


async def test_who_is_admitted_nowhere_is_cut_off(pods: PodLab, gateway: Row, client: Client) -> None:
    share = await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    await client("open", name="f", mode="r+b")
    await pods.allow(share, "rw 10.0.0.77")
    before = _packets(pods, gateway)
    assert await client.outcome("write_at", name="f", offset=0, text="X") != "ok"
    assert before == _packets(pods, gateway), "Ganesha still has the line"
    with pytest.raises(Exception, match=r"Connection|refused|reset"):
        await client.mount(share["location"])
    await pods.allow(share, "rw 10.0.0.5")
    await client.mount(share["location"])
    assert await client("read", name="f") == "abc"
    await pods.driver.delete_share(share, gateway)


async def test_a_state_that_became_read_only_keeps_nobody_in(pods: PodLab, gateway: Row, client: Client) -> None:
    share = await pods.share(gateway, 1, "rw 10.0.0.5", "rw 10.0.0.6")
    # it keeps the client's line, so that the answer is Ganesha's
    other = await pods.share(gateway, 1, "ro 10.0.0.0/24")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    await client("open", name="f", mode="r+b")
    state = str(pods.root / f"state-{gateway['id']}")
    subprocess.run(["mount", "--bind", state, state], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", state], check=True)
        with pytest.raises(ShareBackendException, match="Read-only file system"):
            await pods.allow(share, "rw 10.0.0.6")
        assert await client.outcome("write_at", name="f", offset=0, text="X") == "NFS4ERR_ACCESS"
        assert "Read-only file system" in _export(pods, share)["status"]["message"]
    finally:
        subprocess.run(["umount", "-l", state], check=True)
    assert await eventually(lambda: _export(pods, share)["status"]["message"] == "")
    assert _export(pods, share)["status"]["exported"]
    assert await client.outcome("write_at", name="f", offset=0, text="X") == "NFS4ERR_ACCESS"
    await pods.allow(share, "rw 10.0.0.5")
    assert await client("write_at", name="f", offset=0, text="X") == 1
    for one in (share, other):
        await pods.driver.delete_share(one, gateway)


def _empty(folder: pathlib.Path) -> bool:
    return not any(folder.iterdir())


def _export(pods: PodLab, share: Row) -> Row:
    return pods.cluster.objects[SHARE_EXPORT.plural, names.share(share["id"])]


def _packets(pods: PodLab, gateway: Row) -> set[str]:
    """Lines of a gateway on which something has come in, with the bytes of it."""
    text = subprocess.run(
        inside(pods.fabric.gateway(gateway["id"]), "ss", "-tinOH", "sport", "=", "2049"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {word for word in text.split() if word.startswith("bytes_received:")}


async def test_a_share_that_is_not_mounted_is_never_exported(pods: PodLab, gateway: Row, client: Client) -> None:
    pods.cluster.paused = True
    with pytest.raises(ShareBackendException, match="not within|not mounted"):
        await pods.share(gateway, 1, "rw 10.0.0.5")
    pods.cluster.paused = False
    left = [one for one in pods.cluster.of(SHARE_EXPORT).values() if one["spec"]["server"] == gateway["id"]]
    assert [one["status"]["exported"] for one in left if "status" in one] in ([], [False])
    for one in left:
        name = one["metadata"]["name"].removeprefix(names.share(""))
        assert not os.path.ismount(pods.root / "gateways" / gateway["id"] / "shares" / name)
        await pods.driver.delete_share({"id": name, "server": gateway}, gateway)


async def test_a_gateway_that_comes_back_serves_what_it_served(pods: PodLab, gateway: Row, client: Client) -> None:
    share = await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    state = pods.root / f"state-{gateway['id']}"
    number = files.read(state / "numbers" / share["id"])
    pid = int(files.read(pods.root / f"run-{pods.pod(gateway)['metadata']['uid']}" / "ganesha.pid") or 0)
    os.kill(pid, signal.SIGKILL)
    await _again(client, share, "after ganesha was killed")
    # another pod on the node: what the one before was told and said counts for nothing
    await pods.end_agent()
    pods.replace_pod(gateway, signal.SIGKILL)
    await _again(client, share, "in a new pod without a node agent")
    shown = files.read(state / "exports.d" / f"{share['id']}.conf")
    pods.start_agent()
    await pods.allow(share, "ro 10.0.0.5")
    await client.mount(share["location"])
    assert await client.outcome("write", name="g", text="x") == "NFS4ERR_ROFS"
    assert shown and files.read(state / "numbers" / share["id"]) == number
    await pods.driver.delete_share(share, gateway)


async def test_a_gateway_whose_volumes_are_not_there_yet_is_waited_for(
    pods: PodLab, gateway: Row, client: Client
) -> None:
    """As on another node: a client meets nobody, and no server that has no such share."""
    share = await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    await pods.end_agent()
    pods.cluster.end(pods.pod(gateway))
    subprocess.run(["umount", str(pods.root / "gateways" / gateway["id"] / "shares" / share["id"])], check=True)
    pods.replace_pod(gateway)
    begin, met = time.monotonic(), set[str]()
    while time.monotonic() - begin < 4:
        try:
            await client.mount(share["location"])
        except NfsError as error:
            met.add(str(error))
        await asyncio.sleep(0.2)
    assert met and not [one for one in met if "NFS4ERR" in one], met
    pods.start_agent()
    await _again(client, share, "after its volume came")
    assert await client("read", name="f") == "abc"
    await pods.driver.delete_share(share, gateway)


async def test_a_bus_that_hangs_is_started_again(pods: PodLab, gateway: Row, client: Client) -> None:
    """Without it no rule could be changed, so Ganesha is started again with it."""
    share = await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    supervisor = pods.cluster.programs[pods.pod(gateway)["metadata"]["uid"]][0].pid
    (bus,) = (one for one in _family(supervisor) if "dbus" in pathlib.Path(f"/proc/{one}/comm").read_text())
    os.kill(bus, signal.SIGSTOP)
    begin = time.monotonic()
    assert await eventually(lambda: not pathlib.Path(f"/proc/{bus}").exists(), 3 * pods.options.ganesha_hang_timeout)
    print(f"the bus hangs: killed after {time.monotonic() - begin:.1f} s")
    assert await eventually(lambda: "Ready" in str(pods.pod(gateway)["status"]), 5)
    await _again(client, share, "after that")
    await pods.allow(share, "ro 10.0.0.5")
    await pods.driver.delete_share(share, gateway)


async def _again(client: Client, share: Row, what: str) -> None:
    begin = time.monotonic()

    async def served() -> bool:
        try:
            await client.mount(share["location"])
            await client("write", name="f", text="abc")
        except Exception:
            return False
        return True

    while not await served():
        assert time.monotonic() - begin < 40, what
        await asyncio.sleep(0.1)
    print(f"{what}: written again after {time.monotonic() - begin:.2f} s (grace 3 s)")


async def test_what_is_removed_by_hand_comes_back_with_its_number(pods: PodLab, gateway: Row, client: Client) -> None:
    share = await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"], direct=True)
    await client("write", name="f", text="abc")
    kept = copy.deepcopy(pods.cluster.objects[SHARE_EXPORT.plural, names.share(share["id"])])
    at = pods.root / "gateways" / gateway["id"] / "shares" / share["id"]
    await pods.cluster.delete(SHARE_EXPORT, names.share(share["id"]))
    assert await eventually(lambda: not at.exists())
    assert await client.outcome("read", name="f") != "ok"
    pods.cluster._put(SHARE_EXPORT, {**kept, "status": {}})
    assert await eventually(lambda: os.path.ismount(at))
    assert await eventually(lambda: _export(pods, share)["status"].get("exported") is True)
    assert _export(pods, share)["spec"]["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]
    # the same mount goes on: its file handles carry the number of the export. The library leaves it to its user to ask
    # again after a cut connection, a kernel does so itself
    async with asyncio.timeout(20):
        while await client.outcome("read", name="f") == "NfsOperationOutcomeError":
            await asyncio.sleep(0.2)
    assert await client("read", name="f") == "abc"
    await pods.driver.delete_share(share, gateway)


async def test_a_mount_that_goes_takes_the_export_with_it(pods: PodLab, gateway: Row, client: Client) -> None:
    share, other = await pods.share(gateway, 1, "rw 10.0.0.5"), await pods.share(gateway, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    name = share["id"]
    at = pods.root / "gateways" / gateway["id"] / "shares" / name
    subprocess.run(["umount", "-l", str(at)], check=True)
    assert await eventually(lambda: os.path.ismount(at), 20)  # bound again by the node's agent
    # the gateway may have seen it go only now
    await _again(client, share, "with its volume back")
    assert await client("read", name="f") == "abc"
    for one in (share, other):
        await pods.driver.delete_share(one, gateway)


async def test_fifty_shares_with_a_hundred_rules(pods: PodLab, gateway: Row, client: Client) -> None:
    hundred = [f"ro 10.9.{number // 250}.{number % 250 + 1}" for number in range(99)]
    begin = time.monotonic()
    shares = [await pods.share(gateway, 1, "rw 10.0.0.5", *hundred) for _ in range(50)]
    made = time.monotonic() - begin
    took = []
    for share in shares[::10]:
        begin = time.monotonic()
        await pods.allow(share, "ro 10.0.0.5", *hundred)
        took.append(time.monotonic() - begin)
        await client.mount(share["location"])
        assert await client.outcome("write", name="f", text="x") == "NFS4ERR_ROFS"
    uid = pods.pod(gateway)["metadata"]["uid"]
    pids = [one.pid for one in pods.cluster.programs[uid]]
    print(f"50 shares with 100 rules: {made / 50:.3f} s a share; a rule of one: median {statistics.median(took):.3f} s")
    print("PSS of supervisor with bus and Ganesha, of the agent, MiB:", [round(_pss(pid) / 1024, 1) for pid in pids])
    busy = _cpu(pids)
    await asyncio.sleep(5)
    print(f"idle, {(_cpu(pids) - busy) / 5 * 100:.1f} % of a core")
    begin = time.monotonic()
    pods.replace_pod(gateway)
    await _again(client, shares[1], "a new pod with 50 shares")
    for share in shares:
        await pods.driver.delete_share(share, gateway)
    assert statistics.median(took) < 5


def _family(pid: int) -> list[int]:
    text = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
    return [pid, *(found for one in text.split() for found in _family(int(one)))]


def _pss(pid: int) -> int:
    """KiB of a process and its children."""
    texts = [pathlib.Path(f"/proc/{one}/smaps_rollup").read_text() for one in _family(pid)]
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("Pss:"))


def _cpu(pids: list[int]) -> float:
    """Seconds that processes have used."""
    ticks = 0
    for pid in (one for first in pids for one in _family(first)):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
