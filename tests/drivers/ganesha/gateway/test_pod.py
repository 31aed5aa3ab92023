"""What a gateway's programs read from their environment, and how they wait for news."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from drivers.ganesha.gateway import exports, identities, records
from drivers.ganesha.gateway.notices import Notices, first_of
from drivers.ganesha.gateway.pod import Gateway
from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attachments import Attached
from drivers.ganesha.kubernetes.node_agent import Places
from drivers.ganesha.ports import Address, Export, Server
from drivers.kubernetes.api import Object
from tests.drivers.ganesha.kubernetes.fake import OPTIONS

SERVER = Server("s1", (Address("10.0.0.50", 24, "n"), Address("fd00::50", 64, "m")))


def test_a_pod_says_all_that_its_programs_need() -> None:
    made = manifests.gateway(OPTIONS, SERVER, Attached({}, ("net1", "net2")))
    for container in made["spec"]["template"]["spec"]["containers"]:
        said = {one["name"]: one.get("value", "the-uid") for one in container["env"]}
        found = Gateway.described(said)
        assert (found.server, found.pod, found.interfaces) == ("s1", "the-uid", ("net1", "net2"))
        assert found.addresses == ("10.0.0.50", "fd00::50")
        assert (found.grace, found.lease) == (OPTIONS.ganesha_grace_period, OPTIONS.ganesha_lease_lifetime)
        assert {one["mountPath"] for one in container["volumeMounts"]} >= {"/shares", "/state", "/run/gateway"}
    assert made["spec"]["updateStrategy"] == {"type": "OnDelete"}
    (near,) = made["spec"]["template"]["spec"]["affinity"]["podAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]
    held = manifests.holder(OPTIONS, "i1", "share-i1", "node-1", {names.SERVER: "s1", names.ROLE: "holder"})
    assert near["podAffinityTerm"]["labelSelector"]["matchLabels"].items() <= held["metadata"]["labels"].items()


def test_only_the_agent_has_the_orders_and_only_it_may_filter() -> None:
    ganesha, agent = manifests.gateway(OPTIONS, SERVER, Attached({}))["spec"]["template"]["spec"]["containers"]
    assert "/control" not in {one["mountPath"] for one in ganesha["volumeMounts"]}
    assert "NET_ADMIN" in agent["securityContext"]["capabilities"]["add"]
    assert "NET_ADMIN" not in ganesha["securityContext"]["capabilities"]["add"]


def _containers() -> tuple[Object, list[Object]]:
    """Those of a gateway and a holder, with the pods' own settings beside each."""
    pod = manifests.gateway(OPTIONS, SERVER, Attached({}))["spec"]["template"]["spec"]
    held = manifests.holder(OPTIONS, "i1", "share-i1", "node-1", {})["spec"]
    return pod, [{**one, "pod": spec} for spec in (pod, held) for one in spec["containers"]]


def test_gateways_and_holders_are_not_privileged() -> None:
    pod, containers = _containers()
    added = {}
    for one in containers:
        own, spec = one["securityContext"], one["pod"]
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & spec.keys()
        assert own["allowPrivilegeEscalation"] is False and own["readOnlyRootFilesystem"] is True
        assert "privileged" not in own and own["capabilities"]["drop"] == ["ALL"]
        assert "memory" in one["resources"]["limits"]
        added[one["name"]] = set(own["capabilities"].get("add", []))
    ganesha = {"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "SETGID", "SETUID"}
    assert added == {"ganesha": ganesha, "agent": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "NET_ADMIN"}, "holder": set()}
    held = containers[-1]
    assert held["securityContext"]["runAsNonRoot"] is True
    assert not any("hostPath" in one for one in held["pod"]["volumes"])
    assert {one["name"] for one in pod["volumes"] if "hostPath" in one} == {"shares", "control", "devices"}


def test_a_pod_can_change_no_folder_of_its_node() -> None:
    pod, containers = _containers()
    folders = {one["name"] for one in pod["volumes"] if "hostPath" in one}
    for one in containers:
        for at in one["volumeMounts"]:
            assert at.get("readOnly") or at["name"] not in folders, (one["name"], at)
    (answers,) = [one for one in pod["volumes"] if one["name"] == "answers"]
    assert answers["emptyDir"] == {"medium": "Memory", "sizeLimit": "16Mi"}
    # where the node's agent looks for them
    assert Places(pathlib.Path("/pods"), pathlib.Path("/g")).answers("u").parts[-2:] == (
        "kubernetes.io~empty-dir",
        answers["name"],
    )


def test_what_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="GATEWAY_ADDRESSES"):
        Gateway.described({"GATEWAY_SERVER": "s1"})


async def test_a_file_put_in_place_is_told(tmp_path: pathlib.Path) -> None:
    changed = asyncio.Event()
    notices = Notices(changed)
    try:
        notices.watch(tmp_path)
        (tmp_path / "new").write_text("x")
        await first_of(0.05, changed)
        assert not changed.is_set()  # it is not whole yet
        (tmp_path / "new").rename(tmp_path / "whole")
        await first_of(5.0, changed)
        assert changed.is_set()
        with pytest.raises(OSError, match="missing"):
            notices.watch(tmp_path / "missing")
    finally:
        notices.close()


def test_an_export_that_comes_back_has_its_number(tmp_path: pathlib.Path) -> None:
    for name in exports.FOLDERS:
        (tmp_path / name).mkdir()
    numbers = [records.write(tmp_path, Export(name, "/m", "s")) for name in ("a", "b")]
    (tmp_path / "records" / "a.json").unlink()
    assert records.write(tmp_path, Export("c", "/m", "s")) not in numbers
    assert records.write(tmp_path, Export("a", "/m", "s")) == numbers[0]


def test_a_share_is_who_it_is_whatever_device_it_is_on(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "identities"
    identities.write(file, ["b", "a"], pathlib.Path("/dev/shares"))
    first, second = file.read_text().splitlines()
    assert f'UUID="{identities.identity("a")}"' in first and first.endswith(">/dev/shares/a</device>")
    assert identities.identity("b") in second and identities.identity("a") != identities.identity("b")
    written = file.stat().st_ino
    identities.write(file, ["a", "b"], pathlib.Path("/dev/shares"))
    assert file.stat().st_ino == written
