"""A real Prometheus scrapes running processes: it evaluates every rule, and answers every query of the dashboards."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import time
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Iterator
from typing import Any

import prometheus_client
import pytest
import yaml

from db import ports_left, reconcile
from db.connection import Database
from deploy.helm import write
from drivers.client_counts import Count, Seen, Statistics
from drivers.figures import ClientFigures
from drivers.ganesha.kubernetes import node_figures
from tests.cli.test_processes import configuration, fetch, free_port, program
from tests.deploy.chart.prometheus import build
from tests.deploy.chart.test_alerts import groups, rules

pytestmark = pytest.mark.skipif(
    build.built("prometheus") is None, reason="Prometheus is not built: `python3 noxfile.py programs` builds it"
)
SERVICE = {"namespace": "openstack", "job": "manila-metrics"}
NODES = {"namespace": "tenants-nfs", "job": "openstack/manila-node-agent"}
BACKEND = """
[alpha]
share_driver = dummy
share_backend_name = ALPHA
driver_handles_share_servers = False
"""
EMPTY = {
    "Errors of ours among the answers",
    "Tokens that Keystone could not be asked about, per second",
    "Connections that a limit ended, per second",
}
"""Panels of what does not happen here: no answer is an error, no Keystone is asked, and no client is hostile."""
PENDING = {"ManilaBackEndDiffers", "ManilaGatewayWaitsForFence", "ManilaOrphans", "ManilaPortsLeft"}
"""Alerts of what ``findings`` puts into the database."""
HOST = "node1@alpha"


async def findings(db: Database) -> None:
    """What a look at a back end and its network may find."""
    found = {"host": HOST, "broken": {"export": 1}, "orphans": {"Pod": 2}, "waiting": 1}
    port = {
        "port_id": "8c1c9b1e-5a0e-4d6e-8f3a-6d5c1f0b7a11",
        "server_id": "0d5be2f4-2ad2-4c3a-9a38-0b6d0c6f0c11",
        "ours": True,
    }
    async with db.write() as conn:
        await reconcile.note(conn, "3f0c3f7e-92b0-4f4e-9f5f-0d8a4f3c1b22", found)
        await ports_left.see(conn, HOST, [port])


def _busy() -> list[Seen]:
    """A gateway with a share and a client that do something all the time."""
    done = int(time.monotonic() * 100)
    each = (Count(done, done // 10, done / 1000, done * 4096), Count(1, 0, 0.1, 9), Count(5, 1, 0.1, 0))
    statistics = Statistics({"an-instance": each}, {"10.0.0.5": each})
    return [Seen("a-server", statistics, "a-project", {"an-instance": "a-share"})]


@contextlib.contextmanager
def node_agent(port: int) -> Iterator[None]:
    """The figures of a node agent, served as it serves them."""
    registry = prometheus_client.CollectorRegistry()
    for figure in (node_figures.GATEWAYS, node_figures.SHARES, node_figures.BINDS, node_figures.FAILURES):
        registry.register(figure)
    registry.register(ClientFigures("manila_node_nfs", _busy))
    node_figures.count(1, 2)
    node_figures.FAILURES.labels("follow").inc(0)
    server, thread = prometheus_client.start_http_server(port, "127.0.0.1", registry)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.asynccontextmanager
async def service(folder: pathlib.Path, database: str) -> AsyncIterator[dict[str, int]]:
    """API, scheduler and share manager: the ports of their figures by name; and two requests of a client."""
    ports = {name: free_port() for name in ("api", "scheduler", "share")}
    api = free_port()
    async with contextlib.AsyncExitStack() as stack:
        for name, metrics in ports.items():
            (folder / name).mkdir()
            own = "host = node1\nenabled_share_backends = alpha\ndefault_share_type = default"
            sections = "[oslo_messaging_notifications]\ndriver = log\n" + BACKEND
            text = configuration(database, api, metrics, own, sections)
            await stack.enter_async_context(program(folder / name, text, name))
        for metrics in ports.values():
            assert (await fetch(f"http://127.0.0.1:{metrics}/readyz"))[0] == 200
        kind = {"share_type": {"name": "default", "extra_specs": {"driver_handles_share_servers": "False"}}}
        await asyncio.to_thread(_post, f"http://127.0.0.1:{api}/v2/types", kind)
        share = {"share": {"share_proto": "NFS", "size": 1, "name": "one"}}
        await asyncio.to_thread(_post, f"http://127.0.0.1:{api}/v2/shares", share)
        yield ports


def _post(url: str, body: Any) -> None:
    head = {
        "X-Auth-Token": "admin-token",
        "Content-Type": "application/json",
        "X-OpenStack-Manila-API-Version": "2.80",
    }
    request = urllib.request.Request(url, json.dumps(body).encode(), head)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status in (200, 202)


@contextlib.asynccontextmanager
async def prometheus(folder: pathlib.Path, ports: dict[str, int]) -> AsyncIterator[str]:
    """A server that scrapes these ports each second: its URL. ``agent``: of a node agent."""
    own = free_port()

    def job(labels: dict[str, str], names: list[str]) -> dict[str, Any]:
        targets = [
            {"targets": [f"127.0.0.1:{ports[name]}"], "labels": {"namespace": labels["namespace"], "pod": f"{name}-1"}}
            for name in names
        ]
        return {"job_name": labels["job"], "static_configs": targets}

    settings = {
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": ["rules.yaml"],
        "scrape_configs": [job(SERVICE, [name for name in ports if name != "agent"]), job(NODES, ["agent"])],
    }
    (folder / "rules.yaml").write_text(yaml.safe_dump({"groups": [{**one, "interval": "1s"} for one in groups()]}))
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(settings))
    process = await asyncio.create_subprocess_exec(
        str(build.build("prometheus")), "--config.file=prometheus.yaml", "--storage.tsdb.path=data",
        f"--web.listen-address=127.0.0.1:{own}", cwd=folder, env={**os.environ, "GOMAXPROCS": "1"},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    reading = asyncio.create_task(process.communicate())
    try:
        yield f"http://127.0.0.1:{own}"
    finally:
        process.send_signal(signal.SIGTERM)
        (folder / "err").write_bytes((await asyncio.wait_for(reading, 30))[1])


async def ask(url: str, path: str, **fields: str) -> Any:
    """What the server's HTTP interface answers, which must be without error and without warning."""
    status, text = await fetch(f"{url}/api/v1/{path}?{urllib.parse.urlencode(fields)}")
    found = json.loads(text)
    assert (status, found["status"]) == (200, "success"), (fields, text)
    assert not found.get("warnings") and not found.get("infos"), (fields, text)
    return found["data"]


