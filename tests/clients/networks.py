"""A Neutron in which a tenant makes networks and subnets, and nothing else: what Terraform lays share networks on."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

KINDS = {"networks": "network", "subnets": "subnet"}


class Networks:
    """What was made, by collection and id. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, dict[str, Any]] = {collection: {} for collection in KINDS}

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and body of a request; ``path`` starts with ``/v2.0``."""
        version, collection, ident = [*path.strip("/").split("/"), "", ""][:3]
        if version != "v2.0" or collection not in KINDS:
            return 404, _missing(path)
        key, made = KINDS[collection], self._made[collection]
        with self._lock:
            if method == "POST" and not ident:
                one = {"id": str(uuid.uuid4()), "status": "ACTIVE", "tags": [], **_chosen(body[key]), **body[key]}
                made[one["id"]] = one
                return 201, {key: one}
            if not ident:
                return 200, {collection: list(made.values())}
            if ident not in made:
                return 404, _missing(ident)
            if method == "DELETE":
                del made[ident]
                return 204, None
            made[ident] |= (body or {}).get(key, {})
            return 200, {key: made[ident]}


def _chosen(asked: dict[str, Any]) -> dict[str, Any]:
    """What Neutron chooses for a subnet: the first address is the gateway's."""
    return {"gateway_ip": str(ipaddress.ip_network(asked["cidr"])[1])} if "cidr" in asked else {}


def _missing(what: str) -> Any:
    return {"NeutronError": {"type": "NotFound", "message": f"{what} could not be found.", "detail": ""}}


@contextlib.contextmanager
def neutron() -> Iterator[str]:
    """Its URL, for the time of the block."""
    state = Networks()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            status, answer = state.answer(self.command, urlsplit(self.path).path, body)
            data = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = _serve

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
