"""The chart's admission policy: who has the token of one node's agent can't speak for another node."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.definition import DEFINITION, shareexports
from drivers.kubernetes.api import POD, SHARE_EXPORT
from tests.deploy.chart import rendered
from tests.kube.api.test_chart import collection
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

pytestmark = pytest.mark.kube_api
MERGE = "application/merge-patch+json"
NODES = ("guarded-1", "guarded-2")
ELSEWHERE = "the gateway of this share is on another node"
KINDS = {"ServiceAccount", "Role", "RoleBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}


class Guarded:
    """What the chart makes for nodes' agents, and an agent's token of each node."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.api.apply(
            DEFINITION.path(None), {"apiVersion": DEFINITION.version, "kind": DEFINITION.name, **shareexports()}
        )
        wait("ShareExports are served", lambda: lab.api("GET", SHARE_EXPORT.path("default"))[0] == 200)
        found = [one for one in rendered.documents("full") if one["kind"] in KINDS]
        self.made = [one for one in found if one["metadata"]["name"].endswith(("-node-agent", "-node-agent-shares"))]
        assert {one["kind"] for one in self.made} == KINDS
        policy, _ = [one for one in self.made if one["kind"] == "ValidatingAdmissionPolicy"]
        user = re.search(r"serviceaccount:([^:]+):([^']+)'", policy["spec"]["matchConditions"][0]["expression"])
        assert user
        self.namespace, self.account = user.groups()
        wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}
        lab.api.apply("/api/v1/namespaces", wanted)
        for one in self.made:
            lab.api.apply(collection(lab, one, self.namespace), one)
        self.tokens = {}
        for node in NODES:
            lab.api.apply("/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node}})
            agent = self.pod(f"agent-{node}", node, self.account)
            self.pod(names.gateway_pod(node), node, **{names.ROLE: "gateway", names.SERVER: node})
            self.tokens[node] = self.token(agent)
            spec = {"server": node, "claim": "c", "mounted": True, "exported": True}
            made = {"apiVersion": SHARE_EXPORT.version, "kind": SHARE_EXPORT.name, "metadata": {"name": node}}
            lab.api.apply(SHARE_EXPORT.path(self.namespace), {**made, "spec": spec})

    def pod(self, name: str, node: str, account: str = "default", **labels: str) -> Any:
        """A pod on a node."""
        accounts = f"/api/v1/namespaces/{self.namespace}/serviceaccounts"
        made = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": account}}
        self.lab.api.apply(accounts, made)
        container = {"name": "c", "image": "x"}
        spec = {"nodeName": node, "serviceAccountName": account, "containers": [container]}
        wanted = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels}, "spec": spec}
        return self.lab.api.apply(POD.path(self.namespace), wanted)

    def token(self, pod: Any = None) -> str:
        """A token of the agents' account; as a kubelet gets it, for a pod."""
        spec: dict[str, Any] = {"expirationSeconds": 3600}
        if pod is not None:
            about = {"kind": "Pod", "apiVersion": "v1", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
            spec["boundObjectRef"] = about
        wanted = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
        path = f"/api/v1/namespaces/{self.namespace}/serviceaccounts/{self.account}/token"
        status, text = self.lab.api("POST", path, wanted)
        assert status == 201, text
        return str(json.loads(text)["status"]["token"])

    def plugs(self, token: str, gateway: str, host: str) -> tuple[int, str]:
        """Say on which host a gateway is plugged."""
        condition = {"type": names.ATTACHED, "status": "True", "reason": "Installed", "message": host}
        path = f"{POD.path(self.namespace)}/{names.gateway_pod(gateway)}/status"
        kind = "application/strategic-merge-patch+json"
        return self.lab.api("PATCH", path, {"status": {"conditions": [condition]}}, kind=kind, token=token)

    def reports(self, token: str, share: str, node: str) -> tuple[int, str]:
        """Say what a gateway does with a share."""
        path = f"{SHARE_EXPORT.path(self.namespace)}/{share}/status"
        status = {"node": node, "mounted": True, "exported": True} if node else {"exported": True}
        return self.lab.api("PATCH", path, {"status": status}, kind=MERGE, token=token)

    def remove(self) -> None:
        """What has no namespace would be in force for other tests."""
        for one in self.made:
            if one["kind"].startswith("Validating"):
                self.lab.api("DELETE", f"{collection(self.lab, one, self.namespace)}/{one['metadata']['name']}")
        for node in NODES:
            self.lab.api("DELETE", f"/api/v1/nodes/{node}")


@pytest.fixture(scope="module")
def guarded(lab: Lab) -> Any:
    made = Guarded(lab)
    one, two = NODES
    # it takes a moment until a policy is in force
    wait("the policy is in force", lambda: made.plugs(made.tokens[one], two, one)[0] == 422, 30)
    wait("the other, too", lambda: made.reports(made.tokens[one], two, one)[0] == 422, 30)
    yield made
    made.remove()


def test_an_agent_reports_for_its_own_node(guarded: Guarded) -> None:
    for node in NODES:
        for status, text in (
            guarded.plugs(guarded.tokens[node], node, node),
            guarded.reports(guarded.tokens[node], node, node),
        ):
            assert status == 200, text


def test_and_for_no_other(guarded: Guarded) -> None:
    one, two = NODES
    token = guarded.tokens[one]
    for status, text in (
        guarded.plugs(token, two, one),
        guarded.plugs(token, two, two),
        guarded.reports(token, two, two),
        guarded.reports(token, one, two),
    ):
        # of two policies that refuse it, either may be named
        assert status == 422 and ("reports for its own node" in text or ELSEWHERE in text), text


def test_nor_of_a_gateway_that_is_on_another_node(guarded: Guarded) -> None:
    """That it is served by a node of which the token is true."""
    one, two = NODES
    for here, there in ((one, two), (two, one)):
        status, text = guarded.reports(guarded.tokens[here], there, here)
        assert status == 422 and ELSEWHERE in text, text


def test_a_gateway_that_moves_is_spoken_of_by_where_it_is(guarded: Guarded) -> None:
    one, two = NODES
    pod, names_of = names.gateway_pod("moving"), {names.ROLE: "gateway", names.SERVER: "moving"}
    spec = {"server": "moving", "claim": "c", "mounted": True, "exported": True}
    made = {"apiVersion": SHARE_EXPORT.version, "kind": SHARE_EXPORT.name, "metadata": {"name": "moving"}}
    guarded.lab.api.apply(SHARE_EXPORT.path(guarded.namespace), {**made, "spec": spec})
    for node, other in ((one, two), (two, one)):
        guarded.pod(pod, node, **names_of)
        wait("it may", lambda node=node: guarded.reports(guarded.tokens[node], "moving", node)[0] == 200, 10)  # type: ignore[misc]
        assert guarded.reports(guarded.tokens[other], "moving", other)[0] == 422
        guarded.lab.api("DELETE", f"{POD.path(guarded.namespace)}/{pod}", {"gracePeriodSeconds": 0})
        # nobody has it: where it was its volume is unbound, and that is told
        wait("it may", lambda node=node: guarded.reports(guarded.tokens[node], "moving", node)[0] == 200, 10)  # type: ignore[misc]


def test_a_token_of_no_pod_says_nothing(guarded: Guarded) -> None:
    """As one that was made for use elsewhere."""
    for status, text in (
        guarded.plugs(guarded.token(), NODES[0], NODES[0]),
        guarded.reports(guarded.token(), NODES[0], NODES[0]),
    ):
        assert status == 422 and ("bound to a pod on a node" in text or ELSEWHERE in text), text


def test_nobody_else_is_concerned(guarded: Guarded) -> None:
    condition = {"type": "Ready", "status": "True"}
    path = f"{POD.path(guarded.namespace)}/{names.gateway_pod(NODES[1])}/status"
    kind = "application/strategic-merge-patch+json"
    status, text = guarded.lab.api("PATCH", path, {"status": {"conditions": [condition]}}, kind=kind)
    assert status == 200, text
