"""What somebody does to an installation by hand, beside the service."""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
from collections.abc import Awaitable, Callable, Iterator

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import CLAIM, NETWORK_POLICY, POD, SHARE_EXPORT, STATEFUL_SET
from generated.runtime import Row
from tests.kube.node.site import Object, Site
from tests.lab.processes import sh

Hand = Callable[[Site, Row], Awaitable[None]]


async def remove(site: Site, kind: str, *names_: str) -> None:
    """Objects of the namespace, without waiting for it."""
    await asyncio.to_thread(site.lab.kubectl, "-n", site.namespace, "delete", kind, *names_, "--wait=false")


async def unbind(site: Site, share: Row) -> None:
    """The bind mount on the node goes, and by propagation the gateway's."""
    node, place = site.node_of(share["server"]), bind_of(site, share)
    await asyncio.to_thread(sh, *site.lab.nodes[node].inside(), "umount", "-l", str(place))


def bind_of(site: Site, share: Row) -> pathlib.Path:
    """Where a share's volume is bound on the node of its gateway."""
    place: pathlib.Path = site.lab.place.gateways / share["server"]["id"] / "shares"
    return place / str(share["id"])


def policy_of(site: Site) -> str:
    """The policy that closes the pod network to gateways."""
    return names.of_backend("gateways-closed", site.options.share_backend_name)


async def _gateway_pod(site: Site, share: Row) -> None:
    await remove(site, POD.plural, names.gateway_pod(share["server"]["id"]))


async def _agent(site: Site, share: Row) -> None:
    await remove(site, POD.plural, "-l", f"app=agent-{site.node_of(share['server'])}")


async def _all_but_volumes(site: Site, share: Row) -> None:
    kinds = ("statefulsets", "pods", "shareexports", "networkpolicies", "network-attachment-definitions")
    await remove(site, ",".join(kinds), "--all")


HANDS: dict[str, Hand] = {
    "network policy": lambda site, share: remove(site, NETWORK_POLICY.plural, policy_of(site)),
    "holder": lambda site, share: remove(site, POD.plural, names.holder(share["id"])),
    "node's agent": _agent,
    "bind mount": unbind,
    "share export": lambda site, share: remove(site, SHARE_EXPORT.plural, names.share(share["id"])),
    "gateway's pod": _gateway_pod,
    "stateful set": lambda site, share: remove(site, STATEFUL_SET.plural, names.gateway(share["server"]["id"])),
    "claim": lambda site, share: remove(site, CLAIM.plural, names.claim(share["id"])),
    "all but claims": _all_but_volumes,
}
"""By what is removed."""
UNSEEN = ("network policy", "holder", "node's agent", "claim")
"""What clients do not notice."""


def stand_still(site: Site, node: str, number: int = signal.SIGSTOP) -> None:
    """The agent of a node stands still, or goes on (SIGCONT)."""
    (agent,) = [one for one in site.objects("pods") if one["metadata"]["labels"].get("app") == f"agent-{node}"]
    for pid in _processes(str(agent["metadata"]["uid"])):
        os.kill(pid, number)


def _processes(uid: str) -> Iterator[int]:
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"pod{uid}" in (folder / "cgroup").read_text() and (folder / "comm").read_text().strip() != "pause":
                yield int(folder.name)
        except OSError:
            continue


def volumes(site: Site) -> list[Object]:
    """The volumes of the namespace's claims, also of claims that are gone."""
    found: list[Object] = site.lab.api.get("/api/v1/persistentvolumes")["items"]
    return [one for one in found if one["spec"]["claimRef"]["namespace"] == site.namespace]
