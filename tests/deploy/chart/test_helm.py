"""The chart as helm sees it."""

from __future__ import annotations

import json
import pathlib
import re
import textwrap
from typing import Any

import pytest
import yaml

from cli import config
from cli.service import pool_size
from deploy.helm import build
from deploy.images.place import ROOT
from drivers.ganesha.kubernetes.options import KubernetesOptions, check
from generated.options import OPTIONS
from tests.deploy.chart import rendered
from worker import backends

pytestmark = pytest.mark.skipif(build.built() is None, reason=build.MISSING)


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
        ("monitoring.rules.runbook=docs/alerts.md", "runbook"),
        ("monitoring.rules.runbook=https://docs.example/alerts.html#top", "runbook"),
    ],
)
def test_wrong_values_are_refused(pair: str, said: str) -> None:
    assert said in refused(pair)


def test_without_an_address_of_the_page_an_alert_has_no_link_that_leads_nowhere() -> None:
    words = ("--values", rendered.values("minimal"), "--set", "monitoring.rules.enabled=true")
    made = yaml.safe_load_all(rendered.helm("template", "x", str(rendered.CHART), *words).stdout)
    (one,) = [one for one in made if one and one["kind"] == "PrometheusRule"]
    for rule in one["spec"]["groups"][0]["rules"]:
        assert rule["annotations"]["runbook"] == f"docs/alerts.md#{rule['alert'].lower()}"
        assert "runbook_url" not in rule["annotations"]


def test_two_releases_share_no_object() -> None:
    def names(release: str) -> set[tuple[str, str, str]]:
        words = ("template", release, str(rendered.CHART), "--namespace", "one")
        text = rendered.helm(*words, "--values", rendered.values("trial")).stdout
        found = [one for one in yaml.safe_load_all(text) if one]
        return {(one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]) for one in found}

    assert not names("first") & names("second")


def conf(folder: pathlib.Path, **more: Any) -> tuple[str, pathlib.Path]:
    """manila.conf of a release with the minimal sample's values and ``more``, and the file with it."""
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(more))
    words = ("template", "x", str(rendered.CHART), "--values", rendered.values("minimal"), "--values", str(file))
    documents = yaml.safe_load_all(rendered.helm(*words).stdout)
    text = next(one["data"]["manila.conf"] for one in documents if one and "manila.conf" in one.get("data", {}))
    made = folder / "manila.conf"
    made.write_text(text)
    return str(text), made


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
    text, file = conf(tmp_path, **wanted)
    found = config.load([file])
    assert list(found.default.enabled_share_protocols) == ["NFS", "CIFS"]
    assert (found.openkeel.task_poll, found.quota.gigabytes) == (0.5, 50000000)
    assert [line for line in text.splitlines() if "policy_dirs" in line] == ["policy_dirs = one", "policy_dirs = two"]
    assert found.backends["ganesha"].kubernetes_bind_timeout == 1.5


POD_OPTIONS: dict[str, Any] = {
    "kubernetes_gateway_resources": {"requests": {"cpu": "100m"}, "limits": {"memory": "1Gi"}},
    "kubernetes_agent_resources": {"limits": {"memory": "64Mi"}},
    "kubernetes_holder_resources": {"limits": {"memory": "32Mi"}},
    "kubernetes_node_selector": {"storage": "yes", "zone": "<a & b>"},
    "kubernetes_tolerations": [
        {"key": "storage", "operator": "Exists"},
        {"key": "slow", "operator": "Equal", "value": "1", "effect": "NoExecute", "tolerationSeconds": 6000000},
    ],
    "kubernetes_cni_config": {"type": "bridge", "bridge": "{bridge}", "mtu": "{mtu}"},
}


@pytest.mark.parametrize("form", ["maps", "text"])
def test_what_a_pod_has_may_be_written_as_in_a_pod(tmp_path: pathlib.Path, form: str) -> None:
    own = POD_OPTIONS if form == "maps" else {name: json.dumps(value) for name, value in POD_OPTIONS.items()}
    _, file = conf(tmp_path, backends={"ganesha": own})
    made = backends.options("ganesha", config.load([file]).backends["ganesha"], KubernetesOptions)
    assert isinstance(made, KubernetesOptions)
    check(made)
    assert {name: json.loads(getattr(made, name)) for name in POD_OPTIONS} == POD_OPTIONS


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("backends.ganesha.kubernetes_storage_class.name=x", "kubernetes_storage_class"),
        ("backends.ganesha.kubernetes_tolerations={a,b}", "kubernetes_tolerations"),
        ("conf.DEFAULT.host.name=x", "host"),
    ],
)
def test_maps_and_lists_where_none_belong_are_refused(pair: str, said: str) -> None:
    assert said in refused(pair)


