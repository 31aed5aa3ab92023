"""The chart on a running cluster: two releases, an upgrade, a roll-back, and nothing left after their removal."""

from __future__ import annotations

import json
import pathlib
import time
import urllib.error
import urllib.request
from typing import Any

import pytest
import yaml

from deploy.helm import build as helm_build
from tests.deploy.chart.rendered import CHART
from tests.kube.node.asking import asking
from tests.kube.node.release import API, Databases, Helm, address
from tests.lab.cluster import Cluster
from tests.lab.processes import wait

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.allow_hosts(["10.88.0.0/16", "127.0.0.1"]),
    pytest.mark.skipif(helm_build.built() is None, reason=helm_build.MISSING),
]
TOKENS = pathlib.Path(__file__).parent.parent.parent / "conformance" / "vendored" / "tokens.json"
RELEASES = ("first", "second")
KINDS = "deployments,statefulsets,daemonsets,jobs,pods,services,configmaps,secrets,serviceaccounts,roles,rolebindings"
KINDS += ",networkpolicies,poddisruptionbudgets,persistentvolumeclaims,persistentvolumes,clusterroles"
KINDS += ",clusterrolebindings,priorityclasses"


def values(release: str, database: str, **more: object) -> str:
    """Values of a release in the lab."""
    whole: dict[str, Any] = {
        "conf": {
            "DEFAULT": {"report_interval": 2},
            "keystone_authtoken": {"auth_type": "none", "www_authenticate_uri": "http://keystone.example"},
            "neutron": {"auth_type": "none", "url": "http://127.0.0.1:1"},
            "openkeel": {"static_tokens": "/etc/manila/tokens.json", "static_tokens_anywhere": True},
        },
        "files": {"tokens.json": TOKENS.read_text()},
        "secretConf": {"sections": {"database": {"connection": database}}},
        "backends": {
            "ganesha": {
                "share_driver": "ganesha-kubernetes",
                "driver_handles_share_servers": True,
                "kubernetes_storage_class": "lab",
                "kubernetes_snapshot_class": "lab",
            }
        },
        "image": {"pullPolicy": "Never", "tag": "latest"},
        **{part: {"replicas": 1} for part in ("api", "scheduler", "share", "data")},
        **more,
    }
    return yaml.safe_dump(whole)


def ask(lab: Cluster, release: str, path: str, token: str = "admin-token") -> Any:
    """What the release's API answers."""
    where = address(lab, release, API)
    headers = {"X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.80"}
    request = urllib.request.Request(f"http://{where}:8786/v2{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())


def everything(lab: Cluster) -> set[str]:
    """Names of all objects of the kinds that a release makes, whoever made them."""
    text = lab.kubectl("get", KINDS, "--all-namespaces", "--output", "json")
    return {
        f"{one['kind']} {one['metadata'].get('namespace', '')} {one['metadata']['name']}"
        for one in json.loads(text)["items"]
    }


def programs_up(lab: Cluster, release: str) -> bool:
    """Whether every service of the release reports as up."""
    found = ask(lab, release, "/services")["services"]
    names = {one["binary"] for one in found if one["state"] == "up"}
    return {"manila-share", "manila-scheduler", "manila-data"} <= names


def test_two_releases_upgrade_roll_back_and_go(lab: Cluster, helm: Helm, databases: Databases) -> None:
    before, place = everything(lab), {"path": str(lab.place.gateways)}
    for release in RELEASES:
        begin = time.monotonic()
        words = ("install", release, str(CHART), "--namespace", release, "--create-namespace")
        helm(*words, "--wait", "--timeout", "8m", text=values(release, databases[release], gateways=place))
        print(f"{release}: installed and ready after {time.monotonic() - begin:.1f} s")
    for release in RELEASES:
        wait(f"{release} works", lambda release=release: programs_up(lab, release), 180)  # type: ignore[misc]
        assert ask(lab, release, "/shares", "member-a-token") == {"shares": []}
    _roles(lab)

    begin = time.monotonic()
    text = values("first", databases["first"], gateways=place, policy='"share:get_all": "!"\n')
    with asking(lab, "first") as asked:
        helm("upgrade", "first", str(CHART), "--namespace", "first", "--wait", "--timeout", "8m", text=text)
        print(f"first: upgraded after {time.monotonic() - begin:.1f} s")
        wait("one API pod is left", lambda: address(lab, "first", API) is not None, 180)
    print(f"first meanwhile: {asked}")
    assert asked.good and not asked.bad
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(lab, "first", "/shares", "member-a-token")
    assert refused.value.code == 403
    refused.value.close()
    assert ask(lab, "second", "/shares", "member-a-token") == {"shares": []}

    begin = time.monotonic()
    helm("rollback", "first", "1", "--namespace", "first", "--wait", "--timeout", "8m")
    print(f"first: rolled back after {time.monotonic() - begin:.1f} s")
    wait("one API pod is left", lambda: address(lab, "first", API) is not None, 180)
    assert ask(lab, "first", "/shares", "member-a-token") == {"shares": []}

    for release in RELEASES:
        begin = time.monotonic()
        helm("uninstall", release, "--namespace", release, "--wait", "--timeout", "5m")
        print(f"{release}: gone after {time.monotonic() - begin:.1f} s")
    own = [f"{release}-openkeel-manila-gateways" for release in RELEASES]
    for space in own:  # kept, since it holds tenants' volumes
        assert lab.api("GET", f"/api/v1/namespaces/{space}")[0] == 200
    for space in (*own, *RELEASES):
        lab.api("DELETE", f"/api/v1/namespaces/{space}")
    wait("the namespaces are gone", lambda: all(_gone(lab, space) for space in (*own, *RELEASES)), 120)
    assert {one for one in everything(lab) - before if "kube-root-ca.crt" not in one} == set()


def _gone(lab: Cluster, space: str) -> bool:
    return lab.api("GET", f"/api/v1/namespaces/{space}")[0] == 404


def _roles(lab: Cluster) -> None:
    """The share manager's account may what it needs in its own gateways' namespace, and nothing in the other's."""
    space = "first-openkeel-manila-gateways"
    assert _may(lab, space, "apps", "statefulsets", "create")
    assert _may(lab, space, "", "persistentvolumeclaims", "delete")
    assert not _may(lab, space.replace("first", "second"), "apps", "statefulsets", "create")
    assert not _may(lab, "first", "", "secrets", "get")
    assert not _may(lab, space, "", "pods/exec", "create")


def _may(lab: Cluster, namespace: str, group: str, resource: str, verb: str) -> bool:
    kind, _, part = resource.partition("/")
    asked = {"namespace": namespace, "group": group, "resource": kind, "subresource": part, "verb": verb}
    spec = {"user": "system:serviceaccount:first:first-openkeel-manila-share", "resourceAttributes": asked}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
    status, text = lab.api("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
    assert status == 201, text
    return bool(json.loads(text)["status"]["allowed"])
