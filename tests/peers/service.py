"""The service as separate processes behind a real Keystone, set up as the original is for its functional suite.

Back ends ALPHA and BETA without share servers, GAMMA and DELTA with them, all of the dummy driver, on the standalone
network plug-in.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

from deploy.bootstrap import ROOT
from tests.peers import processes
from tests.peers.keystone import Keystone

ROLES = [name for name in ("api", "scheduler", "share", "data") if importlib.util.find_spec(f"cli.{name}")]
POOLS = 4
_CONF = """\
[DEFAULT]
host = peer
auth_strategy = keystone
enabled_share_backends = alpha,beta,gamma,delta
enabled_share_protocols = NFS,CIFS
default_share_type = default
default_share_group_type = default
storage_availability_zone = nova
state_path = {folder}
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {port}
migration_driver_continue_update_interval = 1
server_migration_driver_continue_update_interval = 2
replica_state_update_interval = 5
driver_backup_continue_update_interval = 5
driver_restore_continue_update_interval = 5
periodic_deferred_delete_interval = 10

[database]
connection = {database}

[quota]
share_networks = 50

[openkeel]
metrics_port = 0
log_level = INFO

[keystone_authtoken]
{keystone}

[membernet]
{network}
standalone_network_plugin_allowed_ip_ranges = 10.0.0.10-10.0.0.209
standalone_network_plugin_gateway = 10.0.0.1
standalone_network_plugin_segmentation_id = 1010

[adminnet]
{network}
standalone_network_plugin_allowed_ip_ranges = 11.0.0.10-11.0.0.19,11.0.0.30-11.0.0.39,11.0.0.50-11.0.0.199
standalone_network_plugin_gateway = 11.0.0.1
standalone_network_plugin_segmentation_id = 1011
"""
_NETWORK = """\
network_api_class = manila.network.standalone_network_plugin.StandaloneNetworkPlugin
network_plugin_ipv4_enabled = true
standalone_network_plugin_mask = 24
standalone_network_plugin_network_type = vlan"""
_BACKEND = """
[{name}]
share_driver = manila.tests.share.drivers.dummy.DummyDriver
share_backend_name = {upper}
driver_handles_share_servers = {servers}
replication_domain = {domain}
"""
_NETWORKS = "network_config_group = membernet\nadmin_network_config_group = adminnet\n"


def configure(folder: pathlib.Path, database: str, port: int, at: Keystone) -> pathlib.Path:
    """Write ``manila.conf`` into ``folder`` and return its path."""
    login = {"www_authenticate_uri": at.url, **at.login("manila", "service"), "service_token_roles_required": "true"}
    text = _CONF.format(
        folder=folder,
        port=port,
        database=database,
        keystone="\n".join(f"{key} = {value}" for key, value in login.items()),
        network=_NETWORK,
    )
    for name in ("alpha", "beta", "gamma", "delta"):
        servers = name in ("gamma", "delta")
        domain = "DUMMY_DOMAIN_SERVERS" if servers else "DUMMY_DOMAIN"
        text += _BACKEND.format(name=name, upper=name.upper(), servers=servers, domain=domain)
        text += _NETWORKS if servers else ""
    path = folder / "manila.conf"
    path.write_text(text)
    return path


@contextlib.contextmanager
def service(
    conf: pathlib.Path, port: int, logs: pathlib.Path, count: int = 1
) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """``count`` processes a role for the time of the block (the API has them as its workers); logs in ``logs``."""
    if count > 1:
        conf.write_text(conf.read_text().replace("[DEFAULT]\n", f"[DEFAULT]\nosapi_share_workers = {count}\n", 1))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with contextlib.ExitStack() as stack:
        children = {}
        for name in [name for role in ROLES for name in ([role] if role == "api" else _numbered(role, count))]:
            command = [sys.executable, "-m", f"cli.{name.partition('-')[0]}", "--config-file", str(conf)]
            process = processes.running(command, logs / f"manila-{name}.log", env=env, cwd=ROOT)
            children[name] = stack.enter_context(process)
        processes.answers(f"http://127.0.0.1:{port}/", children["api"])
        yield children


def _numbered(role: str, count: int) -> list[str]:
    return [role, *(f"{role}-{number}" for number in range(2, count + 1))]


def _call(method: str, url: str, token: str, body: Any = None) -> Any:
    headers = {"Content-Type": "application/json", "X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.99"}
    data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
        return json.loads(answer.read() or "null")


def make_types(url: str, token: str, *, servers: bool) -> None:
    """The share types ``default``, ``dhss_false`` and ``dhss_true``, and the group type ``default``; waits for pools.

    Args:
        url: of the API, with ``/v2``.
        servers: whether the type ``default`` is one with share servers.
    """
    features = ("snapshot", "create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot")
    specs = {f"{name}_support": "True" for name in features}
    made = {}
    for name, dhss in (("default", servers), ("dhss_false", False), ("dhss_true", True)):
        kind = {"name": name, "share_type_access:is_public": True}
        kind["extra_specs"] = {**specs, "driver_handles_share_servers": str(dhss)}
        made[name] = _call("POST", f"{url}/types", token, {"share_type": kind})["share_type"]["id"]
    group = {"name": "default", "share_types": [made["default"]], "is_public": True}
    _call("POST", f"{url}/share-group-types", token, {"share_group_type": group})
    deadline = time.monotonic() + 60
    while len(_call("GET", f"{url}/scheduler-stats/pools", token)["pools"]) < POOLS:
        if time.monotonic() > deadline:
            raise RuntimeError("not all back ends report their pools")
        time.sleep(0.3)
