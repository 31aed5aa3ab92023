"""A gateway on OVN: plugged, bound, moved, fenced; and what stale rows and foreign claims do."""

from __future__ import annotations

import asyncio
import statistics
import time

import pytest

from network.neutron import NeutronPlugin
from tests.lab.ovn.lab import OvnLab
from tests.lab.ovn.spaces import batch, within
from tests.lab.ovn.traffic import Beat, reached, who
from tests.lab.processes import sh
from tests.ovn.stage import Pod, ShareServer, Stage

pytestmark = [pytest.mark.ovn, pytest.mark.allow_hosts(["10.0.0.0/24", "127.0.0.1"])]
EVERYBODY = ["0.0.0.0/0"]


async def served(stage: Stage, tenant: str, node: str) -> tuple[ShareServer, Pod]:
    """A server that anybody may reach, with its gateway on a node."""
    server = await stage.server(tenant)
    await stage.plugin.ports.admit(server.id, EVERYBODY)
    pod = stage.pod(server, node)
    await stage.installed(pod)
    return server, pod


@pytest.mark.parametrize("nodes", [("c1", "c1"), ("c1", "c2")], ids=["one node", "two nodes"])
async def test_two_tenants_with_one_address_and_mac(stage: Stage, nodes: tuple[str, str]) -> None:
    stage.start()
    stage.neutron.state.mac = 0x700
    a, _ = await served(stage, "a", nodes[0])
    stage.neutron.state.mac = 0x700
    b, pod = await served(stage, "b", nodes[1])
    assert (a.ip, a.allocation["mac_address"]) == (b.ip, b.allocation["mac_address"])
    clients = {(tenant, node): stage.client(tenant, node, f"10.0.0.{number}")
               for tenant in "ab" for number, node in ((5, "c1"), (6, "c2"))}  # fmt: skip
    for (tenant, node), client in clients.items():
        home = dict(zip("ab", nodes, strict=True))[tenant]
        await asyncio.to_thread(reached, client, a.ip, f"{tenant}@{home}")
        print(f"{tenant}'s client on {node} meets {who(client, a.ip)}")
    stage.delete(pod)
    await stage.until("b's gateway is gone", lambda: who(clients["b", "c1"], b.ip, seconds=0.2) == "TimeoutError")
    await asyncio.to_thread(reached, clients["a", "c2"], a.ip, f"a@{nodes[0]}")


async def test_times_of_a_start(stage: Stage, plugin: NeutronPlugin) -> None:
    """From a pod with a sandbox to one that is reached; the agent looks every 0.2 s, the worker every 0.1 s here."""
    stage.start()
    times = []
    for _ in range(5):
        server = await stage.server("a")
        begin = time.monotonic()
        await stage.installed(stage.pod(server, "c1", echo=False))
        times.append(time.monotonic() - begin)
    print(f"sandbox to installed: median {statistics.median(times):.2f} s, longest {max(times):.2f} s")
    assert statistics.median(times) < 5


async def test_a_gateway_moves(stage: Stage, ovn: OvnLab) -> None:
    """As a StatefulSet moves it: the old pod goes, the new one starts elsewhere; the client's longest pause."""
    stage.start()
    server, pod = await served(stage, "a", "c1")
    clients = {node: stage.client("a", node, f"10.0.0.{number}") for number, node in ((5, "c1"), (6, "c2"))}
    for client in clients.values():
        await asyncio.to_thread(reached, client, server.ip, "a@c1")
    gaps: dict[str, list[float]] = {node: [] for node in clients}
    for target in ("c2", "c1", "c2", "c1", "c2"):
        beats = {node: Beat(client, server.ip) for node, client in clients.items()}
        await asyncio.sleep(0.5)
        begin = time.monotonic()
        stage.delete(pod)
        pod = stage.pod(server, target)
        await stage.installed(pod)
        assert ovn.owner(server.port) == target
        for node, beat in beats.items():
            await asyncio.to_thread(beat.after, time.monotonic())
            gaps[node].append(beat.gap(begin))
            beat.stop()
            assert beat.names[-1] == f"a@{target}"
    for node, found in gaps.items():
        print(f"move, client on {node}: gap median {statistics.median(found):.2f} s, longest {max(found):.2f} s")
    assert statistics.median(gaps["c1"] + gaps["c2"]) < 5


