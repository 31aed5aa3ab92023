"""What a cluster of the lab has before anybody asks: resource definitions, a storage class, the CSI side programs."""

from __future__ import annotations

import os
import pathlib
import socket
import sys

import yaml

from deploy.bootstrap import ROOT
from tests.lab import admission
from tests.lab.api import Api, Object
from tests.lab.certificates import Authority
from tests.lab.node import DRIVER
from tests.lab.place import Place, free_port
from tests.lab.processes import Processes, sh, wait

CLASS = "lab"
"""Name of the storage class and of the snapshot class."""
AWAY = f"{CLASS}-away"
"""Name of the snapshot class whose snapshots outlive their volume also where the storage copies late."""
LATE = "OPENKEEL_LAB_LATE"
"""Environment variable: time (as Go writes it, ``5s``) after which the storage copies what it has bound."""
POOL_SIZE = "20G"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
STORAGE = "/apis/storage.k8s.io/v1"
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"

NETWORK_ATTACHMENTS: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "network-attachment-definitions.k8s.cni.cncf.io"},
    "spec": {
        "group": "k8s.cni.cncf.io",
        "scope": "Namespaced",
        "names": {
            "plural": "network-attachment-definitions",
            "singular": "network-attachment-definition",
            "kind": "NetworkAttachmentDefinition",
            "shortNames": ["net-attach-def"],
        },
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {"type": "object", "properties": {"config": {"type": "string"}}},
                        },
                    }
                },
            }
        ],
    },
}


def define(api: Api, programs: pathlib.Path) -> None:
    """Snapshots and network attachments become resources of the API."""
    for file in sorted((programs / "crds").glob("snapshot.*.yaml")):
        api.apply(DEFINITIONS, yaml.safe_load(file.read_text()))
    api.apply(DEFINITIONS, NETWORK_ATTACHMENTS)
    wait("snapshots are served", lambda: api("GET", SNAPSHOTS)[0] == 200)


def make_pool(place: Place) -> None:
    """The file system that holds the volumes' images."""
    image = place.base / "pool.img"
    place.pool.mkdir(exist_ok=True)
    if not image.exists():
        sh("truncate", "-s", POOL_SIZE, str(image))
        sh("mkfs.xfs", "-q", "-m", "reflink=1", str(image))
    if not os.path.ismount(place.pool):
        sh("mount", "-o", "loop", str(image), str(place.pool))


def classes(api: Api) -> None:
    """The CSI driver, its storage class and its snapshot class."""
    driver = {"attachRequired": True, "podInfoOnMount": False, "fsGroupPolicy": "File"}
    api.apply(
        f"{STORAGE}/csidrivers",
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": DRIVER}, "spec": driver},
    )
    api.apply(
        f"{STORAGE}/storageclasses",
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": CLASS},
            "provisioner": DRIVER,
            "allowVolumeExpansion": True,
            "reclaimPolicy": "Delete",
            "volumeBindingMode": "Immediate",
        },
    )
    for name, parameters in ((CLASS, {}), (AWAY, {"type": "away"})):
        api.apply(
            f"{SNAPSHOTS}/volumesnapshotclasses",
            {
                "apiVersion": "snapshot.storage.k8s.io/v1",
                "kind": "VolumeSnapshotClass",
                "metadata": {"name": name},
                "driver": DRIVER,
                "deletionPolicy": "Delete",
                "parameters": parameters,
            },
        )


def start(api: Api, place: Place, processes: Processes, authority: Authority) -> None:
    """The controller's side of the driver, apart from the nodes so that it outlives them, and the side programs.

    Storage that copies late refuses growth for want of room before it is asked to grow, too.
    """
    socket = place.base / "csi.sock"
    where = ("-pool", str(place.pool), "-socket", str(socket), "-faults", str(place.faults))
    late = ("-late", os.environ.get(LATE) or "0s")
    processes.spawn("csi-controller", place.program("lab-csi"), "-name", DRIVER, "-node", "none", *where, *late)
    wait("the CSI controller", socket.exists)
    common = (f"--kubeconfig={authority.path('admin.kubeconfig')}", "--retry-interval-start=200ms")
    address = f"--csi-address={socket}"
    for name, more in (
        ("csi-provisioner", ("--extra-create-metadata", "--feature-gates=Topology=false")),
        ("csi-attacher", ()),
        ("csi-resizer", ()),
        ("csi-snapshotter", ()),
    ):
        processes.spawn(name, place.program(name), *common, address, *more)
    # else it waits for the definitions of group snapshots
    no_groups = "--feature-gates=CSIVolumeGroupSnapshot=false"
    processes.spawn("snapshot-controller", place.program("snapshot-controller"), *common, no_groups)
    if os.environ.get(LATE):
        _refuse(api, place, processes, authority)


def _refuse(api: Api, place: Place, processes: Processes, authority: Authority) -> None:
    """The webhook that refuses growth."""
    port = free_port()
    words = (sys.executable, "-m", "tests.lab.admission", str(place.pool), str(authority.folder), str(port))
    processes.spawn("storage-webhook", *words, PYTHONPATH=str(ROOT))
    wait("the storage's webhook listens", lambda: _listens(port))
    api.apply(WEBHOOKS, admission.configuration(port, CLASS, authority.text("ca.crt")))


def _listens(port: int) -> bool:
    with socket.create_connection((admission.LOCAL, port), 1):
        return True
