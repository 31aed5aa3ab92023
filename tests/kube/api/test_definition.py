"""The ShareExport resource on a real API server: what it takes, what it refuses, what an operator is shown."""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes.definition import DEFINITION, shareexports
from drivers.kubernetes.api import SHARE_EXPORT, Cluster, Object, Refused
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

pytestmark = pytest.mark.kube_api
TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
"""How kubectl asks for what it prints."""


@pytest.fixture
async def cluster(lab: Lab, namespace: str) -> AsyncIterator[Cluster]:
    """The product's client; ShareExports are defined."""
    one = Cluster(str(lab.kubeconfig))
    await one.apply(DEFINITION, shareexports())
    wait("ShareExports are served", lambda: lab.api("GET", SHARE_EXPORT.path(namespace))[0] == 200)
    try:
        yield one
    finally:
        await one.close()


def _export(namespace: str) -> Object:
    spec: Object = {"server": "s1", "claim": "share-i1", "mounted": True, "exported": True, "squash": "None"}
    spec |= {"readOnly": False, "root": {"uid": 0, "gid": 0, "mode": 0o777}}
    spec["clients"] = [{"network": "10.0.0.0/24", "access": "RW"}, {"network": "fd00::/64", "access": "RO"}]
    return {"metadata": {"name": "share-i1", "namespace": namespace}, "spec": spec}


async def test_the_definition_is_taken_without_complaint(lab: Lab, cluster: Cluster) -> None:
    found = await cluster.get(DEFINITION, "shareexports.manila.openkeel.io")
    assert found is not None
    conditions = {one["type"]: one["status"] for one in found["status"]["conditions"]}
    assert conditions["Established"] == conditions["NamesAccepted"] == "True"
    assert "NonStructuralSchema" not in conditions


async def test_a_whole_export_is_kept_to_the_last_field(cluster: Cluster, namespace: str) -> None:
    wanted = _export(namespace)
    made = await cluster.create(SHARE_EXPORT, wanted)
    assert made["spec"] == wanted["spec"]


BAD = {
    "no server": {"server": None},
    "no claim": {"claim": None},
    "an access that is none": {"clients": [{"network": "10.0.0.0/24", "access": "ADMIN"}]},
    "a client without a network": {"clients": [{"access": "RW"}]},
    "half a root": {"root": {"uid": 0}},
    "exported said in words": {"exported": "yes"},
    "a mode that is no number": {"root": {"uid": 0, "gid": 0, "mode": "0777"}},
    "too many clients": {"clients": [{"network": "10.0.0.0/24", "access": "RW"}] * 5001},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD.keys())
async def test_what_makes_no_sense_is_refused(cluster: Cluster, namespace: str, change: Object) -> None:
    wanted = _export(namespace)
    wanted["spec"] = {name: value for name, value in (wanted["spec"] | change).items() if value is not None}
    with pytest.raises(Refused) as refused:
        await cluster.create(SHARE_EXPORT, wanted)
    assert (refused.value.status, refused.value.reason) == (422, "Invalid")


async def test_one_that_says_nothing_is_refused(cluster: Cluster, namespace: str) -> None:
    wanted = _export(namespace)
    del wanted["spec"]
    with pytest.raises(Refused, match="spec") as refused:
        await cluster.create(SHARE_EXPORT, wanted)
    assert refused.value.status == 422


async def test_five_thousand_clients_fit(cluster: Cluster, namespace: str) -> None:
    wanted = _export(namespace)
    networks = [f"10.{number // 256}.{number % 256}.0/24" for number in range(5000)]
    wanted["spec"]["clients"] = [{"network": one, "access": "RW"} for one in networks]
    made = await cluster.create(SHARE_EXPORT, wanted)
    assert len(made["spec"]["clients"]) == 5000


async def test_an_operator_sees_what_is_served_and_why_not(lab: Lab, cluster: Cluster, namespace: str) -> None:
    for number, message in enumerate(("", "the volume is not mounted")):
        wanted = copy.deepcopy(_export(namespace))
        wanted["metadata"]["name"] = f"share-i{number}"
        await cluster.create(SHARE_EXPORT, wanted)
        status = {"observedGeneration": 1, "node": "lab1", "mounted": not number, "exported": not number}
        change = {"status": {**status, "message": message}}
        await cluster.merge(SHARE_EXPORT, f"share-i{number}", namespace, change, "status")
    code, text = lab.api("GET", SHARE_EXPORT.path(namespace), accept=TABLE)
    assert code == 200
    table = json.loads(text)
    shown = [[one["name"] for one in table["columnDefinitions"]], *[one["cells"] for one in table["rows"]]]
    print("", *shown, sep="\n")
    assert shown == [
        ["Name", "Server", "Node", "Mounted", "Exported", "Wanted", "Enforced", "Message"],
        ["share-i0", "s1", "lab1", True, True, 1, 1, ""],
        ["share-i1", "s1", "lab1", False, False, 1, 1, "the volume is not mounted"],
    ]
    if (lab.place.programs / "kubectl").exists():  # not where the API server alone was built
        assert "the volume is not mounted" in lab.kubectl("-n", namespace, "get", "shx")


async def test_what_root_may_do_is_not_changed_by_hand(cluster: Cluster, namespace: str) -> None:
    """No row says it; what was withdrawn may be published anew."""
    await cluster.create(SHARE_EXPORT, _export(namespace))
    with pytest.raises(Refused, match="chosen when the share was made"):
        await cluster.merge(SHARE_EXPORT, "share-i1", namespace, {"spec": {"squash": "No_Root_Squash"}})
    await cluster.merge(SHARE_EXPORT, "share-i1", namespace, {"spec": {"squash": "None", "exported": False}})
    await cluster.merge(SHARE_EXPORT, "share-i1", namespace, {"spec": {"squash": None}})
    made = await cluster.merge(SHARE_EXPORT, "share-i1", namespace, {"spec": {"squash": "Root_Squash"}})
    assert made is not None and made["spec"]["squash"] == "Root_Squash"
