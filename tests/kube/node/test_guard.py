"""What gateways and holders may do on a node, what keeps clients out, and what an operator is shown."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway import places
from drivers.ganesha.kubernetes import manifests, names
from drivers.kubernetes.api import POD, SHARE_EXPORT
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.site import ADDRESS, Object, Site, written
from tests.lab.processes import wait

pytestmark = pytest.mark.kube_node
NUMBERS = {"CHOWN": 0, "DAC_OVERRIDE": 1, "DAC_READ_SEARCH": 2, "FOWNER": 3, "FSETID": 4, "SETGID": 6, "SETUID": 7}
NUMBERS |= {"NET_ADMIN": 12}
REACH = "import socket, sys; socket.create_connection((sys.argv[1], 2049), 5)"
RESET = "ConnectionRefusedError"


def _allowed(container: Object) -> int:
    """Capabilities that a container was asked for."""
    return sum(1 << NUMBERS[one] for one in container["securityContext"]["capabilities"].get("add", []))


def _status(pid: int) -> dict[str, str]:
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _command(pid: int) -> str:
    return pathlib.Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def _tries(pid: int, *words: str) -> tuple[int, str]:
    """A command as root with the mounts of a process; its status and what it complains of."""
    done = subprocess.run(
        ["nsenter", f"--mount=/proc/{pid}/ns/mnt", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.strip()


async def test_gateways_and_holders_are_not_privileged(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    pod = site.gateway(server)
    allowed = {one["name"]: _allowed(one) for one in pod["spec"]["containers"]}
    assert allowed["ganesha"] == sum(1 << NUMBERS[one] for one in manifests.CAPABILITIES)
    seen = {}
    for pid in site.everything(server):
        status, command = _status(pid), _command(pid)
        who = "agent" if "manila-ganesha-agent" in command else "ganesha"
        seen[status["Name"]] = {name: status[name] for name in ("CapEff", "NoNewPrivs", "Seccomp", "Uid")}
        for name in ("CapEff", "CapPrm", "CapBnd"):
            assert int(status[name], 16) & ~allowed[who] == 0, (command, name, status[name])
        assert status["NoNewPrivs"] == "1", command
        assert status["Seccomp"] == "2", command
        root = pathlib.Path(f"/proc/{pid}/root")
        assert not (root / "var/run/secrets/kubernetes.io").exists(), command
    print("gateway:", seen)
    assert {"ganesha.nfsd", "dbus-daemon"} <= seen.keys()
    holder = site.lab.api.get(f"{POD.path(site.namespace)}/{names.holder(share['id'])}")
    found = [pid for pid in _of_pod(holder["metadata"]["uid"]) if "sleep" in _command(pid)]
    assert found
    for pid in found:
        status = _status(pid)
        print("holder:", {name: status[name] for name in ("CapEff", "NoNewPrivs", "Seccomp", "Uid")})
        assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
        assert set(status["Uid"].split()) == {str(manifests.NOBODY)}
        assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
    await site.driver.delete_share(share, server)


def _of_pod(uid: str) -> list[int]:
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"pod{uid}" in (folder / "cgroup").read_text():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def _agent(site: Site, server: Row) -> int:
    """Process of the gateway's agent."""
    (found,) = [pid for pid in site.everything(server) if "manila-ganesha-agent" in _command(pid)]
    return found


def _restarts(site: Site) -> dict[str, int]:
    """Of the containers of the nodes' agents."""
    agents = [pod for pod in site.objects("pods") if pod["metadata"]["name"].startswith("agent-")]
    found = {
        f"{pod['metadata']['name']} {one['name']}": one["restartCount"]
        for pod in agents
        for one in pod["status"]["containerStatuses"]
    }
    assert found
    return found


async def test_a_pod_writes_its_answers_and_its_volumes_only(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    (ganesha,), agent = site.ganesha(server), _agent(site, server)
    for pid, at in (
        (agent, places.CONTROL),
        (agent, places.SHARES),
        (ganesha, places.SHARES),
        (ganesha, places.DEVICES),
    ):
        code, text = _tries(pid, "touch", f"{at}/x")
        assert code and "Read-only file system" in text, (at, text)
    assert _tries(ganesha, "ls", places.ANSWERS)[0] and _tries(ganesha, "ls", places.CONTROL)[0]
    for pid, at in ((agent, places.ANSWERS), (ganesha, f"{places.SHARES}/{share['id']}")):
        assert _tries(pid, "touch", f"{at}/x") == (0, ""), at
    # what it writes can't fill the node
    code, text = _tries(agent, "dd", "if=/dev/zero", f"of={places.ANSWERS}/full", "bs=1M", "count=64")
    assert code and "No space left" in text, text
    assert _tries(agent, "rm", f"{places.ANSWERS}/full", f"{places.ANSWERS}/x") == (0, "")
    await site.driver.delete_share(share, server)


async def test_garbage_of_a_gateway_is_told_and_stops_no_other(site: Site, server: Row, five: Client) -> None:
    share, other = await site.share(server, 1, "rw 10.7.0.5"), await site.server("z")
    theirs = await site.share(other, 1, "rw 10.7.0.5")
    agent, restarts = _agent(site, server), _restarts(site)
    os.kill(agent, signal.SIGSTOP)
    try:
        at = f"{places.ANSWERS}/{share['id']}.json"
        assert _tries(agent, "ln", "-sf", f"/proc/1/root{places.ANSWERS}", at) == (0, "")
        path = f"{SHARE_EXPORT.path(site.namespace)}/{names.share(share['id'])}"
        wait("it is told", lambda: "is no file" in site.lab.api.get(path)["status"].get("message", ""), 20)
        await site.allow(theirs, "ro 10.7.0.5")
        assert _restarts(site) == restarts
    finally:
        os.kill(agent, signal.SIGCONT)
    await site.allow(share, "ro 10.7.0.5")
    await site.driver.delete_share(theirs, other)
    await site.driver.teardown_server(other["backend_details"])
    await site.driver.delete_share(share, server)


def _reach(namespace: str) -> str:
    """What a machine gets that asks for a connection with the gateway: nothing to complain of, or the error."""
    words = inside(namespace, sys.executable, "-c", REACH, ADDRESS)
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=20)
    return "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1].partition(":")[0]


