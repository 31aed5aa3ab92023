"""Keys in Barbican and credentials in Keystone, over a small HTTP server that plays both."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from generated.errors import ManilaBarbicanACLError, ManilaBarbicanAppCredsError
from generated.settings import BarbicanSection, KeyManagerSection
from network import keys
from network.barbican import BarbicanKeys

KEY = "11111111-2222-4333-8444-555555555555"


class _Peers(http.server.ThreadingHTTPServer):
    """Answers as Keystone and Barbican do; ``seen`` holds the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, str, str | None, Any]] = []
        self.credentials: dict[str, Any] = {}
        self.readers: list[str] = []
        self.up = True
        """Whether a 404 is Keystone's own."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Peers

    def _answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        raw = json.dumps(body).encode()
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        peers, path, who = self.server, self.path.partition("?")[0], self.headers.get("X-Auth-Token")
        peers.seen.append((self.command, path, who, body))
        if path.endswith("/auth/tokens"):
            catalog = [
                {"type": kind, "endpoints": [{"interface": "public", "url": url, "region": None, "region_id": None}]}
                for kind, url in (("identity", f"{peers.url}/v3"), ("key-manager", peers.url))
            ]
            times = {"expires_at": "2099-01-01T00:00:00.000000Z", "issued_at": "2026-01-01T00:00:00.000000Z"}
            token = {**times, "user": {"id": "service-user", "name": "s", "domain": {"id": "d", "name": "d"}},
                     "methods": ["password"], "catalog": catalog}  # fmt: skip
            return self._answer(201, {"token": token}, {"X-Subject-Token": "service-token"})
        if path.rstrip("/") in ("", "/v3"):
            links = [{"rel": "self", "href": f"{peers.url}/v3/"}]
            kinds = [{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}]
            found = {"id": "v3.14", "status": "stable", "links": links, "media-types": kinds}
            return self._answer(200, {"version": found})
        if path.endswith("/acl"):
            if self.command == "PUT":
                peers.readers = body["read"]["users"]
            return self._answer(200, {})
        if path.startswith("/v1/secrets/"):
            if peers.readers != ["service-user"]:
                return self._answer(403, {})
            return self._answer(200, {"secret_ref": f"{peers.url}{path}"})
        return self._credentials(path, body)

    def _credentials(self, path: str, body: Any) -> None:
        held = self.server.credentials
        if self.command == "POST":
            made = {"id": f"c{len(held)}", **body["application_credential"]}
            held[made["id"]] = made
            return self._answer(201, {"application_credential": made})
        if self.command == "DELETE":
            gone = held.pop(path.rpartition("/")[2], None)
            missing = {"error": {"code": 404, "title": "Not Found", "message": "no such credential"}}
            return self._answer(204 if gone else 404, missing if self.server.up else {})
        return self._answer(200, {"application_credentials": list(held.values())})

    do_GET = do_POST = do_PUT = do_DELETE = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def peers() -> Iterator[_Peers]:
    server = _Peers()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _options(peers: _Peers) -> BarbicanSection:
    return BarbicanSection(
        auth_url=f"{peers.url}/v3", username="s", password="p", project_name="service", user_domain_name="d",
        project_domain_name="d",
    )  # fmt: skip


async def test_a_key_is_read_once_its_owner_allows_it(peers: _Peers) -> None:
    manager = BarbicanKeys(_options(peers))
    with pytest.raises(ManilaBarbicanACLError):
        await manager.href(KEY)
    await manager.grant(KEY, "owners-token")
    (put,) = [one for one in peers.seen if one[0] == "PUT"]
    assert put[1:] == (
        f"/v1/secrets/{KEY}/acl", "owners-token", {"read": {"users": ["service-user"], "project-access": False}}
    )  # fmt: skip
    assert await manager.href(KEY) == f"{peers.url}/v1/secrets/{KEY}"


async def test_a_credential_reads_one_key_and_is_made_once(peers: _Peers) -> None:
    manager = BarbicanKeys(_options(peers))
    await manager.grant(KEY, "t")
    first, again = [await manager.make_credential(KEY, "manila_barbican_s") for _ in range(2)]
    assert first == again and list(peers.credentials) == [first]
    made = peers.credentials[first]
    assert made["secret"] == KEY and {one["path"] for one in made["access_rules"]} == {
        f"/v1/secrets/{KEY}", f"/v1/secrets/{KEY}/payload"
    }  # fmt: skip
    for _ in range(2):
        await manager.remove_credential(first)
    assert peers.credentials == {}


async def test_another_credential_of_the_service_is_not_taken(peers: _Peers) -> None:
    """Its user may have others, and a list may hold more than was asked for."""
    manager = BarbicanKeys(_options(peers))
    await manager.grant(KEY, "t")
    first, other = [await manager.make_credential(KEY, f"manila_barbican_{one}") for one in "ab"]
    assert first != other and len(peers.credentials) == 2


async def test_a_404_that_is_not_keystone_s_is_no_proof(peers: _Peers) -> None:
    manager = BarbicanKeys(_options(peers))
    peers.up = False
    with pytest.raises(ManilaBarbicanAppCredsError):
        await manager.remove_credential("c0")


async def test_nothing_is_there_without_a_configuration() -> None:
    manager = keys.build(KeyManagerSection(), BarbicanSection())
    assert isinstance(manager, keys.NoKeys)
    assert isinstance(keys.build(KeyManagerSection(backend="stand_in"), BarbicanSection()), keys.StandInKeys)
    assert isinstance(keys.build(KeyManagerSection(backend="barbican"), BarbicanSection()), BarbicanKeys)
    with pytest.raises(ManilaBarbicanACLError):
        await manager.href(KEY)