async def test_two_claims_do_not_flap(stage: Stage, ovn: OvnLab) -> None:
    """A node lost to Kubernetes whose gateway lives on: from the moment of the binding only the new one is reached."""
    stage.start()
    server, old = await served(stage, "a", "c1")
    clients = [stage.client("a", node, f"10.0.0.{number}") for number, node in ((5, "c1"), (6, "c2"))]
    for client in clients:
        await asyncio.to_thread(reached, client, server.ip, "a@c1")
    await stage.stop_agent("c1")
    new = stage.pod(server, "c2")
    await stage.installed(new)
    assert stage.rows("c1") and old.echo is not None
    for client in clients:
        await asyncio.to_thread(reached, client, server.ip, "a@c2")
    owners, answers = set(), []
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        owners.add(ovn.owner(server.port))
        answers += [await asyncio.to_thread(who, client, server.ip) for client in clients]
    print(f"both claim the port for 3 s: owners {owners}, {len(answers)} answers by {set(answers)}")
    assert owners == {"c2"} and "a@c1" not in answers and answers.count("a@c2") > 0.9 * len(answers)
    stage.start_agent("c1")
    await stage.until("the stale row is removed", lambda: not stage.rows("c1"))
    await asyncio.to_thread(reached, clients[0], server.ip, "a@c2")


async def test_without_a_binding_nobody_is_reached_elsewhere(stage: Stage, ovn: OvnLab) -> None:
    """No worker runs while a gateway moves: the port stays with the old host, so it fails closed.

    OVN is asked only when both switches are as they will be, and every chassis has followed all that was said: then
    whoever would take the port has taken it.
    """
    stage.start()
    server, old = await served(stage, "a", "c1")
    client = stage.client("a", "c2", "10.0.0.6")
    await asyncio.to_thread(reached, client, server.ip, "a@c1")
    await stage.stop_binding()
    stage.delete(old)
    new = stage.pod(server, "c2")
    await stage.until("it is plugged", lambda: new.reason == "Plugged" and stage.rows("c2"))
    await stage.until("the old row is removed", lambda: not stage.rows("c1"))
    await stage.until("the old host has let go of the port", lambda: ovn.owner(server.port) != "c1")
    await asyncio.to_thread(ovn.sync)
    assert ovn.owner(server.port) is None
    # no answer, or an address at which nobody is; a server that refuses would be one
    assert await asyncio.to_thread(who, client, server.ip, seconds=0.3) in ("TimeoutError", "OSError")
    assert ovn.owner(server.port) is None and new.reason == "Plugged"
    await stage.binding.look()
    await stage.installed(new)
    await asyncio.to_thread(reached, client, server.ip, "a@c2")


async def test_a_killed_agent_leaves_a_gateway_alone_and_a_stale_row_goes(stage: Stage) -> None:
    stage.start()
    server, pod = await served(stage, "a", "c1")
    client = stage.client("a", "c2", "10.0.0.6")
    await asyncio.to_thread(reached, client, server.ip, "a@c1")
    (row,) = stage.rows("c1")
    beat = Beat(client, server.ip, again=False)
    await stage.stop_agent("c1")
    stage.start_agent("c1")
    await asyncio.sleep(1)
    assert stage.rows("c1") == [row]
    assert await asyncio.to_thread(beat.after, time.monotonic()) and len(beat.names) == 1
    beat.stop()
    await stage.stop_agent("c1")
    stage.kill(pod)
    again = stage.pod(server, "c1")
    assert stage.rows("c1") == [row]
    begin = time.monotonic()
    stage.start_agent("c1")
    await stage.installed(again)
    print(f"stale row to a new one that is installed: {time.monotonic() - begin:.2f} s")
    assert len(stage.rows("c1")) == 1 and stage.rows("c1") != [row]
    await asyncio.to_thread(reached, client, server.ip, "a@c1")


async def test_a_half_made_interface_is_made_anew(stage: Stage, ovn: OvnLab) -> None:
    """The agent was killed between device and row: the row is what counts."""
    stage.start()
    server, _ = await served(stage, "a", "c1")
    client = stage.client("a", "c2", "10.0.0.6")
    (row,) = stage.rows("c1")
    ovn.chassis["c1"].switch.remove([row])
    await stage.until("the row is there again", lambda: stage.rows("c1") == [row])
    await asyncio.to_thread(reached, client, server.ip, "a@c1")


async def test_a_foreign_claim_is_named_and_left(stage: Stage, ovn: OvnLab) -> None:
    stage.start()
    server = await stage.server("a")
    chassis = ovn.chassis["c1"]
    chassis.vsctl("add-port", "br-int", "foreign", "--", "set", "Interface", "foreign", "type=internal")
    chassis.vsctl("set", "Interface", "foreign", f"external_ids:iface-id={server.port}")
    try:
        pod = stage.pod(server, "c1")
        await stage.until("it is said", lambda: pod.reason == "Failed")
        assert "foreign" in pod.document["status"]["conditions"][0]["message"]
        assert stage.rows("c1") == []
    finally:
        chassis.vsctl("del-port", "br-int", "foreign")
    await stage.installed(pod)