async def test_it_is_the_filter_that_refuses(site: Site, server: Row, five: Client) -> None:
    """Ganesha would take the connection, and refuse the mount: as it does when the filter is taken away."""
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    machine, stranger = site.plug("a", "10.7.0.5"), site.plug("a", "10.7.0.99")
    assert (_reach(machine), _reach(stranger)) == ("", RESET)
    space = f"--net=/proc/{_agent(site, server)}/ns/net"
    before = _heard(space)
    await site.allow(share, "rw 10.7.0.77")
    assert _reach(machine) == RESET
    assert await five.outcome("write", name="g", text="x") != "ok"
    assert _heard(space) <= before, "the line that stood brought something to Ganesha"
    subprocess.run(["nsenter", space, "nft", "delete", "table", "inet", "openkeel"], check=True)
    assert (_reach(machine), _reach(stranger)) == ("", "")
    with pytest.raises(Exception, match=r"ACCESS|NOENT|PERM"):
        await five.mount(share["location"])
    await site.allow(share, "rw 10.7.0.5")  # which loads it again
    assert (_reach(machine), _reach(stranger)) == ("", RESET)
    await site.driver.delete_share(share, server)


def _heard(space: str) -> set[str]:
    """Bytes that have come in on each line of Ganesha's from elsewhere."""
    words = ["nsenter", space, "ss", "-tinOH", "sport", "=", "2049"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    lines = [line for line in text.splitlines() if "10.7.0.5:" in line]
    return {word for line in lines for word in line.split() if word.startswith("bytes_received:")}


async def test_what_an_operator_is_shown(site: Site, server: Row, five: Client) -> None:
    """The columns of ``kubectl get shareexports``, as the API server makes them of what the agents said."""
    share, bare = await site.share(server, 1, "rw 10.7.0.5"), await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    node = site.node_of(server)
    wait("both are shown", lambda: {one["Exported"] for one in _columns(site).values()} == {True})
    at = site.lab.place.gateways / server["id"] / "shares" / bare["id"]
    # its volume goes, and the holder without which it can't come back
    site.lab.kubectl("-n", site.namespace, "delete", "pod", names.holder(bare["id"]), "--wait=true")
    subprocess.run([*site.lab.nodes[node].inside(), "umount", "-l", str(at)], check=True)
    wait("it is told", lambda: _columns(site)[names.share(bare["id"])]["Message"] != "", 60)
    shown = _columns(site)
    print(json.dumps(shown, indent=1))
    good, bad = shown[names.share(share["id"])], shown[names.share(bare["id"])]
    assert good["Server"] == bad["Server"] == server["id"] and good["Node"] == bad["Node"] == node
    assert (good["Mounted"], good["Exported"], good["Message"]) == (True, True, "")
    assert good["Wanted"] == good["Enforced"] > 0
    assert (bad["Mounted"], bad["Exported"], bad["Message"]) == (False, False, "the volume is not mounted")
    for one in (share, bare):
        await site.driver.delete_share(one, server)


def _columns(site: Site) -> dict[str, Object]:
    """Each ShareExport's columns by their names."""
    accept = "application/json;as=Table;v=v1;g=meta.k8s.io"
    status, text = site.lab.api("GET", SHARE_EXPORT.path(site.namespace), accept=accept)
    assert status == 200, text
    table = json.loads(text)
    heads = [one["name"] for one in table["columnDefinitions"]]
    rows = [dict(zip(heads, one["cells"], strict=True)) for one in table["rows"]]
    return {one["Name"]: {name: value if value is not None else "" for name, value in one.items()} for one in rows}


async def test_an_agent_that_hangs_is_started_again(site: Site, server: Row, five: Client) -> None:
    """Its clients notice nothing."""
    share = await site.share(server, 1, "rw 10.7.0.5")
    begin, agent = time.monotonic(), _agent(site, server)

    def restarts() -> int:
        (found,) = [one for one in site.gateway(server)["status"]["containerStatuses"] if one["name"] == "agent"]
        return int(found["restartCount"])

    before = restarts()
    async with site.pump(share) as end:
        os.kill(agent, signal.SIGSTOP)
        await asyncio.to_thread(wait, "the agent is started again", lambda: restarts() > before, 240)
        print(f"an agent that hangs is another one after {time.monotonic() - begin:.0f} s")
        await site.allow(share, "rw 10.7.0.0/24")
        seen = await end()
    assert seen["errors"] == {} and seen["lost"] == 0
    print("meanwhile a client:", seen)
    await site.driver.delete_share(share, server)
