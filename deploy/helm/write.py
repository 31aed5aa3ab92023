"""Write the files of the chart that follow from the program, and its page: ``python -m deploy.helm.write``."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import yaml

from deploy.helm import values
from deploy.images.place import ROOT
from drivers.ganesha.kubernetes import definition
from generated.options import OPTIONS

CHART = ROOT / "deploy" / "chart"
DASHBOARDS = CHART / "files" / "dashboards"
HEAD = "# Written by `python -m deploy.helm.write` from drivers/ganesha/kubernetes/definition.py.\n"
SOURCE = {"type": "prometheus", "uid": "${source}"}


class _Plain(yaml.SafeDumper):
    """Writes what occurs twice twice: nobody likes to read references in a definition."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def resource() -> str:
    """The custom resource's definition as YAML."""
    kind = definition.DEFINITION
    whole = {"apiVersion": kind.version, "kind": kind.name, **definition.shareexports()}
    return HEAD + yaml.dump(whole, Dumper=_Plain, sort_keys=False, width=120)


def secret_options() -> str:
    """Section -> its options whose values are secret, under every name that a file may use: the chart refuses them."""
    found: dict[str, list[str]] = {}
    for one in OPTIONS:
        for whole in (f"{one.section}.{one.name}", *one.old_names) if one.secret else ():
            section, _, name = whole.rpartition(".")
            found.setdefault(section, []).append(name)
    head = "# Written by `python -m deploy.helm.write` from spec/: options that are secret.\n"
    return head + yaml.safe_dump({section: sorted(set(names)) for section, names in found.items()})


Panel = tuple[str, str, list[tuple[str, str]]]
"""Title, unit as Grafana calls it, and (query, legend). ``selected`` says of which release the figures are."""
FIGURE = re.compile(r"\b((?:manila|process)_[a-z0-9_]+)(?:\{([^}]*)\})?")
OF_NODES = "manila_node_"
"""How the names of the node agents' figures begin; these are scraped as a job of their own."""
SERVICE_JOB, NODES_JOB = 'namespace="$namespace",job="$job"', 'job="$nodes"'


def selected(query: str) -> str:
    """A query about the release that the dashboard's variables choose, and no other."""

    def one(found: re.Match[str]) -> str:
        job = NODES_JOB if found[1].startswith(OF_NODES) else SERVICE_JOB
        return f"{found[1]}{{{','.join(filter(None, (job, found[2])))}}}"

    return FIGURE.sub(one, query)


def variable(name: str, label: str, query: str) -> dict[str, Any]:
    """A variable that the user chooses among the values of a label."""
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
    }


VARIABLES = (
    variable("namespace", "Namespace", "label_values(manila_tasks_pending, namespace)"),
    variable("job", "Release's metrics", 'label_values(manila_tasks_pending{namespace="$namespace"}, job)'),
)
NODES_VARIABLE = variable("nodes", "Node agents", "label_values(manila_node_gateways, job)")
"""The agents are in the namespace of the gateways."""

SERVICE: list[Panel] = [
    ("Answers per second", "reqps", [("sum by (status) (rate(manila_requests_total[5m]))", "{{status}}")]),
    (
        "Errors of ours among the answers",
        "percentunit",
        [
            (
                'sum(rate(manila_requests_total{status=~"5.."}[5m])) / sum(rate(manila_requests_total[5m]))',
                "from 500 on",
            )
        ],
    ),
    (
        "Time to answer",
        "s",
        [
            (f"histogram_quantile({part}, sum by (le) (rate(manila_request_seconds_bucket[5m])))", f"{part}")
            for part in ("0.5", "0.95", "0.99")
        ],
    ),
    (
        "Tasks by queue",
        "short",
        [
            ('max by (queue) (manila_tasks{state="waiting"})', "{{queue}} waiting"),
            ('max by (queue) (manila_tasks{state="running"})', "{{queue}} running"),
        ],
    ),
    ("Oldest task", "s", [("max by (queue) (manila_tasks_oldest_seconds)", "{{queue}}")]),
    ("Tasks given up", "short", [('max by (queue) (manila_tasks{state="failed"})', "{{queue}}")]),
    (
        "Services that are up",
        "short",
        [("max by (binary, host) (manila_service_up)", "{{binary}} {{host}}")],
    ),
    (
        "Tokens that Keystone could not be asked about, per second",
        "reqps",
        [("sum by (pod) (rate(manila_keystone_failures_total[5m]))", "{{pod}}")],
    ),
    ("Tasks due or running", "short", [("max(manila_tasks_pending)", "tasks")]),
    (
        "Periodic tasks: failed runs an hour",
        "short",
        [("max by (task, backend) (delta(manila_periodic_failures[1h]))", "{{task}} {{backend}}")],
    ),
    (
        "Periodic tasks: runs an hour",
        "short",
        [("max by (task, backend) (delta(manila_periodic_runs[1h]))", "{{task}} {{backend}}")],
    ),
    (
        "Periodic tasks: last run took",
        "s",
        [("max by (task, backend) (manila_periodic_last_duration_seconds)", "{{task}} {{backend}}")],
    ),
    (
        "Periodic tasks: since the last start",
        "s",
        [
            (
                "time() - max by (task, backend) (manila_periodic_last_start_timestamp_seconds > 0)",
                "{{task}} {{backend}}",
            ),
            ("max by (task, backend) (manila_periodic_interval_seconds)", "{{task}} {{backend}}: interval"),
        ],
    ),
    (
        "Notifications",
        "short",
        [
            ("max(manila_notifications_pending)", "waiting"),
            ("sum by (outcome) (rate(manila_notifications_total[5m]))", "{{outcome}} a second"),
        ],
    ),
    ("Memory", "bytes", [("sum by (pod) (process_resident_memory_bytes)", "{{pod}}")]),
    ("Processor", "short", [("sum by (pod) (rate(process_cpu_seconds_total[5m]))", "{{pod}}")]),
    (
        "Open connections of clients",
        "short",
        [("sum by (pod, port) (manila_http_connections)", "{{pod}} port {{port}}")],
    ),
    (
        "Connections that a limit ended, per second",
        "short",
        [("sum by (kind) (rate(manila_http_ended_total[5m]))", "{{kind}}")],
    ),
]
NODES: list[Panel] = [
    ("Not as the rows say", "short", [("max by (backend, kind) (manila_backend_broken)", "{{backend}} {{kind}}")]),
    ("Objects without a row", "short", [("max by (backend, kind) (manila_backend_orphans)", "{{backend}} {{kind}}")]),
    (
        "Ports without a server",
        "short",
        [("max by (backend, ours) (manila_backend_ports_left)", "{{backend}} {{ours}}")],
    ),
    (
        "Gateways that wait for a fence",
        "short",
        [("max by (backend) (manila_backend_gateways_waiting)", "{{backend}}")],
    ),
    ("Gateways by node", "short", [("sum by (pod) (manila_node_gateways)", "{{pod}}")]),
    ("Shares by node", "short", [("sum by (pod) (manila_node_shares)", "{{pod}}")]),
    ("Volumes bound an hour", "short", [("sum by (pod) (increase(manila_node_binds_total[1h]))", "{{pod}}")]),
    (
        "What failed and is tried again, per second",
        "short",
        [("sum by (pod, what) (rate(manila_node_failures_total[5m]))", "{{pod}} {{what}}")],
    ),
]


