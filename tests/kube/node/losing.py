"""Nodes that are lost: waiting for what Kubernetes and the worker make of it, and the operator's word."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from drivers.ganesha.kubernetes.observed import OUT_OF_SERVICE, WORD
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.site import Site
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster
from tests.lab.processes import Failed, wait

TARGET = 45.0
"""Seconds from the fence to the next write that the project wants; asserted with room for a busy machine."""


async def until(what: str, good: Callable[[], bool], seconds: float = 120.0) -> float:
    """Wait beside the event loop; seconds it took."""
    begin = time.monotonic()
    await asyncio.to_thread(wait, what, good, seconds)
    return time.monotonic() - begin


async def served(share: Row, client: Client) -> float:
    """Until a client has written to a share, seconds."""
    begin = time.monotonic()
    while True:
        try:
            await asyncio.wait_for(client.mount(share["location"]), 10)
            await asyncio.wait_for(client("write", name="after", text="x"), 30)
            return time.monotonic() - begin
        except Exception:
            assert time.monotonic() - begin < 150, "the share does not come back"
            await asyncio.sleep(0.2)


def refused(seen: Row) -> list[str]:
    """Errors that a server answered with, where one that is not there yet would only have made the client wait."""
    return [name for name in seen["errors"] if name.startswith("NFS4ERR")]


def by_taint(lab: Cluster, node: str, *, out: bool) -> None:
    """The operator's word to all of Kubernetes."""
    lab.kubectl("taint", "node", node, f"{OUT_OF_SERVICE}=nodeshutdown:NoExecute" + ("" if out else "-"))


def by_annotation(lab: Cluster, node: str, *, out: bool) -> None:
    """The operator's word for this back end alone."""
    lab.kubectl("annotate", "node", node, f"{WORD}=power is off" if out else f"{WORD}-")


def restore(lab: Cluster) -> None:
    """Whatever a test left: no node is declared out, all have power."""
    for node in lab.nodes:
        for declare in (by_taint, by_annotation):
            with contextlib.suppress(Failed):  # nobody had said it
                declare(lab, node, out=False)
        if f"init@{node}" not in lab.processes:
            lab.start_node(node)


def pods_of(site: Site, server: Row) -> list[tuple[str, str]]:
    """Gateway pods of a server: uid and node."""
    label = "manila.openkeel.io/role"
    found = [one for one in site.objects("pods") if one["metadata"]["labels"].get(label) == "gateway"]
    mine = [one for one in found if server["id"] in one["metadata"]["name"]]
    return [(one["metadata"]["uid"], one["spec"].get("nodeName", "")) for one in mine]


async def noticed(site: Site, worker: Worker, server: Row, node: str) -> float:
    """Until Kubernetes and the worker know that a node does not answer; seconds until it was not ready."""
    silent = await until("the node is not ready", lambda: not site.lab.ready(node))
    await until("the pod is marked", lambda: "deletionTimestamp" in site.gateway(server)["metadata"])
    await until("the worker knows", lambda: bool(worker.findings.waiting))
    return silent


async def elsewhere(site: Site, server: Row, before: list[tuple[str, str]]) -> float:
    """Until a gateway has another pod; seconds it took."""
    return await until("another pod", lambda: pods_of(site, server) not in ([], before))


async def agents_run(site: Site) -> None:
    """Until the agents of all nodes run."""
    for name in site.lab.nodes:
        await until(f"the agent of {name}", lambda name=name: site._agent_runs(name))  # type: ignore[misc]