async def test_a_fence(stage: Stage, ovn: OvnLab, plugin: NeutronPlugin) -> None:
    """``admin_state_up`` off cuts open connections and new ones, wherever the port is; on again, it is back."""
    stage.start()
    server, _ = await served(stage, "a", "c1")
    client = stage.client("a", "c2", "10.0.0.6")
    await asyncio.to_thread(reached, client, server.ip, "a@c1")
    cut, back = [], []
    for _ in range(5):
        beat = Beat(client, server.ip, again=False)
        await asyncio.sleep(0.3)
        begin = time.monotonic()
        await plugin.ports.fence(server.port)
        fenced = time.monotonic()
        last = await asyncio.to_thread(beat.silent)
        assert last < fenced + 0.5
        cut.append(max(0.0, last - begin))
        assert who(client, server.ip, seconds=0.2) == "TimeoutError"
        beat.stop()
        begin = time.monotonic()
        await plugin.ports.lift(server.port)
        await asyncio.to_thread(reached, client, server.ip, "a@c1")
        back.append(time.monotonic() - begin)
    print(f"fence to the last answer: median {statistics.median(cut):.3f} s, longest {max(cut):.3f} s")
    print(f"fence lifted to the first answer: median {statistics.median(back):.3f} s, longest {max(back):.3f} s")


async def test_what_a_fence_is_worth_when_the_node_does_not_hear_ovn(stage: Stage, ovn: OvnLab) -> None:
    """A node whose ovn-controller is cut off keeps its flows: its own clients stay with the old gateway."""
    stage.start()
    server, _ = await served(stage, "a", "c1")
    clients = {node: stage.client("a", node, f"10.0.0.{number}") for number, node in ((5, "c1"), (6, "c2"))}
    for client in clients.values():
        await asyncio.to_thread(reached, client, server.ip, "a@c1")
    await stage.stop_agent("c1")
    ovn.processes.stop("controller@c1")
    try:
        await stage.installed(stage.pod(server, "c2"))
        await asyncio.to_thread(reached, clients["c2"], server.ip, "a@c2")
        await asyncio.sleep(1)
        seen = {node: {who(client, server.ip) for _ in range(5)} for node, client in clients.items()}
        print(f"old node cut off from OVN, port bound to c2: client on c1 meets {seen['c1']}, on c2 {seen['c2']}")
        assert "a@c2" in seen["c2"] and "a@c1" not in seen["c2"] and "a@c1" in seen["c1"]
    finally:
        ovn.chassis["c1"].start_controller()
    await asyncio.to_thread(reached, clients["c1"], server.ip, "a@c2")


async def test_a_node_that_died(stage: Stage, ovn: OvnLab) -> None:
    """Switch and controller are killed; OVN needs no notice of it for the port to be elsewhere. It returns."""
    stage.start()
    server, _ = await served(stage, "a", "c1")
    client = stage.client("a", "c2", "10.0.0.6")
    await asyncio.to_thread(reached, client, server.ip, "a@c1")
    await stage.stop_agent("c1")
    ovn.chassis["c1"].kill()
    begin = time.monotonic()
    await stage.installed(stage.pod(server, "c2"))
    await asyncio.to_thread(reached, client, server.ip, "a@c2")
    print(f"node dead, new pod's sandbox to the first answer: {time.monotonic() - begin:.2f} s")
    ovn.chassis["c1"].start_switch()
    ovn.chassis["c1"].start_controller()
    await asyncio.sleep(2)
    assert ovn.owner(server.port) == "c2"
    await asyncio.to_thread(reached, client, server.ip, "a@c2")
    stage.start_agent("c1")
    await stage.until("its old row is removed", lambda: not stage.rows("c1"))


async def test_the_pod_network_is_closed(stage: Stage) -> None:
    """``eth0`` of the pod goes down, so that no route of it and no client is there."""
    server = await stage.server("a")
    pod = stage.pod(server, "c1")
    batch(
        pod.file,
        "link add eth0 type veth peer name outer",
        "addr add 10.0.0.9/24 dev eth0",
        "link set outer up",
        "link set eth0 up",
    )
    stage.start()
    await stage.installed(pod)
    routes = sh(*within(pod.file, "ip", "route"))
    assert "net1" in routes and "eth0" not in routes
    assert "mtu 1442" in sh(*within(pod.file, "ip", "-o", "link", "show", "net1"))


async def test_rows_of_others_are_not_touched(stage: Stage, ovn: OvnLab) -> None:
    """The client's row: it has no pod of ours."""
    stage.start()
    client = stage.client("a", "c2", "10.0.0.6")
    server, _ = await served(stage, "a", "c1")
    await asyncio.sleep(0.5)
    await asyncio.to_thread(reached, client, server.ip, "a@c1")
    assert stage.rows("c2") == []
