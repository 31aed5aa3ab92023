"""Where a cluster is not as the rows say, and which objects no row stands for. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import changed, placed, ready
from drivers.ganesha.kubernetes.observed import KINDS, READY, SILENT, Observed, about
from drivers.ganesha.kubernetes.shares import export_of
from drivers.ganesha.kubernetes.volumes import holds, running, since
from drivers.ganesha.managing import gateway_of
from drivers.ganesha.rules import Client, plan
from drivers.kubernetes import longhorn
from drivers.kubernetes.api import CLAIM, POD, SHARE_EXPORT, STATEFUL_SET, Object
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.ownership import Stray
from drivers.reconciling import Broken, Rows, Waiting
from generated.runtime import Row

SETTLED: Final = ("active", "error")
"""States of access rules that no task works on."""


def broken(seen: Observed, rows: Rows) -> Iterator[Broken]:
    """What has a row and is not there, or not as it should be."""
    for server in rows.servers:
        if why := server_fault(seen, gateway_of(server)):
            yield Broken("share_server", server["id"], why)
    for share in rows.shares:
        if why := share_fault(seen, share):
            yield Broken("share", share["id"], why)
    for snapshot in rows.snapshots:
        if why := snapshot_fault(seen, snapshot):
            yield Broken("snapshot", snapshot["id"], why)


def server_fault(seen: Observed, gateway_id: str) -> str:
    """What is wrong with a gateway that starting it again puts right; a pod that is away is its controller's."""
    found = seen.find(STATEFUL_SET, names.gateway(gateway_id))
    if found is None:
        return "its gateway is gone"
    if changed(found) or found["spec"].get("replicas") != 1:
        return "its gateway was changed"
    pod = seen.gateway(gateway_id)
    if pod is not None and not leaving(pod) and label(pod, names.SERVER) != gateway_id:
        return "its gateway's pod has lost its labels"
    state = f"state-{names.gateway_pod(gateway_id)}"
    if seen.find(CLAIM, state) is None and not (state in seen.objects[CLAIM.name] and ready(seen.gateway(gateway_id))):
        return "the claim of its gateway's state is gone"
    return ""


def share_fault(seen: Observed, share: Row) -> str:
    """What is wrong with a share; empty while its gateway is away: nothing can be put right before it has a node.

    A gateway that starts waits for its volumes, so they are looked after before it is ready.
    """
    name, server = str(share["id"]), share.get("share_server")
    if server is None:
        return ""
    claim = seen.claim_of(name)
    if claim is None:
        return "its volume is gone"
    gateway_id = gateway_of(server)
    pod = seen.gateway(gateway_id)
    node = _node(seen, pod)
    if not node:
        return ""
    holder = seen.objects[POD.name].get(names.holder(name))
    if holder is not None and _stays(holder) and not holds(holder, claim["metadata"]["name"], node):
        return "its volume is held on another node"
    if holder is None or not running(holder):
        return "" if holder is not None and _starts(holder) else "its volume is not held"
    if not ready(pod):
        return ""
    volume = seen.volumes.get(claim["spec"].get("volumeName", ""))
    match longhorn.trouble(volume, since(holder)):
        case longhorn.REMOUNT:
            return "its volume must be mounted again"
        case longhorn.FAULTED:
            return "its volume is faulted" if _is_exported(seen, name) else ""
    return _export_fault(seen, share, gateway_id, claim["metadata"]["name"])


def _is_exported(seen: Observed, share: str) -> bool:
    found = seen.find(SHARE_EXPORT, names.share(share))
    return found is not None and bool(found["spec"]["exported"])