async def evaluated(url: str) -> dict[str, dict[str, Any]]:
    """Every rule, after the figures of two scrapes were seen by all of them."""
    async with asyncio.timeout(90):
        while True:
            ready = await fetch(f"{url}/-/ready")
            counted = (
                (await ask(url, "query", query="min(count_over_time(up[1m]))"))["result"] if ready[0] == 200 else []
            )
            if counted and float(counted[0]["value"][1]) >= 4:
                found = [one for group in (await ask(url, "rules"))["groups"] for one in group["rules"]]
                pending = {one["name"] for one in found if one["state"] != "inactive"}
                if "unknown" not in {one["health"] for one in found} and pending >= PENDING:
                    return {one["name"]: one for one in found}
            await asyncio.sleep(0.5)


def filled(query: str) -> str:
    """A query of a dashboard with its variables chosen."""
    for name, value in (("namespace", SERVICE["namespace"]), ("job", SERVICE["job"]), ("nodes", NODES["job"])):
        query = query.replace(f"${name}", value)
    assert "$" not in query, query
    return query


async def offered(url: str, query: str) -> list[str]:
    """What a dashboard's variable offers."""
    found = re.fullmatch(r"label_values\((.*), (\w+)\)", query)
    assert found, query
    data: list[str] = await ask(url, f"label/{found[2]}/values", **{"match[]": found[1]})
    return data


async def test_every_rule_and_every_panel(tmp_path: pathlib.Path, database_url: str, db: Database) -> None:
    await findings(db)
    async with contextlib.AsyncExitStack() as stack:
        ports = await stack.enter_async_context(service(tmp_path, database_url))
        ports["agent"] = free_port()
        stack.enter_context(node_agent(ports["agent"]))
        url = await stack.enter_async_context(prometheus(tmp_path, ports))
        found = await evaluated(url)
        targets = (await ask(url, "targets"))["activeTargets"]
        assert [one["health"] for one in targets] == ["up"] * 4, targets
        assert found.keys() == rules().keys()
        for name, one in found.items():
            assert (one["health"], one.get("lastError", "")) == ("ok", ""), one
            await ask(url, "query", query=one["query"])
            assert (one["state"] != "inactive") == (name in PENDING), one
        empty, asked = set(), 0
        for file in sorted(write.DASHBOARDS.glob("*.json")):
            whole = json.loads(file.read_text())
            for variable in whole["templating"]["list"]:
                if variable["type"] == "query":
                    values = await offered(url, filled(variable["query"]["query"]))
                    assert values == [NODES["job"] if variable["name"] == "nodes" else SERVICE[variable["name"]]]
            for panel in whole["panels"]:
                answers = [await ask(url, "query", query=filled(one["expr"])) for one in panel["targets"]]
                asked += len(answers)
                if not all(one["result"] for one in answers):
                    empty.add(panel["title"])
        for wrong in ("sum(", "rate(manila_tasks[1m])"):
            with pytest.raises(AssertionError):
                await ask(url, "query", query=wrong)
        print(f"{len(found)} rules evaluated, {asked} queries of panels answered")
        assert empty == EMPTY
