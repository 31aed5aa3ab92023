"""Load on the service with two API processes and dummy back ends, alone or side by side with the original.

``python -m tests.perf.run [--rounds 5] [--duration 5]`` measures the service alone.
``python -m tests.perf.run --peer targets.json`` compares: the file holds, under ``a``, how the vendored ``compare.py``
reaches the original (``url``, ``auth_url``, ``user``, ``project``, ``password``, ...); our service then takes its
tokens from the same Keystone, with the service account of ``--service-user``.
"""

from __future__ import annotations

import argparse
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

HERE = pathlib.Path(__file__).resolve().parent / "vendored"
QUOTA = "\n[quota]\nshares = 1000000\ngigabytes = 1000000\n"
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


def make_type(url: str, token: str) -> None:
    """The share type ``default``, without share servers."""
    specs = {"driver_handles_share_servers": False, "snapshot_support": True}
    body = json.dumps({"share_type": {"name": "default", "extra_specs": specs}}).encode()
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
    """The vendored load generator on our service."""
    with service() as running:
        make_type(running.url, "admin-token")
        print(json.dumps({"memory idle, MiB": running.memory()}))
        command = [sys.executable, str(HERE / "bench.py"), "--url", running.url, "--token", "member-a-token"]
        command += ["--microversion", "2.99", "--share-type", "default", "--duration", str(arguments.duration)]
        command += arguments.rest
        status = subprocess.run(command).returncode
        print(json.dumps({"memory after load, MiB": running.memory()}))
    return status


def compared(arguments: argparse.Namespace) -> int:
    """The vendored comparison, our service being ``b``."""
    peer: dict[str, Any] = json.loads(arguments.peer.read_text())["a"]
    user, _, password = arguments.service_user.partition(":")
    keystone = {"auth_url": peer["auth_url"], "auth_type": "password", "username": user, "password": password}
    keystone |= {"project_name": "service", "user_domain_name": "Default", "project_domain_name": "Default"}
    with service(keystone) as running, tempfile.NamedTemporaryFile("w", suffix=".json") as targets:
        make_type(running.url, keystone_token(peer["auth_url"], "admin", "admin", password))
        print(json.dumps({"memory idle, MiB": running.memory()}))
        ours = {**peer, "name": "ours", "url": running.url, "share_type": "default", "share_network": None}
        json.dump({"a": peer, "b": ours}, targets)
        targets.flush()
        command = [sys.executable, str(HERE / "compare.py"), targets.name, "--rounds", str(arguments.rounds)]
        command += ["--duration", str(arguments.duration), "--sizes", "1000", *arguments.rest]
        status = subprocess.run(command).returncode
        print(json.dumps({"memory after load, MiB": running.memory()}))
    return status


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--service-user", default="manila:peersecret", metavar="USER:PASSWORD")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--duration", type=float, default=5)
    arguments, arguments_rest = parser.parse_known_args()
    arguments.rest = arguments_rest
    return compared(arguments) if arguments.peer else alone(arguments)


if __name__ == "__main__":
    sys.exit(main())
