"""The chart as helm sees it."""

from __future__ import annotations

import pathlib

import pytest
import yaml

from cli import config
from deploy.helm import build
from tests.deploy.chart import rendered

pytestmark = pytest.mark.skipif(build.built() is None, reason="helm is not built: `python3 noxfile.py chart` builds it")


@pytest.mark.parametrize("name", rendered.NAMES)
def test_lint(name: str) -> None:
    said = rendered.helm("lint", "--strict", str(rendered.CHART), "--values", rendered.values(name)).stdout
    assert "0 chart(s) failed" in said


@pytest.mark.parametrize("name", rendered.NAMES)
def test_golden(name: str) -> None:
    assert rendered.render(name) == rendered.golden(name), "look, then `python -m tests.deploy.chart.rendered`"


def refused(*pairs: str) -> str:
    """What helm says of settings."""
    words = [word for pair in pairs for word in ("--set", pair)]
    done = rendered.helm("template", "x", str(rendered.CHART), *words, check=False)
    assert done.returncode != 0, pairs
    return done.stderr


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("api.replica=2", "replica"),
        ("api.replicas=many", "replicas"),
        ("image.registry=", "registry"),
        ("image.pullPolicy=Sometimes", "pullPolicy"),
        ("backends.ganesha.share_driver=null", "share_driver"),
        ("conf.DEFAULT=x", "DEFAULT"),
        ("gateways.path=relative", "path"),
        ("gateways.namespace=Upper", "namespace"),
        ("trialDatabase.enabled=true", "password"),
        ("api.ingress.enabled=true", "host"),
        ("monitoring.serviceMonitor.interval=often", "interval"),
    ],
)
def test_wrong_values_are_refused(pair: str, said: str) -> None:
    assert said in refused(pair)


def test_two_releases_share_no_object() -> None:
    def names(release: str) -> set[tuple[str, str, str]]:
        words = ("template", release, str(rendered.CHART), "--namespace", "one")
        text = rendered.helm(*words, "--values", rendered.values("trial")).stdout
        found = [one for one in yaml.safe_load_all(text) if one]
        return {(one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]) for one in found}

    assert not names("first") & names("second")


def test_numbers_and_lists_come_as_oslo_reads_them(tmp_path: pathlib.Path) -> None:
    wanted = {
        "conf": {
            "DEFAULT": {"enabled_share_protocols": ["NFS", "CIFS"]},
            "openkeel": {"task_poll": 0.5},
            "quota": {"gigabytes": 50000000},
            "oslo_policy": {"policy_dirs": ["one", "two"]},
        },
        "backends": {"ganesha": {"kubernetes_bind_timeout": 1.5}},
    }
    (tmp_path / "values.yaml").write_text(yaml.safe_dump(wanted))
    words = ("template", "x", str(rendered.CHART), "--values", str(tmp_path / "values.yaml"))
    documents = yaml.safe_load_all(rendered.helm(*words).stdout)
    text = next(one["data"]["manila.conf"] for one in documents if one and "manila.conf" in one.get("data", {}))
    (tmp_path / "manila.conf").write_text(text)
    found = config.load([tmp_path / "manila.conf"])
    assert list(found.default.enabled_share_protocols) == ["NFS", "CIFS"]
    assert (found.openkeel.task_poll, found.quota.gigabytes) == (0.5, 50000000)
    assert [line for line in text.splitlines() if "policy_dirs" in line] == ["policy_dirs = one", "policy_dirs = two"]
    assert found.backends["ganesha"].kubernetes_bind_timeout == 1.5
