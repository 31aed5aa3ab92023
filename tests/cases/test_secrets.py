"""No configured secret is told: neither in logs at DEBUG, nor in user messages, nor in any other answer."""

from __future__ import annotations

import asyncio
import json
import pathlib
import urllib.error
import urllib.request
from typing import Any

from generated.options import OPTIONS
from tests.cli.test_processes import TOKENS, fetch, free_port, program

NOBODY = "127.0.0.1:9"
"""Where nobody listens: what is asked there fails, and failures are what logs tell most of."""
URLS = {
    ("DEFAULT", "transport_url"): "rabbit://manila:{}@" + NOBODY + "/",
    ("oslo_messaging_notifications", "transport_url"): "rabbit://manila:{}@" + NOBODY + "/",
    ("coordination", "backend_url"): "redis://:{}@" + NOBODY,
}
LEFT_OUT = {("database", "slave_connection")}
"""Read by nobody here."""
MORE = {
    "DEFAULT": {
        "enabled_share_backends": "alpha,gamma",
        "default_share_type": "default",
        "osapi_share_listen": "127.0.0.1",
        "debug": "true",
        "host": "node1",
        "report_interval": "1",
    },
    "alpha": {"share_driver": "dummy", "share_backend_name": "ALPHA", "driver_handles_share_servers": "false"},
    "gamma": {
        "share_driver": "dummy",
        "share_backend_name": "GAMMA",
        "driver_handles_share_servers": "true",
        "network_api_class": "manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin",
    },
    "neutron": {"auth_type": "password", "auth_url": f"http://{NOBODY}/v3", "username": "manila", "timeout": "2"},
    "barbican": {"auth_type": "password", "auth_url": f"http://{NOBODY}/v3", "username": "manila"},
    "key_manager": {"backend": "barbican"},
    "keystone_authtoken": {"username": "manila", "auth_url": f"http://{NOBODY}/v3"},
    "oslo_messaging_notifications": {"driver": "messagingv2"},
    "openkeel": {"metrics_port": "0", "static_tokens": str(TOKENS), "task_poll": "0.1"},
}
NETWORK = {
    "neutron_net_id": "00000000-0000-4000-8000-00000000000a",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000a",
}


def secrets() -> dict[tuple[str, str], str]:
    """Section and name of every secret option -> a word that occurs nowhere else."""
    found = [(one.section, one.name) for one in OPTIONS if one.secret]
    return {one: f"pl4nted{number}s3cret" for number, one in enumerate(found) if one not in LEFT_OUT}


def configuration(folder: pathlib.Path, database: str, port: int, words: dict[tuple[str, str], str]) -> str:
    """Every secret option with its word, and around them what makes them used."""
    head, _, rest = database.partition("://")
    user, at, place = rest.partition("@")
    named = f"{user.partition(':')[0]}:{{}}@{place}" if at else f"postgres:{{}}@{rest}"
    urls = {**URLS, ("database", "connection"): f"{head}://{named}"}
    sections = {name: dict(values) for name, values in MORE.items()}
    sections["DEFAULT"] |= {"osapi_share_listen_port": str(port), "log_file": str(folder / "log")}
    sections["DEFAULT"] |= {"state_path": str(folder)}
    for (section, name), word in words.items():
        sections.setdefault(section, {})[name] = urls.get((section, name), "{}").format(word)
    return "".join(
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())
        for name, values in sections.items()
    )


class Asked:
    """Requests to the service; all that it answered."""

    def __init__(self, port: int) -> None:
        self.url, self.answers = f"http://127.0.0.1:{port}/v2", ""

    async def __call__(self, who: str, method: str, path: str, body: Any = None) -> Any:
        headers = {"X-Auth-Token": f"{who}-token", "X-OpenStack-Manila-API-Version": "2.99"}
        headers |= {"Content-Type": "application/json", "X-OpenStack-Manila-API-Experimental": "true"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)

        def once() -> str:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return str(answer.read().decode())
            except urllib.error.HTTPError as error:
                with error:
                    return str(error.read().decode())

        text = await asyncio.to_thread(once)
        self.answers += text
        return json.loads(text) if text else None