def _busiest(what: str, by: str, per: str = "") -> str:
    """Of the figures of the node agents and of back ends on one machine, what grows fastest; ``per``: by what else."""

    def grows(part: str, prefix: str) -> str:
        return f"sum by ({by}) (rate({prefix}_{part}_total[5m]))"

    both = []
    for prefix in ("manila_node_nfs", "manila_nfs"):
        shown = grows(what, prefix)
        both.append(f"{shown} / ({grows(per, prefix)} > 0)" if per else shown)
    return f"topk(10, {' or '.join(both)})"


_SHARE, _CLIENT = "share, share_instance", "client, server"
SHARES: list[Panel] = [
    (title, unit, [(_busiest(what, by, per), legend)])
    for title, unit, what, by, per, legend in (
        ("Top shares: operations per second", "ops", "share_operations", _SHARE, "", "{{share}} {{share_instance}}"),
        ("Top shares: bytes per second", "Bps", "share_bytes", _SHARE, "", "{{share}} {{share_instance}}"),
        (
            "Slow shares: time of an operation in the server",
            "s",
            "share_seconds",
            _SHARE,
            "share_operations",
            "{{share}} {{share_instance}}",
        ),
        (
            "Slow shares: time of a kind of operation",
            "s",
            "share_seconds",
            f"{_SHARE}, kind",
            "share_operations",
            "{{share}} {{share_instance}} {{kind}}",
        ),
        ("Shares: failed operations per second", "ops", "share_errors", _SHARE, "", "{{share}} {{share_instance}}"),
        ("Top projects: bytes per second", "Bps", "share_bytes", "project", "", "{{project}}"),
        ("Top clients: operations per second", "ops", "client_operations", _CLIENT, "", "{{client}} at {{server}}"),
        ("Top clients: bytes per second", "Bps", "client_bytes", _CLIENT, "", "{{client}} at {{server}}"),
        ("Clients: failed operations per second", "ops", "client_errors", _CLIENT, "", "{{client}} at {{server}}"),
    )
]


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    title, unit, queries = panel
    targets = [
        {"refId": chr(65 + at), "datasource": SOURCE, "expr": selected(query), "legendFormat": legend}
        for at, (query, legend) in enumerate(queries)
    ]
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": title,
        "datasource": SOURCE,
        "gridPos": {"h": 8, "w": 12, "x": 12 * (number % 2), "y": 8 * (number // 2)},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": targets,
    }


def dashboard(uid: str, title: str, panels: list[Panel]) -> str:
    """A dashboard of Grafana as JSON; the data source and the release are variables."""
    source = {"name": "source", "type": "datasource", "query": "prometheus", "label": "Data source"}
    whole = {
        "uid": uid,
        "title": title,
        "tags": ["manila"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [source, *VARIABLES, *([NODES_VARIABLE] if OF_NODES in str(panels) else [])]},
        "panels": [_panel(number, panel) for number, panel in enumerate(panels)],
    }
    return json.dumps(whole, indent=1) + "\n"


def files() -> Iterator[tuple[pathlib.Path, str]]:
    """Every file that is written, with its text."""
    yield CHART / "crds" / "shareexports.yaml", resource()
    yield CHART / "files" / "secret-options.yaml", secret_options()
    yield DASHBOARDS / "service.json", dashboard("openkeel-manila", "Manila: the service", SERVICE)
    yield DASHBOARDS / "shares.json", dashboard("openkeel-manila-shares", "Manila: shares and clients", SHARES)
    yield values.SCHEMA, values.schema()
    yield values.PAGE, values.page()
    yield DASHBOARDS / "nodes.json", dashboard("openkeel-manila-nodes", "Manila: gateways on nodes", NODES)


if __name__ == "__main__":
    for file, text in files():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        print(file.relative_to(ROOT))
