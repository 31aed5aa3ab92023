"""What the stand-in of Neutron answers to an account: pages, roles, kinds of 404, the first moments after a start.

Seen on Neutron 29 (2026.2) with ML2/OVN. A request's account follows from its token (``RealState.accounts``); a token
that is not known there is the service's own, whose roles are ``RealState.roles``.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import pathlib
import random
import socket
import threading
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
SERVICE = "5e500000000000000000000000000000"
"""Project of the service's own account, unless a test says another."""
INSIDE = "http://neutron.inside.example:9696"
"""What Neutron takes for its own address, as behind a proxy that does not tell it: nobody can connect there."""
PAGED = ("networks", "subnets", "ports", "security-groups", "security-group-rules", "rbac-policies")
_VENDORED = pathlib.Path(__file__).parents[2] / "conformance" / "vendored" / "fake_neutron.py"


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("fake_neutron", _VENDORED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fake: Any = _load()


@dataclass(frozen=True, slots=True)
class Account:
    """Who asks: a project and roles in it."""

    project: str
    roles: frozenset[str] = frozenset({"member", "reader"})

    @property
    def sees_all(self) -> bool:
        """Whether networks, subnets and ports of every project are shown."""
        return bool(self.roles & {"admin", "service"})


class RealState(fake.State):  # type: ignore[misc]
    """Networks, subnets and ports as an account sees them."""

    def __init__(self) -> None:
        self.home = SERVICE
        """Project of the service's account."""
        self.roles = frozenset({"service", "admin"})
        self.page: int | None = None
        """``pagination_max_limit``: rows of one answer."""
        self.port_seconds = 0.0
        """How long the POST of a port takes; 0.7 on the real one."""
        self.hosts: frozenset[str] | None = None
        """Hosts with a living agent; None: all."""
        super().__init__()

    def reset(self) -> None:
        super().reset()
        self.accounts: dict[str, Account] = {}
        self.policies: list[Row] = []
        self.token = ""
        self.cut = 0
        """Requests whose connection is closed without an answer."""
        self.blind = 0
        """Requests that are answered as right after a start, when the policies are not loaded."""

    @property
    def account(self) -> Account:
        """Who asks now."""
        return self.accounts.get(self.token) or Account(self.home, self.roles)

    def restart(self, *, cut: int = 1, blind: int = 3) -> None:
        """The next requests meet Neutron as it stops, and as it has just started."""
        self.cut, self.blind = cut, blind

    # -- what is shown

    def listing(self, collection: str, filters: Any) -> list[Row]:
        return [self.shown(collection, one) for one in super().listing(collection, filters) if self._sees(one)]

    def find(self, collection: str, kind: str, ident: str) -> Any:
        found = super().find(collection, kind, ident)
        if not self._sees(found):
            raise fake.NeutronError(404, f"{kind}NotFound", f"{kind} {ident} could not be found.")
        return found

    def _sees(self, row: Row) -> bool:
        who = self.account
        network = self.networks.get(row.get("network_id"), {})
        owners = {row["project_id"], network.get("project_id")}
        return who.sees_all or who.project in owners or bool(row.get("shared") or network.get("shared"))

    def shown(self, collection: str, row: Row) -> Row:
        """A row without what the account's roles hide."""
        roles = self.account.roles
        if collection == "networks" and "admin" not in roles:
            return {key: one for key, one in row.items() if not key.startswith("provider:") and key != "segments"}
        if collection == "ports" and not self.account.sees_all:
            return {key: one for key, one in row.items() if not key.startswith("binding:")}
        return row

    # -- ports

    def _address(self, subnet: Row, wanted: str | None) -> str:
        """A random free address of the pools, as Neutron takes them; two subnets with one history give the same."""
        if wanted:
            return str(super()._address(subnet, wanted))
        super()._address(subnet, None)  # raises when there is none
        taken = [ip for port in self.ports.values() for ip in port["fixed_ips"] if ip["subnet_id"] == subnet["id"]]
        used = {ip["ip_address"] for ip in taken}
        free = [
            str(one)
            for pool in subnet["allocation_pools"]
            for one in _between(pool["start"], pool["end"])
            if str(one) not in used
        ]
        return random.Random(len(used)).choice(free)

    def create_port(self, body: Row) -> Row:
        wanted = dict(body["port"])
        if not self.account.sees_all:
            wanted["project_id"] = self.account.project
        network = self.find("networks", "Network", wanted["network_id"])
        secure = wanted.setdefault("port_security_enabled", network.get("port_security_enabled", True))
        if wanted.get("security_groups") and not secure:
            message = "Port security must be enabled and port must have an IP address in order to use security groups."
            raise fake.NeutronError(400, "PortSecurityAndIPRequiredForSecurityGroups", message)
        port: Row = super().create_port({"port": wanted})
        port["created_at"] = f"2026-11-30T00:00:00.{len(self.ports):06d}Z"
        self.bound(port)
        return port

    def update_port(self, ident: str, body: Row) -> Row:
        port: Row = self.find("ports", "Port", ident)
        self._owned(port)
        host = port["binding:host_id"]
        port.update(body["port"])
        if port["binding:host_id"] != host:
            self.bound(port)
        return port

    def _owned(self, port: Row) -> None:
        if not self.account.sees_all and port["project_id"] != self.account.project:
            raise fake.NeutronError(403, "PolicyNotAuthorized", "rule:update_port is disallowed by policy")

    def bound(self, port: Row) -> None:
        """The port has another host: what the mechanism driver makes of it, with 200 in any case."""
        host = port["binding:host_id"]
        alive = self.hosts is None or host in self.hosts
        port["binding:vif_type"] = "unbound" if not host else "ovs" if alive else "binding_failed"

    # -- requests

    def handle(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        path = urllib.parse.unquote(path)
        if self.blind > 0:
            self.blind -= 1
            return _blind(method, path)
        if method == "DELETE" and path.startswith("/v2.0/ports/") and path.count("/") == 3:
            self._check_removal(path.rpartition("/")[2])
        filters = {key: values for key, values in query.items() if key not in ("limit", "marker")}
        status, answer = self.routed(method, path, filters, body)
        collection = path.rpartition("/")[2]
        if method == "GET" and isinstance(answer, dict):
            answer = self._paged(collection, query, answer)
            if "network" in answer:
                answer = {"network": self.shown("networks", answer["network"])}
        return status, answer

    def routed(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        """The answer of whoever serves the path."""
        if (method, path) == ("GET", "/v2.0/rbac-policies"):
            shown = self.policies if "admin" in self.account.roles else []
            return 200, {"rbac_policies": [one for one in shown if one["object_id"] in query["object_id"]]}
        answer: tuple[int, Any] = super().handle(method, path, query, body)
        return answer

    def _check_removal(self, ident: str) -> None:
        port = self.ports.get(ident)
        if port is None or self.account.sees_all:
            return
        if port["project_id"] != self.account.project:
            raise fake.NeutronError(404, "HTTPNotFound", "The resource could not be found.")
        if port["device_owner"].startswith("manila:"):
            raise fake.NeutronError(403, "PolicyNotAuthorized", "rule:delete_port is disallowed by policy")

    def _paged(self, collection: str, query: dict[str, list[str]], answer: Row) -> Row:
        key = collection.replace("-", "_")
        limits = [one for one in (self.page, *map(int, query.get("limit", []))) if one]
        if not limits or collection not in PAGED:
            return answer
        rows = sorted(answer[key], key=lambda one: str(one.get("id")))
        if "marker" in query:
            place = [one["id"] for one in rows].index(query["marker"][0])
            rows = rows[place + 1 :]
        shown = rows[: min(limits)]
        found: Row = {key: shown}
        if len(shown) == min(limits):
            following = {name: values for name, values in query.items() if name != "marker"}
            text = urllib.parse.urlencode({**following, "marker": shown[-1]["id"]}, doseq=True)
            found[f"{key}_links"] = [{"rel": "next", "href": f"{INSIDE}/v2.0/{collection}?{text}"}]
        return found


def _between(start: str, end: str) -> list[Any]:
    first = ipaddress.ip_address(start)
    return [first + number for number in range(int(ipaddress.ip_address(end)) - int(first) + 1)]


def _blind(method: str, path: str) -> tuple[int, Any]:
    """An answer without policies: nothing is there, nothing may be made."""
    parts = [part for part in path.split("/") if part]
    if method == "GET" and len(parts) == 2:
        return 200, {parts[1].replace("-", "_"): []}
    if method == "POST":
        raise fake.NeutronError(403, "PolicyNotAuthorized", "rule:create_port is disallowed by policy")
    raise fake.NeutronError(404, "HTTPNotFound", "The resource could not be found.")


class Handler(fake.Handler):  # type: ignore[misc]
    """Tells the state who asks."""

    def _serve(self) -> None:
        state = self.server.state
        if self.command == "POST" and self.path.endswith("/ports"):
            time.sleep(state.port_seconds)
        with state.lock:
            if state.cut > 0:
                state.cut -= 1
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            state.token = self.headers.get("X-Auth-Token") or ""
            super()._serve()

    do_GET = do_POST = do_PUT = do_DELETE = _serve


class Server(fake.FakeNeutron):  # type: ignore[misc]
    """The HTTP server of a ``RealState``."""

    state: RealState

    def __init__(self, state: RealState, port: int = 0, host: str = "127.0.0.1") -> None:
        super().__init__(port, host)
        self.RequestHandlerClass = Handler
        self.state = state

    def start(self) -> Any:
        """Serve in a thread; it is asked often whether to end, so that tests don't wait for that."""
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self