async def flow(ask: Asked) -> str:
    """Shares, networks, keys and a transfer, most of which fail; the secrets that answers may show to their owner."""
    for name, servers in (("default", "False"), ("servers", "True")):
        specs = {"driver_handles_share_servers": servers, "snapshot_support": "True"}
        specs |= {"encryption_support": "share_server"} if servers == "True" else {}
        await ask("admin", "POST", "/types", {"share_type": {"name": name, "extra_specs": specs}})
    service = {"type": "ldap", "password": "s3cr3t-of-a-service", "name": "l", "user": "u"}
    service = (await ask("member-a", "POST", "/security-services", {"security_service": service}))["security_service"]
    network = (await ask("member-a", "POST", "/share-networks", {"share_network": NETWORK}))["share_network"]
    add = {"add_security_service": {"security_service_id": service["id"]}}
    await ask("member-a", "POST", f"/share-networks/{network['id']}/action", add)
    share: dict[str, Any] = {"size": 1, "share_proto": "NFS"}
    plain = (await ask("member-a", "POST", "/shares", {"share": share}))["share"]["id"]
    served = {**share, "share_type": "servers", "share_network_id": network["id"]}
    failing = (await ask("member-a", "POST", "/shares", {"share": served}))["share"]["id"]
    key = {"encryption_key_ref": "00000000-0000-4000-8000-000000000001"}
    await ask("member-a", "POST", "/shares", {"share": {**served, **key}})
    async with asyncio.timeout(120):
        while (await ask("member-a", "GET", f"/shares/{plain}"))["share"]["status"] != "available":
            await asyncio.sleep(0.2)
        while await _tries(ask, failing) == "creating":
            await asyncio.sleep(0.2)
    rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.9"}}
    await ask("member-a", "POST", f"/shares/{plain}/action", rule)
    before = ask.answers
    offer = await ask("member-a", "POST", "/share-transfers", {"transfer": {"share_id": plain}})
    ask.answers = before
    for path in ("/messages", "/shares/detail", "/share-networks/detail", "/services", "/scheduler-stats/pools/detail"):
        await ask("admin", "GET", path)
        await ask("member-a", "GET", path)
    return str(offer["transfer"]["auth_key"])


async def _tries(ask: Asked, share: str) -> str:
    """The share's status; ``tried`` once the worker has met the outage."""
    shown = (await ask("member-a", "GET", f"/shares/{share}"))["share"]
    servers = (await ask("admin", "GET", "/share-servers"))["share_servers"]
    return "tried" if servers else str(shown["status"])


async def test_no_configured_secret_is_told(database_url: str, tmp_path: pathlib.Path) -> None:
    words, port = secrets(), free_port()
    assert len(words) >= 8
    async with program(tmp_path, configuration(tmp_path, database_url, port, words), "all"):
        await fetch(f"http://127.0.0.1:{port}/", seconds=60)
        ask = Asked(port)
        auth_key = await flow(ask)
        await asyncio.sleep(1)
    log = (tmp_path / "log").read_text() + (tmp_path / "err").read_text()
    print(f"{len(words)} secrets, {len(log.splitlines())} lines of log, {len(ask.answers)} characters of answers")
    assert "DEBUG" in log
    assert "answered" in log
    assert "Connection refused" in log or "ConnectFailure" in log or "Unable to establish" in log
    for one, word in words.items():
        assert word not in log, f"{one}: " + next(line for line in log.splitlines() if word in line)
        assert word not in ask.answers, one
    for word in ("s3cr3t-of-a-service", "member-a-token", "admin-token", auth_key):
        assert word not in log, next(line for line in log.splitlines() if word in line)
