"""The lab that these tests run beside: ``python3 noxfile.py kube_api`` or ``kube_node`` starts it."""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Iterator

import pytest

from tests.lab.cluster import Cluster
from tests.lab.processes import wait

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def lab() -> Cluster:
    """The running lab."""
    folder = os.environ.get("OPENKEEL_LAB")
    if not folder:
        pytest.skip("no lab is running: `python3 noxfile.py kube_api` or `kube_node` starts one")
    return Cluster.load(pathlib.Path(folder))


@pytest.fixture
def namespace(lab: Cluster) -> Iterator[str]:
    """A namespace of the test's own that admits privileged pods; its removal is asked for, not waited for."""
    name = f"test-{os.getpid()}-{next(_numbers)}"
    labels = {"pod-security.kubernetes.io/enforce": "privileged"}
    wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    lab.api.apply("/api/v1/namespaces", wanted)
    if "controller-manager" in lab.processes:
        account = f"/api/v1/namespaces/{name}/serviceaccounts/default"
        wait("the namespace has its account", lambda: lab.api("GET", account)[0] == 200)
    yield name
    lab.api("DELETE", f"/api/v1/namespaces/{name}")
