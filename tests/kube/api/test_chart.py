"""Every object of the chart is one that a real API server takes (server-side apply, dry run)."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import yaml

from deploy.helm import build
from tests.deploy.chart import rendered
from tests.kube.api import monitoring
from tests.lab.api import APPLY
from tests.lab.cluster import Cluster
from tests.lab.processes import wait
from tests.lab.storage import DEFINITIONS

pytestmark = pytest.mark.kube_api
STRICT = "fieldManager=helm&force=true&dryRun=All&fieldValidation=Strict"


def collection(lab: Cluster, one: dict[str, Any], namespace: str) -> str:
    """The path of an object's collection, as the server's discovery says it."""
    version = one["apiVersion"]
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    for known in lab.api.get(root)["resources"]:
        if known["kind"] == one["kind"] and "/" not in known["name"]:
            where = one["metadata"].get("namespace", namespace)
            return f"{root}/namespaces/{where}/{known['name']}" if known["namespaced"] else f"{root}/{known['name']}"
    raise LookupError(f"{version} {one['kind']}")


@pytest.fixture(scope="module")
def definition(lab: Cluster) -> None:
    wanted = yaml.safe_load((rendered.CHART / "crds" / "shareexports.yaml").read_text())
    lab.api.apply(DEFINITIONS, wanted)
    wait("ShareExports are served", lambda: lab.api("GET", "/apis/manila.openkeel.io/v1alpha1")[0] == 200)
    monitoring.define(lab.api)


@pytest.mark.parametrize("name", rendered.NAMES)
def test_dry_run(lab: Cluster, definition: None, name: str) -> None:
    found = rendered.documents(name)
    spaces = {one["metadata"].get("namespace", rendered.NAMESPACE) for one in found} | {rendered.NAMESPACE}
    for space in spaces:
        wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}
        lab.api.apply("/api/v1/namespaces", wanted)
    for one in found:
        path = f"{collection(lab, one, rendered.NAMESPACE)}/{one['metadata']['name']}"
        status, text = lab.api("PATCH", f"{path}?{STRICT}", one, kind=APPLY)
        assert status in (200, 201), f"{one['kind']} {one['metadata']['name']}: {json.loads(text)['message']}"
    print(f"{name}: {len(found)} objects taken")
    assert len(found) > 15


def test_a_wrong_object_is_refused(lab: Cluster, definition: None) -> None:
    (one,) = [found for found in rendered.documents("trial") if found["kind"] == "DaemonSet"]
    one["spec"]["template"]["spec"]["containers"][0]["imagePolicy"] = "Always"
    lab.api.apply("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "strict"}})
    path = f"/apis/apps/v1/namespaces/strict/daemonsets/{one['metadata']['name']}"
    one["metadata"]["namespace"] = "strict"
    status, text = lab.api("PATCH", f"{path}?{STRICT}", one, kind=APPLY)
    assert status in (400, 422, 500), text
    assert "imagePolicy" in text


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("ServiceMonitor", {"endpoints": [{"port": "metrics", "interval": "often"}]}),
        ("PodMonitor", {"podMetricsEndpoints": [{"path": "/metrics", "ports": "metrics"}]}),
        ("PrometheusRule", {"groups": [{"name": "x", "rules": [{"alert": "NoQuery"}]}]}),
    ],
)
def test_a_wrong_object_of_the_monitoring_is_refused(
    lab: Cluster, definition: None, kind: str, change: dict[str, Any]
) -> None:
    (one,) = [found for found in rendered.documents("full") if found["kind"] == kind]
    lab.api.apply("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "strict"}})
    one["metadata"]["namespace"] = "strict"
    path = f"{collection(lab, one, 'strict')}/{one['metadata']['name']}?{STRICT}"
    assert lab.api("PATCH", path, one, kind=APPLY)[0] in (200, 201)
    one["spec"] |= change
    status, text = lab.api("PATCH", path, one, kind=APPLY)
    assert status in (400, 422, 500), text


@pytest.mark.skipif(build.built() is None, reason=build.MISSING)
def test_another_content_of_a_secret_of_ones_own_restarts_every_program(lab: Cluster, definition: None) -> None:
    space = "secrets-change"
    lab.api.apply("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}})

    def pods() -> dict[str, str]:
        words = ("template", "x", str(rendered.CHART), "--namespace", space, "--values", rendered.values("minimal"))
        text = rendered.helm(*words, "--dry-run=server", "--kubeconfig", str(lab.kubeconfig)).stdout
        found = [one for one in yaml.safe_load_all(text) if one and one["kind"] == "Deployment"]
        return {one["metadata"]["name"]: json.dumps(one["spec"]["template"], sort_keys=True) for one in found}

    def holding(text: str) -> dict[str, str]:
        data = {"manila-secrets.conf": base64.b64encode(text.encode()).decode()}
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "manila-secrets"}, "data": data}
        lab.api.apply(f"/api/v1/namespaces/{space}/secrets", secret)
        return pods()

    nothing, first, second = pods(), holding("[database]\n"), holding("[neutron]\n")
    assert len(nothing) == 4
    for name in nothing:
        assert len({nothing[name], first[name], second[name]}) == 3, name
    assert pods() == second
