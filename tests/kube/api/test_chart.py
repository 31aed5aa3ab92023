"""Every object of the chart is one that a real API server takes (server-side apply, dry run)."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tests.deploy.chart import rendered
from tests.lab.api import APPLY
from tests.lab.cluster import Cluster
from tests.lab.processes import wait

pytestmark = pytest.mark.kube_api
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WITHOUT_DEFINITION = {"ServiceMonitor", "PodMonitor", "PrometheusRule"}
"""Kinds of Prometheus' operator, whose definitions nobody here has."""


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


@pytest.mark.parametrize("name", rendered.NAMES)
def test_dry_run(lab: Cluster, definition: None, name: str) -> None:
    found = rendered.documents(name)
    spaces = {one["metadata"].get("namespace", rendered.NAMESPACE) for one in found} | {rendered.NAMESPACE}
    for space in spaces:
        wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}
        lab.api.apply("/api/v1/namespaces", wanted)
    taken, left = 0, []
    for one in found:
        if one["kind"] in WITHOUT_DEFINITION:
            left.append(one["kind"])
            continue
        path = f"{collection(lab, one, rendered.NAMESPACE)}/{one['metadata']['name']}"
        query = "fieldManager=helm&force=true&dryRun=All&fieldValidation=Strict"
        status, text = lab.api("PATCH", f"{path}?{query}", one, kind=APPLY)
        assert status in (200, 201), f"{one['kind']} {one['metadata']['name']}: {json.loads(text)['message']}"
        taken += 1
    print(f"{name}: {taken} objects taken; without definition here: {left or 'none'}")
    assert taken > 15


def test_a_wrong_object_is_refused(lab: Cluster, definition: None) -> None:
    (one,) = [found for found in rendered.documents("trial") if found["kind"] == "DaemonSet"]
    one["spec"]["template"]["spec"]["containers"][0]["imagePolicy"] = "Always"
    lab.api.apply("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "strict"}})
    path = f"/apis/apps/v1/namespaces/strict/daemonsets/{one['metadata']['name']}"
    one["metadata"]["namespace"] = "strict"
    query = "fieldManager=helm&force=true&dryRun=All&fieldValidation=Strict"
    status, text = lab.api("PATCH", f"{path}?{query}", one, kind=APPLY)
    assert status in (400, 422, 500), text
    assert "imagePolicy" in text
