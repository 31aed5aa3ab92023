"""An option's default is declared in ``spec/``; what drivers are told by default in tests is the same."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields

import pytest

from deploy.bootstrap import ROOT
from drivers.base import BackendOptions
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.options import GaneshaOptions
from drivers.rwx.options import RwxOptions
from generated.options import BACKEND, OPTIONS

DECLARED = {one.field: one for one in OPTIONS if one.section == BACKEND}
KINDS = (BackendOptions, GaneshaOptions, KubernetesOptions, RwxOptions)
OF_ORIGINAL = "ganesha_config_dir", "ganesha_config_path", "ganesha_service_name", "ganesha_db_path"
"""The original's, which begin as ours do; so do its ``ganesha_export_*`` and ``ganesha_rados_*``."""


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_are_those_that_are_declared(kind: type[BackendOptions]) -> None:
    told = {one.name: one.default for one in fields(kind) if one.name != "name" and one.default is not MISSING}
    assert not told.keys() - DECLARED.keys()
    declared = {name: DECLARED[name].default for name in told}
    # without one the driver has its own word
    assert {name: value for name, value in told.items() if declared[name] is not None} == {
        name: value for name, value in declared.items() if value is not None
    }


def test_every_option_of_ours_is_told_to_a_driver() -> None:
    told = {one.name for kind in KINDS for one in fields(kind)}
    ours = {name for name in DECLARED if name.startswith(("kubernetes_", "ganesha_"))} - set(OF_ORIGINAL)
    left = {name for name in ours if not name.startswith(("ganesha_export_", "ganesha_rados_"))} - told
    assert not left


def test_the_page_of_shares_without_servers_names_what_it_heeds() -> None:
    text = (ROOT / "docs" / "rwx.md").read_text()
    own = {one.name for one in fields(RwxOptions) if one.name.startswith("kubernetes_")}
    assert {name for name in re.findall(r"kubernetes_[a-z_]*[a-z]", text) if name in DECLARED} == own