WHOLE: dict[str, Any] = {
    "conf": {"keystone_authtoken": {"auth_url": "http://k"}, "neutron": {"auth_url": "http://k"}},
    "secretConf": {
        "sections": {
            "database": {"connection": "postgresql://db"},
            "keystone_authtoken": {"password": "p"},
            "neutron": {"password": "p"},
        }
    },
}


def without(*paths: str) -> dict[str, Any]:
    """``WHOLE`` with some of its values left out."""
    found: dict[str, Any] = json.loads(json.dumps(WHOLE))
    for path in paths:
        *way, last = path.split("/")
        at = found
        for name in way:
            at = at[name]
        del at[last]
    return found


def template(folder: pathlib.Path, *values: dict[str, Any]) -> tuple[bool, str]:
    """Whether helm renders it, and what it says or makes."""
    words = []
    for number, one in enumerate(values):
        (folder / f"{number}.yaml").write_text(yaml.safe_dump(one))
        words += ["--values", str(folder / f"{number}.yaml")]
    done = rendered.helm("template", "x", str(rendered.CHART), *words, check=False)
    return done.returncode == 0, done.stdout if done.returncode == 0 else done.stderr


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ("conf/keystone_authtoken", "conf.keystone_authtoken.auth_url is empty: set it to Keystone's URL"),
        ("conf/neutron", "conf.neutron.auth_url is empty: set it to Keystone's URL"),
        ("secretConf/sections/database", "the service needs a database"),
        ("secretConf/sections/keystone_authtoken", "secretConf.sections.keystone_authtoken.password"),
        ("secretConf/sections/neutron", "secretConf.sections.neutron.password"),
    ],
)
def test_an_install_that_could_never_work_is_refused(tmp_path: pathlib.Path, left_out: str, said: str) -> None:
    assert template(tmp_path, WHOLE)[0]
    taken, text = template(tmp_path, without(left_out))
    assert not taken and said in text


@pytest.mark.parametrize(
    "other",
    [
        without("secretConf") | {"secretConf": {"existingSecret": "mine"}},
        without("secretConf/sections/database") | {"trialDatabase": {"enabled": True, "password": "p"}},
        without("conf/neutron") | {"backends": {"ganesha": {"driver_handles_share_servers": False}}},
        without("conf/neutron", "secretConf/sections/neutron")
        | {"conf": {**WHOLE["conf"], "neutron": {"auth_type": "none", "auth_url": ""}}},
        without("conf")
        | {"conf": {"keystone_authtoken": {"auth_url": None}, "neutron": {"auth_url": None}}, "rawConf": "[neutron]\n"},
    ],
    ids=["secret", "trial", "no neutron", "neutron without login", "said elsewhere"],
)
def test_what_stands_elsewhere_is_not_asked_for(tmp_path: pathlib.Path, other: dict[str, Any]) -> None:
    taken, text = template(tmp_path, other)
    assert taken, text


SECRET = sorted((one.section, one.name) for one in OPTIONS if one.secret)


@pytest.mark.parametrize(("section", "option"), SECRET)
def test_a_secret_option_is_refused_where_it_would_be_readable(
    tmp_path: pathlib.Path, section: str, option: str
) -> None:
    raw = f"[other]\n[{section}]\n# why\nfirst = 1\n\n{option} = x\n"
    for wrong in ({"conf": {section: {option: "x"}}}, {"rawConf": raw}):
        taken, text = template(tmp_path, WHOLE, wrong)
        assert not taken and f"[{section}] {option} is secret" in text
    near = f"[{section}]\n# {option} = x\nmore_{option}s = 1\n[other]\n{option} = x\n"
    assert template(tmp_path, WHOLE, {"rawConf": near})[0]


def test_no_secret_reaches_a_config_map(tmp_path: pathlib.Path) -> None:
    """Nor anything else that is no Secret, whether the migration's or the release's."""
    sections: dict[str, Any] = {}
    for number, (section, option) in enumerate(SECRET):
        sections.setdefault(section, {})[option] = f"marked-{number}-"
    own: dict[str, Any] = {"secretConf": {"sections": sections}, "trialDatabase": {"password": "marked-trial-"}}
    for enabled in (False, True):
        own["trialDatabase"]["enabled"] = enabled
        taken, text = template(tmp_path, WHOLE, own)
        assert taken, text
        found = [one for one in yaml.safe_load_all(text) if one]
        marks = {mark for one in found if one["kind"] == "Secret" for mark in re.findall("marked-[a-z0-9]+-", str(one))}
        assert len(marks) == len(SECRET) + enabled
        assert not [one["metadata"]["name"] for one in found if one["kind"] != "Secret" and "marked-" in str(one)]


