"""Where the pods that keep shares open run, and with what their image is fetched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drivers.rwx import objects
from drivers.rwx.options import RwxOptions, check
from generated.errors import ShareBackendException

PLAIN = RwxOptions(name="rwx", share_backend_name="rwx", driver_handles_share_servers=False)


def test_a_keeper_heeds_registry_and_nodes() -> None:
    told = replace(
        PLAIN,
        kubernetes_pull_secrets="one, two",
        kubernetes_node_selector='{"storage": "yes"}',
        kubernetes_tolerations='[{"key": "storage", "operator": "Exists"}]',
    )
    pod = objects.keeper(told, "i1", 1)["spec"]["template"]["spec"]
    assert pod["imagePullSecrets"] == [{"name": "one"}, {"name": "two"}]
    assert pod["nodeSelector"] == {"storage": "yes"}
    assert pod["tolerations"] == [{"key": "storage", "operator": "Exists"}]


def test_a_keeper_that_is_told_nothing_names_none() -> None:
    pod = objects.keeper(PLAIN, "i1", 1)["spec"]["template"]["spec"]
    assert not pod.keys() & {"imagePullSecrets", "nodeSelector", "tolerations"}


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("kubernetes_node_selector", replace(PLAIN, kubernetes_node_selector="{")),
        ("kubernetes_tolerations", replace(PLAIN, kubernetes_tolerations="{")),
    ],
)
def test_an_option_that_is_no_json_is_named(option: str, told: RwxOptions) -> None:
    with pytest.raises(ShareBackendException, match=f"{option} is no JSON"):
        check(told)
