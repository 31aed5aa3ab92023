"""Load on the service with two API processes and dummy back ends, alone or side by side with the original.

``python -m tests.perf.run [--rounds 5] [--duration 5]`` measures the service alone: median, 95th and 99th percentile.
``python -m tests.perf.run --peer targets.json [--at-least 1]`` compares, and fails where a percentile is less than so
many times as fast. The file holds, under ``a``, how the vendored ``bench.py`` reaches the original (``url``,
``auth_url``, ``user``, ``project``, ``password``, ...); our service then takes its tokens from the same Keystone, with
the service account of ``--service-user``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psutil

from db import migrate
from db.embedded import EmbeddedPostgres
from deploy.bootstrap import ROOT
from tests.conformance import launch
from tests.conformance.settings import write
from tests.perf import figures, load

SCENARIOS = ("versions", "get", "access_list", "detail:1000", "detail:10", "lifecycle", "extend")
NETWORK = {
    "neutron_net_id": "00000000-0000-4000-8000-00000000000c",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000c",
}
"""Of the stand-in for Neutron: the largest of its networks."""
QUOTA = "\n[quota]\nshares = 1000000\ngigabytes = 1000000\nshare_networks = 1000000\n"
ROLES = ("api", "scheduler", "share")


@dataclass(frozen=True, slots=True)
class Running:
    """The processes of a running service by role, and its URL with ``/v2``."""

    url: str
    processes: dict[str, subprocess.Popen[bytes]]

    def memory(self) -> dict[str, float]:
        """Proportional memory of each role's processes, MiB."""
        found = {}
        for role, child in self.processes.items():
            family = [psutil.Process(child.pid), *psutil.Process(child.pid).children(recursive=True)]
            found[role] = round(sum(one.memory_full_info().pss for one in family) / 2**20, 1)
        return {**found, "total": round(sum(found.values()), 1)}


@contextlib.contextmanager
def service(keystone: dict[str, str] | None = None) -> Iterator[Running]:
    """API (two processes), scheduler and share manager on an embedded PostgreSQL with its default settings."""
    port, neutron = launch.free_ports(2)
    with tempfile.TemporaryDirectory(prefix="manila-bench-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        postgres = EmbeddedPostgres(folder / "data")
        stack.callback(postgres.stop)
        url = postgres.create("manila")
        migrate.sync(url)
        where = f"http://127.0.0.1:{neutron}"
        conf = write(folder, port=port, database=url, neutron=where, backends=["alpha", "beta", "gamma"])
        conf.write_text(_adjusted(conf.read_text(), keystone) + QUOTA)
        fake = [sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(neutron)]
        stack.enter_context(launch.process(fake))
        processes = {role: stack.enter_context(_process(role, conf)) for role in ROLES}
        _wait(f"http://127.0.0.1:{port}/")
        time.sleep(2)  # the first capability reports
        yield Running(f"http://127.0.0.1:{port}/v2", processes)


def _adjusted(text: str, keystone: dict[str, str] | None) -> str:
    text = text.replace("report_interval = 600000000", "report_interval = 10")
    text = text.replace("[DEFAULT]\n", "[DEFAULT]\nosapi_share_workers = 2\n", 1)
    if keystone is not None:
        lines = [line for line in text.splitlines() if not line.startswith(("static_tokens", "auth_type = none"))]
        section = "[keystone_authtoken]\n" + "".join(f"{key} = {value}\n" for key, value in keystone.items())
        text = "\n".join(lines).replace("[keystone_authtoken]\n", section, 1)
    return text


@contextlib.contextmanager
def _process(role: str, conf: pathlib.Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"cli.{role}", "--config-file", str(conf)]
    child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _wait(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=2)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{url} does not answer")


def make_type(url: str, token: str, name: str = "default", *, servers: bool = False) -> None:
    """A share type, with share servers or without."""
    specs = {"driver_handles_share_servers": servers, "snapshot_support": True}
    body = json.dumps({"share_type": {"name": name, "extra_specs": specs}}).encode()
    headers = {"X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.80", "Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{url}/types", body, headers, method="POST"), timeout=10)


def keystone_token(auth_url: str, user: str, project: str, password: str) -> str:
    """A project token by password, domain Default."""
    domain = {"name": "Default"}
    identity = {"methods": ["password"], "password": {"user": {"name": user, "domain": domain, "password": password}}}
    body = {"auth": {"identity": identity, "scope": {"project": {"name": project, "domain": domain}}}}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{auth_url}/auth/tokens", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.headers["X-Subject-Token"])


def alone(arguments: argparse.Namespace) -> int:
    """Our service, with the making of share servers, which the original is not asked for."""
    with service() as running:
        make_type(running.url, "admin-token")
        make_type(running.url, "admin-token", "servers", servers=True)
        print(json.dumps({"memory idle, MiB": running.memory()}))
        target = load.BENCH.Target(
            name="ours", url=running.url, token="member-a-token", share_type="default", poll=arguments.poll
        )
        (results,) = asyncio.run(_measured([target], arguments))
        for level in arguments.concurrency:
            found = asyncio.run(load.server(target, level, arguments.duration, NETWORK, "servers"))
            results[f"first share of a network@{level}"] = [found]
        print(figures.alone(results))
        print(json.dumps({"memory after load, MiB": running.memory(), "load": os.getloadavg()}))
    return 0


async def _measured(targets: list[Any], arguments: argparse.Namespace) -> list[load.Results]:
    return await load.measure(
        targets, arguments.scenarios, arguments.concurrency, arguments.rounds, arguments.duration, arguments.shares
    )


def compared(arguments: argparse.Namespace) -> int:
    """Both services in turn."""
    peer: dict[str, Any] = json.loads(arguments.peer.read_text())["a"]
    user, _, password = arguments.service_user.partition(":")
    keystone = {"auth_url": peer["auth_url"], "auth_type": "password", "username": user, "password": password}
    keystone |= {"project_name": "service", "user_domain_name": "Default", "project_domain_name": "Default"}
    with service(keystone) as running:
        make_type(running.url, keystone_token(peer["auth_url"], "admin", "admin", password))
        print(json.dumps({"memory idle, MiB": running.memory()}))
        ours = {**peer, "name": "ours", "url": running.url, "share_type": "default", "share_network": None}
        targets = [load.BENCH.Target(**{"poll": arguments.poll, **one}) for one in (peer, ours)]
        theirs, results = asyncio.run(_measured(targets, arguments))
        print(figures.beside(theirs, results, (targets[0].name, "ours")))
        print(json.dumps({"memory after load, MiB": running.memory(), "load": os.getloadavg()}), flush=True)
        asyncio.run(load.wipe(targets[:1]))  # ours go with the installation
    slow = figures.slower(theirs, results, arguments.at_least)
    print(*slow, sep="\n", file=sys.stderr)
    return 1 if slow else 0


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--service-user", default="manila:peersecret", metavar="USER:PASSWORD")
    parser.add_argument("--at-least", type=float, default=1.0, metavar="TIMES", help="with --peer: fail below that")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--duration", type=float, default=5, metavar="SECONDS", help="of a scenario in a round")
    parser.add_argument("--scenarios", type=lambda text: text.split(","), default=list(SCENARIOS))
    parser.add_argument("--concurrency", type=_numbers, default=[1, 4], help="clients at a time")
    parser.add_argument("--shares", type=int, default=1000, help="that each project is grown to first")
    parser.add_argument("--poll", type=float, default=0.005, metavar="SECONDS", help="between looks at a status")
    arguments = parser.parse_args()
    return compared(arguments) if arguments.peer else alone(arguments)


if __name__ == "__main__":
    sys.exit(main())
