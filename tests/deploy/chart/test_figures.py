"""Every figure that a dashboard or an alert names is one that the service shows, with the labels it is asked by."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import prometheus_client
import pytest
import yaml

from deploy.helm import write
from deploy.images.place import ROOT
from drivers.figures import ClientFigures
from tests.deploy.chart import rendered
from tests.deploy.chart.rendered import CHART

SERVED_BY = (
    "api.app", "api.tokens.keystone", "cli.metrics", "worker.notifier", "worker.periodic",
    "drivers.ganesha.kubernetes.node_figures",
)  # fmt: skip
NAME = re.compile(r"\b((?:manila|process)_[a-z0-9_]+)(?:\{([^}]*)\})?")
BY_SERVER = {"job", "pod", "namespace", "instance", "le"}
"""Labels that Prometheus or a histogram adds."""


def served() -> dict[str, set[str]]:
    """Name -> its labels, of all figures of all programs."""
    for module in SERVED_BY:
        importlib.import_module(module)
    found: dict[str, set[str]] = {}
    for collector in list(prometheus_client.REGISTRY._collector_to_names):
        families = collector.labels() if isinstance(collector, ClientFigures) else {}
        for name in prometheus_client.REGISTRY._collector_to_names[collector]:
            family = name.removesuffix("_total").removesuffix("_created")
            found[name] = families.get(family, set(getattr(collector, "_labelnames", ())))
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Where it stands, and the query."""
    for file in sorted(write.DASHBOARDS.glob("*.json")):
        for panel in json.loads(file.read_text())["panels"]:
            for target in panel["targets"]:
                yield f"{file.name}: {panel['title']}", target["expr"]
    for group in yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield f"alerts.yaml: {rule['alert']}", rule["expr"]


def test_all_that_is_asked_is_served() -> None:
    known, asked = served(), list(queries())
    used = set()
    for where, query in asked:
        names = NAME.findall(query)
        assert names, where
        for name, selector in names:
            assert name in known, f"{where}: {name}"
            used.add(name)
            labels = {part.split("=")[0].strip(" !~") for part in selector.split(",") if part}
            assert labels <= known[name] | BY_SERVER, f"{where}: {name}{{{selector}}}"
        for grouped in re.findall(r"by \(([^)]*)\)", query):
            allowed = set().union(*(known[name] for name, _ in names)) | BY_SERVER
            assert {label.strip() for label in grouped.split(",")} <= allowed, f"{where}: by ({grouped})"
    print(f"{len(asked)} queries name {len(used)} figures")
    assert len(asked) >= 30


def test_every_query_is_about_one_release() -> None:
    """Another release's figures must neither keep an alert silent nor be drawn."""
    for where, query in queries():
        for name, selector in NAME.findall(query):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', selector))
            of_nodes = name.startswith("manila_node_")
            if where.startswith("alerts.yaml"):
                assert labels["job"] == ("manila-nodes" if of_nodes else "manila"), (where, query)
            else:
                assert labels["job"] == ("$nodes" if of_nodes else "$job"), (where, query)
                assert of_nodes or labels["namespace"] == "$namespace", (where, query)


def test_a_dashboard_asks_for_the_variables_that_its_queries_use() -> None:
    for file in write.DASHBOARDS.glob("*.json"):
        text = file.read_text()
        known = {one["name"] for one in json.loads(text)["templating"]["list"]}
        assert set(re.findall(r"\$\{?(namespace|job|nodes|source)\b", text)) == known, file.name


@pytest.mark.parametrize("name", ["full"])
def test_the_chart_s_rules_name_their_release(name: str) -> None:
    found = rendered.documents(name)
    (rule,) = [one for one in found if one["kind"] == "PrometheusRule"]
    (service,) = [
        one["metadata"] for one in found if one["kind"] == "Service" and one["metadata"]["name"].endswith("-metrics")
    ]
    (nodes,) = [one["metadata"] for one in found if one["kind"] == "PodMonitor"]
    (agents,) = [one["metadata"]["namespace"] for one in found if one["kind"] == "DaemonSet"]
    wanted = {
        True: (agents, f"{rendered.NAMESPACE}/{nodes['name']}"),
        False: (rendered.NAMESPACE, service["name"]),
    }
    written = yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"][0]["rules"]
    made = rule["spec"]["groups"][0]["rules"]
    assert [one["alert"] for one in made] == [one["alert"] for one in written]
    for one in made:
        assert one["labels"]["namespace"] == rendered.NAMESPACE and one["labels"]["release"] == "demo"
        for figure, selector in NAME.findall(one["expr"]):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', selector))
            assert (labels["namespace"], labels["job"]) == wanted[figure.startswith("manila_node_")], one["expr"]


def test_every_alert_is_on_the_page_that_it_points_at() -> None:
    _, *parts = (ROOT / "docs" / "alerts.md").read_text().split("\n## ")
    found = dict(part.split("\n", 1) for part in parts)
    rules = yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"][0]["rules"]
    assert list(found) == [one["alert"] for one in rules]
    (made,) = [
        one["spec"]["groups"][0]["rules"] for one in rendered.documents("full") if one["kind"] == "PrometheusRule"
    ]
    url = yaml.safe_load(Path(rendered.values("full")).read_text())["monitoring"]["rules"]["runbook"]
    for one, of_release in zip(rules, made, strict=True):
        place = one["alert"].lower()  # a heading of one word is called so, in HTML as on pages of a repository
        assert one["annotations"]["runbook"] == f"docs/alerts.md#{place}"
        assert of_release["annotations"]["runbook_url"] == f"{url}#{place}"
        assert "runbook" not in of_release["annotations"]
        assert len(found[one["alert"]].strip()) > 40, one["alert"]


def unseen(seen: set[str]) -> set[str]:
    """Figures of the service that are not among ``seen``, neither as they are called nor as what is derived of them."""
    shown = {name for name in served() if name.startswith("manila_") and not name.endswith("_created")}
    derived = {name for name in shown if name.removesuffix("_bucket") + "_bucket" in shown or name + "_total" in shown}
    derived |= {name for name in shown if re.sub("_(sum|count)$", "_bucket", name) in seen}
    return shown - seen - derived


def test_nothing_that_the_service_shows_is_left_unseen() -> None:
    assert unseen({name for _, query in queries() for name, _ in NAME.findall(query)}) == set()


def test_the_page_names_every_figure_and_no_other() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    named = {name for code in re.findall(r"`([^`\n]+)`", text) for name in re.findall(r"\bmanila_[a-z0-9_]+", code)}
    histograms = {name.removesuffix("_bucket") for name in served() if name.endswith("_bucket")}
    assert unseen({*named, *(f"{name}_bucket" for name in named & histograms)}) == set()
    assert named - served().keys() - histograms == set()


@pytest.mark.parametrize("query", ["manila_no_such", 'manila_tasks{colour="x"}', "max by (colour) (manila_tasks)"])
def test_what_is_not_served_is_noticed(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.queries", lambda: [("planted", query)] * 30)
    with pytest.raises(AssertionError, match="planted"):
        test_all_that_is_asked_is_served()


def test_every_alert_says_what_to_do() -> None:
    for group in yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("warning", "critical"), rule["alert"]
            assert rule["annotations"]["summary"], rule["alert"]
            assert rule["annotations"]["description"], rule["alert"]