def _export_fault(seen: Observed, share: Row, gateway_id: str, claim: str) -> str:
    found = seen.find(SHARE_EXPORT, names.share(share["id"]))
    if found is None:
        return "its export is gone"
    spec = found["spec"]
    if (spec["server"], spec["claim"], spec["mounted"], spec["exported"]) != (gateway_id, claim, True, True):
        return "its export was changed"
    rules = share.get("access_rules") or []
    if any(rule["state"] not in SETTLED for rule in rules):
        return ""
    if spec.get("readOnly"):
        return "its export was changed"
    return "" if _admits(spec, rules) else "its export has other clients"


def _admits(spec: Object, rules: Iterable[Row]) -> bool:
    """Whether an export is for the clients of those rules that are in force."""
    wanted = plan([rule for rule in rules if rule["state"] != "error"]).clients
    return bool(spec.get("clients", []) == [asdict(one) for one in wanted])


def snapshot_fault(seen: Observed, snapshot: Row) -> str:
    """What is wrong with a snapshot."""
    name = str(snapshot["id"])
    if seen.snapshot_of(name) is None:
        return "it is gone"
    rules = [{**rule, "access_level": "ro"} for rule in snapshot.get("access_rules") or []]
    if any(rule["state"] not in SETTLED for rule in rules) or all(rule["state"] == "error" for rule in rules):
        return ""
    view, shown = seen.find(CLAIM, names.view(name)), seen.find(SHARE_EXPORT, names.share(name))
    if view is None or shown is None or not shown["spec"]["exported"]:
        return "its view is gone"
    node, holder = _node(seen, seen.gateway(shown["spec"]["server"])), seen.find(POD, names.holder(name))
    if not node:
        return ""
    if holder is None or not holds(holder, view["metadata"]["name"], node):
        return "its view is not held"
    return "" if _admits(shown["spec"], rules) else "its view has other clients"


def _node(seen: Observed, pod: Object | None) -> str:
    """The node of a gateway that serves or is about to; empty where it has none, or one that does not answer."""
    if pod is None or not placed(pod):
        return ""
    node = str(pod["spec"]["nodeName"])
    return node if ready(pod) or seen.node_state(node) == READY else ""


def _stays(holder: Object) -> bool:
    """Whether a pod is not being removed and has not ended."""
    ended = (holder.get("status") or {}).get("phase") in ("Failed", "Succeeded")
    return "deletionTimestamp" not in holder["metadata"] and not ended


def clients(seen: Observed, gateway_id: str) -> list[Client]:
    """Whom the exports of a gateway admit."""
    own = (one for one in seen.of(SHARE_EXPORT) if one["spec"]["server"] == gateway_id and not leaving(one))
    return [client for one in own for client in export_of(one).clients]


def _starts(holder: Object) -> bool:
    """Whether a pod is on its way; one that is being removed or has ended is not."""
    phase = (holder.get("status") or {}).get("phase")
    return "deletionTimestamp" not in holder["metadata"] and phase in (None, "Pending")


def waiting(seen: Observed) -> Iterator[Waiting]:
    """Gateways on nodes that do not answer and of which nobody has said that they are out."""
    for pod in seen.of(POD, "gateway"):
        node = pod["spec"].get("nodeName")
        if seen.node_state(node) == SILENT:
            why = f"{node} does not answer: fence it, then declare it out of service"
            yield Waiting(about(pod), str(node), why)


def lost(seen: Observed) -> Iterator[Object]:
    """Pods on nodes of which it is certain that they are out."""
    for pod in seen.of(POD):
        if seen.node_state(pod["spec"].get("nodeName")) not in (READY, SILENT):
            yield pod


def strays(seen: Observed, known: Collection[str], kept: Callable[[str], bool]) -> Iterator[Stray]:
    """Objects of the back end that no row stands for, in the order in which they may be removed.

    Args:
        known: ids with a row.
        kept: whether something was let go of on purpose (unmanaged), and stays.
    """
    for kind in KINDS.values():
        for one in seen.of(kind):
            whose = about(one)
            if not whose or whose in known or kept(whose) or (kind is POD and one["metadata"].get("ownerReferences")):
                continue
            yield kind.name, one, whose
