"""Many clients at once on several processes of everything; in the end nothing is left and nothing is lost.

``python -m tests.conformance.crowd [--processes 2] [--clients 8] [--rounds 3]``. Each client makes a share, uses it and
removes it, on plain back ends and on share servers of one common network; some ask for the same things. Exit status 1
when a share ends in error, something is left, quota is lost, or a network got more than one server.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from tests.conformance import launch

TENANT = "b0000000000000000000000000000000"
SECONDS = 60.0


class Wrong(Exception):
    """What must not be."""


def ask(
    endpoint: launch.Endpoint, who: str, method: str, path: str, body: Any = None, ok: tuple[int, ...] = (200, 202)
) -> Any:
    """A request; its answer. Raises Wrong for a status that is not in ``ok``."""
    headers = {
        "X-Auth-Token": f"{who}-token", "Content-Type": "application/json", "X-OpenStack-Manila-API-Version": "2.65"
    }  # fmt: skip
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{endpoint.url}/v2{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            status, raw = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, raw = error.code, error.read()
    if status not in ok:
        raise Wrong(f"{method} {path}: {status} {raw[:300]!r}")
    return json.loads(raw) if raw and status < 300 else None


def until(endpoint: launch.Endpoint, path: str, key: str, status: str | None) -> None:
    """Wait for a status, or with None until it is gone. Raises Wrong: it ends in error, or takes too long."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found = ask(endpoint, "member-a", "GET", path, ok=(200, 404))
        now = None if found is None else found[key]["status"]
        if now == status:
            return
        if now is not None and "error" in now:
            raise Wrong(f"{path} is in {now}")
        time.sleep(0.05)
    raise Wrong(f"{path} is not {status or 'gone'} after {SECONDS:.0f} s")


def client(endpoint: launch.Endpoint, number: int, rounds: int, network: str) -> None:
    """One client's work."""
    for turn in range(rounds):
        body: dict[str, Any] = {"size": 1, "share_proto": "NFS", "name": f"c{number}-{turn}", "share_type": "default"}
        if number % 2:
            body |= {"share_type": "dhss", "share_network_id": network}
        share = ask(endpoint, "member-a", "POST", "/shares", {"share": body})["share"]["id"]
        path = f"/shares/{share}"
        until(endpoint, path, "share", "available")
        rule = {"access_type": "ip", "access_to": f"10.{number}.{turn}.1", "access_level": "rw"}
        ask(endpoint, "member-a", "POST", f"{path}/action", {"allow_access": rule})
        # the same wish twice at once: one is taken, the other meets a share that is not available
        with concurrent.futures.ThreadPoolExecutor(2) as pair:
            wish = {"extend": {"new_size": 2}}
            for one in [
                pair.submit(ask, endpoint, "member-a", "POST", f"{path}/action", wish, (202, 400)) for _ in range(2)
            ]:
                one.result()
        until(endpoint, path, "share", "available")
        if ask(endpoint, "member-a", "GET", path)["share"]["size"] != 2:
            raise Wrong(f"{path} was not extended")
        made = {"snapshot": {"share_id": share, "name": "s"}}
        snapshot = ask(endpoint, "member-a", "POST", "/snapshots", made)["snapshot"]["id"]
        until(endpoint, f"/snapshots/{snapshot}", "snapshot", "available")
        ask(endpoint, "member-a", "DELETE", f"/snapshots/{snapshot}")
        until(endpoint, f"/snapshots/{snapshot}", "snapshot", None)
        with concurrent.futures.ThreadPoolExecutor(2) as pair:
            for one in [pair.submit(ask, endpoint, "member-a", "DELETE", path, None, (202, 403, 404)) for _ in "ab"]:
                one.result()
        until(endpoint, path, "share", None)


def crowd(endpoint: launch.Endpoint, clients: int, rounds: int) -> None:
    """Let the clients work at once, then look at what is left. Raises Wrong."""
    control(endpoint, "reset")
    for name, servers in (("default", "False"), ("dhss", "True")):
        specs = {"driver_handles_share_servers": servers, "snapshot_support": "True"}
        ask(endpoint, "admin", "POST", "/types", {"share_type": {"name": name, "extra_specs": specs}})
    net = {"neutron_net_id": "00000000-0000-4000-8000-00000000000a"}
    net["neutron_subnet_id"] = "00000000-0000-4000-9000-00000000000a"
    network = ask(endpoint, "member-a", "POST", "/share-networks", {"share_network": net})["share_network"]["id"]
    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        for one in [pool.submit(client, endpoint, number, rounds, network) for number in range(clients)]:
            one.result()
    control(endpoint, "settle")
    servers = ask(endpoint, "admin", "GET", "/share-servers")["share_servers"]
    if clients > 1 and len(servers) != 1:
        raise Wrong(f"{len(servers)} servers on one network")
    control(endpoint, "periodic", task="delete_free_share_servers", expired=True)
    for path, key in (("/shares?all_tenants=1", "shares"), ("/snapshots?all_tenants=1", "snapshots")):
        if left := ask(endpoint, "admin", "GET", path)[key]:
            raise Wrong(f"{key} are left: {left}")
    if left := ask(endpoint, "admin", "GET", "/share-servers")["share_servers"]:
        raise Wrong(f"servers are left: {left}")
    ask(endpoint, "member-a", "DELETE", f"/share-networks/{network}")
    quota = ask(endpoint, "admin", "GET", f"/quota-sets/{TENANT}/detail")["quota_set"]
    lost = {name: one for name, one in quota.items() if isinstance(one, dict) and (one["in_use"] or one["reserved"])}
    if lost:
        raise Wrong(f"quota is lost: {lost}")
    dump = control(endpoint, "dump")
    if dump["cast_errors"]:
        raise Wrong(f"tasks failed: {dump['cast_errors']}")
    told = [one["event_type"] for one in dump["notifications"]]
    for event in ("create", "delete", "extend"):
        counts = {told.count(f"share.{event}.{phase}") for phase in ("start", "end")}
        if counts != {clients * rounds}:
            raise Wrong(f"share.{event} was told {counts} times, not {clients * rounds}")


def control(endpoint: launch.Endpoint, verb: str, **arguments: Any) -> Any:
    """Steer the service."""
    request = urllib.request.Request(f"{endpoint.control}/{verb}", json.dumps(arguments).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with launch.service("alpha,beta,gamma", "--processes", str(arguments.processes)) as endpoint:
        started = time.monotonic()
        try:
            crowd(endpoint, arguments.clients, arguments.rounds)
        except Wrong as error:
            print(f"WRONG {error}")
            return 1
    number = arguments.clients * arguments.rounds
    print(f"{number} shares of {arguments.clients} clients on {arguments.processes} processes: ", end="")
    print(f"nothing left, nothing lost ({time.monotonic() - started:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
