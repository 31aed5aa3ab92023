"""A database of the original is taken over, used, and given back: ``adopt --oracle PROGRAM --manage PROGRAM``.

``PROGRAM``s start the original and its ``manila-manage``. The original makes the schema and fills it; this service
adopts the database, must show the same, and changes it; then the original runs on it again, must show the same, and
removes everything. Prints each part with its count; exit status 1 at the first difference.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg

from db.embedded import EmbeddedPostgres
from tests.conformance import launch

VERSION = "2.99"
BACKENDS = "alpha,beta,gamma"
NET = {"neutron_net_id": "00000000-0000-4000-8000-00000000000a"}
NET["neutron_subnet_id"] = "00000000-0000-4000-9000-00000000000a"
PLAIN = {"driver_handles_share_servers": "False", "snapshot_support": "True"}
CLONES = {**PLAIN, "create_share_from_snapshot_support": "True", "revert_to_snapshot_support": "True"}
TENANT = "b0000000000000000000000000000000"
READS = (
    "/types?is_public=all", "/shares/detail?all_tenants=1", "/snapshots/detail?all_tenants=1",
    "/share-networks/detail?all_tenants=1", "/security-services/detail?all_tenants=1", "/share-servers",
    "/share_instances", "/snapshot-instances/detail", "/messages?all_tenants=1", "/resource-locks?all_projects=1",
    "/qos-types", "/share-group-types?is_public=all", "/availability-zones", "/share-groups/detail?all_tenants=1",
    f"/quota-sets/{TENANT}/detail", f"/quota-sets/{TENANT}", "/share-transfers/detail?all_tenants=1",
)  # fmt: skip
OF_SHARE = ("/shares/{id}/metadata", "/shares/{id}/export_locations", "/share-access-rules?share_id={id}")
CLOCKS = ("updated_at", "request_id", "links")
"""Keys that say when and where, not what."""


class Different(Exception):
    """The two services do not agree; the text says where."""


@dataclass(slots=True)
class Client:
    """Requests to one of the two services; what they answer with is kept under a name."""

    endpoint: launch.Endpoint
    known: dict[str, str] = field(default_factory=dict)

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request and let its work be done. Raises Different when it is refused."""
        headers = {
            "X-Auth-Token": f"{who}-token", "Content-Type": "application/json",
            "X-OpenStack-Manila-API-Version": VERSION, "X-OpenStack-Manila-API-Experimental": "true",
        }  # fmt: skip
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.endpoint.url}/v2{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                raw = answer.read()
        except urllib.error.HTTPError as error:
            raise Different(f"{method} {path}: {error.code} {error.read()[:300]!r}") from error
        if method != "GET":
            self.control("settle")
        return json.loads(raw) if raw else None

    def control(self, verb: str, **arguments: Any) -> None:
        """Steer the service."""
        data = json.dumps(arguments).encode()
        request = urllib.request.Request(f"{self.endpoint.control}/{verb}", data, method="POST")
        with urllib.request.urlopen(request, timeout=120):
            return

    def make(self, name: str, who: str, path: str, body: dict[str, Any]) -> str:
        """POST; the new thing's id is kept under ``name``."""
        answer = self.ask(who, "POST", path, body)
        self.known[name] = next(iter(answer.values()))["id"]
        return self.known[name]

    def state(self) -> dict[str, Any]:
        """Everything that an administrator is shown, without clocks and addresses, in the order of ids."""
        shown = {path: _plain(self.ask("admin", "GET", path)) for path in READS}
        for share in shown["/shares/detail?all_tenants=1"]["shares"]:
            for path in (one.format(id=share["id"]) for one in OF_SHARE):
                shown[path] = _plain(self.ask("admin", "GET", path))
        return shown


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in sorted(value.items()) if key not in CLOCKS}
    if isinstance(value, list):
        return sorted((_plain(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def fill(client: Client) -> None:
    """Something of every kind that both services can make."""
    client.make("type", "admin", "/types", {"share_type": {"name": "default", "extra_specs": CLONES}})
    specs = {"driver_handles_share_servers": "True", "snapshot_support": "True"}
    client.make("dhss", "admin", "/types", {"share_type": {"name": "dhss", "extra_specs": specs}})
    client.make("unused", "admin", "/types", {"share_type": {"name": "unused", "extra_specs": PLAIN}})
    client.ask("admin", "POST", f"/types/{client.known['unused']}/extra_specs", {"extra_specs": {"k": "v"}})
    client.make("qos", "admin", "/qos-types", {"qos_type": {"name": "gold", "specs": {"iops": "100"}}})
    client.ask("admin", "PUT", f"/quota-sets/{TENANT}", {"quota_set": {"shares": 40}})
    _member(client)


def _member(client: Client) -> None:
    def share(name: str, **more: Any) -> str:
        body = {"name": name, "size": 1, "share_proto": "NFS", "share_type": "default", **more}
        return client.make(name, "member-a", "/shares", {"share": body})

    first = share("first", metadata={"a": "b", "c": "d"})
    for path, body in (
        ("action", {"extend": {"new_size": 4}}),
        ("action", {"shrink": {"new_size": 3}}),
        ("action", {"allow_access": {"access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}}),
        ("action", {"allow_access": {"access_type": "ip", "access_to": "10.0.0.0/24", "access_level": "ro"}}),
    ):
        client.ask("member-a", "POST", f"/shares/{first}/{path}", body)
    client.make(
        "snap", "member-a", "/snapshots", {"snapshot": {"share_id": first, "name": "s", "metadata": {"k": "v"}}}
    )
    share("copy", snapshot_id=client.known["snap"], size=3)
    gone = share("gone")
    client.ask("member-a", "DELETE", f"/shares/{gone}")
    share("other")
    lock = {"resource_id": first, "resource_type": "share", "resource_action": "delete", "lock_reason": "mine"}
    client.make("lock", "member-a", "/resource-locks", {"resource_lock": lock})
    service = {"type": "ldap", "name": "l", "dns_ip": "10.0.0.2", "server": "10.0.0.3"}
    client.make("service", "member-a", "/security-services", {"security_service": service})
    network = client.make("network", "member-a", "/share-networks", {"share_network": {"name": "n", **NET}})
    added = {"add_security_service": {"security_service_id": client.known["service"]}}
    client.ask("member-a", "POST", f"/share-networks/{network}/action", added)
    share("served", share_type="dhss", share_network_id=network)
    client.control("driver_fail", backend="alpha", method="create_share")
    client.control("driver_fail", backend="beta", method="create_share")
    share("broken")
    client.control("tick")


def use(client: Client, turn: int) -> None:
    """Change things that the other service made, and add some; ``turn`` counts from 1."""
    known = client.known
    client.ask("member-a", "PUT", f"/shares/{known['first']}", {"share": {"display_name": f"renamed {turn}"}})
    client.ask("member-a", "POST", f"/shares/{known['first']}/action", {"extend": {"new_size": 4 + turn}})
    client.ask("member-a", "POST", f"/shares/{known['served']}/action", {"extend": {"new_size": 1 + turn}})
    client.ask("member-a", "POST", f"/shares/{known['copy']}/metadata", {"metadata": {"new": "value"}})
    rule = {"allow_access": {"access_type": "ip", "access_to": f"10.0.0.{8 + turn}", "access_level": "rw"}}
    client.ask("member-a", "POST", f"/shares/{known['served']}/action", rule)
    client.ask("member-a", "DELETE", f"/shares/{known['other']}")
    if turn == 1:
        client.ask("member-a", "DELETE", f"/shares/{known['broken']}")
    client.make(f"snap-{turn}", "member-a", "/snapshots", {"snapshot": {"share_id": known["copy"], "name": "t"}})
    body = {"name": "more", "size": 2, "share_proto": "CIFS", "share_type": "default"}
    client.make("other", "member-a", "/shares", {"share": body})
    served = {
        "name": "more",
        "size": 1,
        "share_proto": "NFS",
        "share_type": "dhss",
        "share_network_id": known["network"],
    }
    client.make("second", "member-a", "/shares", {"share": served})


def remove(client: Client) -> None:
    """Remove everything, whoever made it. Raises Different when something is left or quota is lost."""
    client.ask("member-a", "DELETE", f"/resource-locks/{client.known['lock']}")
    for snapshot in client.ask("admin", "GET", "/snapshots?all_tenants=1")["snapshots"]:
        client.ask("admin", "DELETE", f"/snapshots/{snapshot['id']}")
    for share in client.ask("admin", "GET", "/shares?all_tenants=1")["shares"]:
        client.ask("admin", "DELETE", f"/shares/{share['id']}")
    client.control("periodic", task="delete_free_share_servers", expired=True)
    for network in client.ask("admin", "GET", "/share-networks?all_tenants=1")["share_networks"]:
        client.ask("member-a", "DELETE", f"/share-networks/{network['id']}")
    left = {key: value for path in READS for key, value in client.ask("admin", "GET", path).items()}
    for kind in ("shares", "snapshots", "share_networks", "share_servers", "share_instances"):
        if left[kind]:
            raise Different(f"{kind} are left: {left[kind]}")
    quota = client.ask("admin", "GET", f"/quota-sets/{TENANT}/detail")["quota_set"]
    lost = {name: one for name, one in quota.items() if isinstance(one, dict) and one["in_use"]}
    if lost:
        raise Different(f"quota is lost: {lost}")


def compare(theirs: dict[str, Any], ours: dict[str, Any]) -> int:
    """The number of things compared. Raises Different."""
    for path in sorted(theirs.keys() | ours.keys()):
        if theirs.get(path) != ours.get(path):
            raise Different(f"{path}:\n  {json.dumps(theirs.get(path))}\n  {json.dumps(ours.get(path))}")
    return sum(len(next(iter(one.values())) or ()) for one in theirs.values() if one)


class Lab:
    """The database, the fake Neutron and the two services over them, one at a time.

    Args:
        url: of an empty database.
        oracle: program that starts the original.
        manage: the original's ``manila-manage``.
    """

    def __init__(self, folder: pathlib.Path, url: str, oracle: str, manage: str, neutron: int) -> None:
        self._folder, self._oracle, self._manage, self._neutron = folder, oracle, manage, neutron
        self.url = url
        self.theirs = self.url.replace("postgresql://", "postgresql+psycopg2://", 1)

    def migrate(self) -> None:
        """The original makes the schema."""
        file = self._folder / "original.conf"
        file.write_text(f"[DEFAULT]\nstate_path = {self._folder}\n[database]\nconnection = {self.theirs}\n")
        command = [self._manage, "--config-file", str(file), "db", "sync"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @contextlib.contextmanager
    def original(self, known: dict[str, str]) -> Iterator[Client]:
        """The original on the database."""
        port, control = launch.free_ports(2)
        command = [self._oracle, "--port", str(port), "--control-port", str(control), "--backends", BACKENDS]
        command += ["--neutron-url", f"http://127.0.0.1:{self._neutron}", "--set", f"database/connection={self.theirs}"]
        with self._running(command, port, control, known) as client:
            yield client

    @contextlib.contextmanager
    def ours(self, known: dict[str, str]) -> Iterator[Client]:
        """This service on the database."""
        port, control = launch.free_ports(2)
        command = [str(launch.HERE / "target"), "--port", str(port), "--control-port", str(control)]
        command += ["--neutron-port", str(self._neutron), "--backends", BACKENDS, "--database", self.url]
        with self._running(command, port, control, known) as client:
            yield client

    @contextlib.contextmanager
    def _running(self, command: list[str], port: int, control: int, known: dict[str, str]) -> Iterator[Client]:
        local = "http://127.0.0.1"
        with launch.process(command, seconds=120) as child:
            yield Client(
                launch.Endpoint(f"{local}:{port}", f"{local}:{control}/_oracle", f"{local}:{self._neutron}", child.pid),
                known,
            )


def schema(url: str) -> list[Any]:
    """Columns of the original's tables, to see that nothing of them was changed."""
    with psycopg.connect(url) as conn:
        return conn.execute(
            """
            SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name NOT LIKE 'openkeel%' ORDER BY 1, 2
            """
        ).fetchall()


def dump(url: str) -> dict[str, list[Any]]:
    """The rows of the original's tables."""
    with psycopg.connect(url) as conn:
        tables = conn.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND NOT starts_with(tablename, 'openkeel')"
        ).fetchall()
        found = {}
        for (table,) in sorted(tables):
            rows = conn.execute(f"SELECT to_jsonb(t) FROM {table} t ORDER BY 1".encode()).fetchall()
            found[table] = [row for (row,) in rows]
        return found


def run(lab: Lab, say: Callable[[str], None], dump_to: pathlib.Path | None = None) -> None:
    """The whole story. Raises Different."""
    known: dict[str, str] = {}
    lab.migrate()
    before = schema(lab.url)
    with lab.original(known) as client:
        fill(client)
        told = client.state()
    say("the original filled its database")
    if dump_to is not None:
        dump_to.write_text(json.dumps({"rows": dump(lab.url), "shown": told}, indent=1) + "\n")
    with lab.ours(known) as client:
        say(f"adopted: {compare(told, client.state())} things are shown as before")
        use(client, 1)
        told = client.state()
    if schema(lab.url) != before:
        raise Different("the original's tables were changed")
    with lab.original(known) as client:
        say(f"given back: {compare(told, client.state())} things are shown as before")
        use(client, 2)
        remove(client)
    say("the original went on with it and removed everything, with no quota lost")
    with lab.ours(known) as client:
        client.state()
    say("adopted again")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--oracle", required=True, metavar="PROGRAM", help="starts the original")
    parser.add_argument("--manage", required=True, metavar="PROGRAM", help="the original's manila-manage")
    parser.add_argument("--dump", type=pathlib.Path, metavar="FILE", help="keep what the original wrote, as JSON")
    arguments = parser.parse_args()
    (neutron,) = launch.free_ports(1)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="manila-adopt-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        postgres = EmbeddedPostgres(folder / "data", durable=False)
        try:
            with launch.process([sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(neutron)]):
                lab = Lab(folder, postgres.create("adopted"), arguments.oracle, arguments.manage, neutron)
                run(lab, lambda line: print(f"{time.monotonic() - started:5.0f} s  {line}", flush=True), arguments.dump)
        except Different as error:
            print(f"DIFFERENT {error}")
            return 1
        finally:
            postgres.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