def test_images_are_those_of_the_chart_unless_told(tmp_path: pathlib.Path) -> None:
    def images(**image: Any) -> set[str]:
        taken, text = template(tmp_path, WHOLE, {"image": image})
        assert taken, text
        return set(re.findall(r"(?:image: |kubernetes_gateway_image = )(\S+)", text))

    version = yaml.safe_load((rendered.CHART / "Chart.yaml").read_text())["appVersion"]
    names = {f"manila-{one}" for one in ("api", "worker", "gateway", "node-agent")}
    assert images() == {f"localhost/{one}:{version}" for one in names}
    assert images(tag="7") == {f"localhost/{one}:7" for one in names}
    digests = {one: f"sha256:{number:064x}" for number, one in enumerate(sorted(names))}
    assert images(digests=digests, tag="7") == {f"localhost/{one}@{digest}" for one, digest in digests.items()}
    assert "digests" in refused("image.digests.manila-api=7")


@pytest.mark.parametrize("enabled", [True, False])
def test_links_have_the_scheme_that_the_ingress_was_asked_by(tmp_path: pathlib.Path, enabled: bool) -> None:
    _, file = conf(tmp_path, api={"ingress": {"enabled": enabled, "host": "share.example"}})
    settings = config.load([file])
    assert settings.oslo_middleware.enable_proxy_headers_parsing is enabled
    assert ("X-Forwarded-Prefix" in settings.openkeel.trusted_proxy_headers) is not enabled


NO_LIMIT = {"max_overflow": -1}


@pytest.mark.parametrize("database", [{}, {"max_pool_size": 10, "max_overflow": 5}, NO_LIMIT])
@pytest.mark.parametrize("count", [1, 3])
def test_the_notes_say_how_many_connections_there_may_be(
    tmp_path: pathlib.Path, database: dict[str, int], count: int
) -> None:
    more = {"back" + str(number): {"share_driver": "ganesha-kubernetes"} for number in range(count - 1)}
    own = {
        "conf": {**WHOLE["conf"], "database": database, "openkeel": {"task_concurrency": 8}},
        "backends": more,
        "api": {"workers": 3},
        "share": {"replicas": 4},
    }
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(WHOLE | own))
    words = ("install", "x", str(rendered.CHART), "--dry-run=client", "--values", str(tmp_path / "own.yaml"))
    notes = rendered.helm(*words).stdout.partition("NOTES:")[2]
    _, file = conf(tmp_path, **own)
    settings = config.load([file])
    # several API processes have a parent with a pool of its own
    processes = {"api": 3 * (3 + 1), "scheduler": 3, "share": 5, "data": 2}
    listening = {"api": 0, "scheduler": 1, "share": 1, "data": 1}
    most = sum(n * (pool_size(settings, [role]) + listening[role]) for role, n in processes.items())
    assert f"at most: {most + 2}." in notes, notes


def test_sections_beside_a_secret_of_ones_own_are_refused(tmp_path: pathlib.Path) -> None:
    taken, text = template(tmp_path, WHOLE, {"secretConf": {"existingSecret": "mine"}})
    assert not taken and "one of the two" in text


def test_another_secret_restarts_every_program(tmp_path: pathlib.Path) -> None:
    def pods(**secret: Any) -> dict[str, str]:
        taken, text = template(tmp_path, without("secretConf"), {"secretConf": secret})
        assert taken, text
        found = [one for one in yaml.safe_load_all(text) if one and one["kind"] == "Deployment"]
        return {one["metadata"]["name"]: json.dumps(one["spec"]["template"], sort_keys=True) for one in found}

    marks = [pods(existingSecret="one"), pods(existingSecret="two"), pods(**WHOLE["secretConf"])]
    assert len(marks[0]) == 4
    for name in marks[0]:
        assert len({one[name] for one in marks}) == 3, name
    assert pods(existingSecret="one") == marks[0]


@pytest.mark.parametrize("page", ["kubernetes", "rwx"])
def test_the_values_on_a_page_are_taken(tmp_path: pathlib.Path, page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text()
    blocks = [textwrap.dedent(one) for one in re.findall(r"^ *```yaml\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)]
    (found,) = [one for block in blocks for one in yaml.safe_load_all(block) if "backends" in one]
    taken, said = template(tmp_path, *([] if page == "kubernetes" else [without("conf/neutron")]), found)
    assert taken, said
    kinds = {one["kind"] for one in yaml.safe_load_all(said) if one}
    assert ("DaemonSet" in kinds) == (page == "kubernetes")
