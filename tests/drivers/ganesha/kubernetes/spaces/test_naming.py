"""Names and labels of projects' namespaces."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from drivers.ganesha.kubernetes.spaces import naming
from drivers.kubernetes.api import OWNER
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS

PROJECTS = ("6c0f4b1e8d0e4f639d0c2f0f7f6a9a11", "default", "A.B_c", "x" * 255, "6c0f4b1e8d0e4f639d0c2f0f7f6a9a12", "--")
MANY = replace(OPTIONS, kubernetes_namespace_form="project")


@pytest.mark.parametrize("home", ["g", OPTIONS.kubernetes_namespace, "h" * 50])
def test_every_name_is_a_dns_label_of_its_own(home: str) -> None:
    options = replace(MANY, kubernetes_namespace=home)
    naming.check(options)
    found = [naming.of_project(options, one) for one in PROJECTS]
    assert found == [naming.of_project(options, one) for one in PROJECTS]
    assert len(set(found)) == len(PROJECTS)
    for name in found:
        assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", name) and len(name) <= 63, name
        assert name.startswith(f"{home}-") and naming.may_be_ours(options, name)


def test_each_back_end_has_its_own_and_an_unknown_project_none() -> None:
    other = replace(MANY, share_backend_name="other")
    assert naming.of_project(MANY, "p") != naming.of_project(other, "p")
    assert naming.of_project(MANY, "") == MANY.kubernetes_namespace
    assert not naming.may_be_ours(MANY, f"{MANY.kubernetes_namespace}x")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"kubernetes_namespace_form": "tenant"}, "must be one of single, project"),
        ({"kubernetes_namespace_form": "project", "kubernetes_namespace": "h" * 51}, "may have 50 characters"),
    ],
)
def test_what_gives_no_names_is_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(ShareBackendException, match=why):
        naming.check(replace(OPTIONS, **changed))


def test_one_namespace_may_have_any_name() -> None:
    naming.check(replace(OPTIONS, kubernetes_namespace="h" * 63))


def test_only_what_was_made_so_is_proven() -> None:
    name = naming.of_project(MANY, "p")
    made = naming.wanted(MANY, name, "p", "s1")
    assert naming.servers(made) == {"s1"}
    assert not naming.is_proven(MANY, made, "me"), "nothing says who made it"
    made["metadata"]["annotations"][OWNER] = "me"
    assert naming.is_proven(MANY, made, "me")
    assert not naming.is_proven(MANY, made, "other") and not naming.is_proven(MANY, made, "")
    assert not naming.is_proven(replace(MANY, share_backend_name="other"), made, "me")
    renamed = {"metadata": {**made["metadata"], "name": f"{MANY.kubernetes_namespace}-mine"}}
    assert not naming.is_proven(MANY, renamed, "me"), "an operator's name"
