"""DNS for pods, as a process of the lab: ``python -m tests.lab.dns FOLDER ADDRESS``.

It knows services only. There is no kube-proxy, so a service's own address leads nowhere: each name leads to the ready
pods behind it, as Kubernetes has it for services without an address. A pod of a StatefulSet has a name of its own.
"""

from __future__ import annotations

import http
import ipaddress
import json
import pathlib
import socketserver
import struct
import sys
from collections.abc import Callable
from typing import Any, Final

from tests.lab.api import Api
from tests.lab.certificates import Authority
from tests.lab.place import SERVICE

DOMAIN: Final = "cluster.local"
PORT: Final = 53
SECONDS: Final = 1
"""How long an answer holds."""
OK, FAILED, NO_SUCH_NAME = 0, 2, 3
A: Final = 1
HEADER = struct.Struct("!6H")
Lookup = Callable[[str], list[str] | None]
"""Name without the final dot -> addresses; None: there is no such name. May raise OSError."""


class Names:
    """Services as the API server knows them, or as it knew them when it was last there."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[str, str], list[dict[str, Any]]] = {}

    def __call__(self, name: str) -> list[str] | None:
        """A ``Lookup``."""
        head, dot, rest = name.lower().partition(f".svc.{DOMAIN}")
        words = head.split(".")
        if not dot or rest or len(words) not in (2, 3):
            return None
        pod = words[0] if len(words) == 3 else None
        service, namespace = words[-2:]
        if (service, namespace) == ("kubernetes", "default"):
            return [SERVICE]
        ready = [one for one in self._endpoints(namespace, service) if one.get("conditions", {}).get("ready")]
        found = [one["addresses"][0] for one in ready if pod in (None, one.get("hostname"))]
        return found or None

    def _endpoints(self, namespace: str, service: str) -> list[dict[str, Any]]:
        path = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
        try:
            status, text = self._api("GET", f"{path}?labelSelector=kubernetes.io/service-name={service}")
        except OSError:
            return self._known[namespace, service]
        if status != http.HTTPStatus.OK:
            raise OSError(f"{path}: {status}")
        found = [one for item in json.loads(text)["items"] for one in item.get("endpoints") or ()]
        self._known[namespace, service] = found
        return found


def asked(packet: bytes) -> tuple[str, int, int]:
    """Name and kind of the question of a request, and where it ends."""
    at, words = HEADER.size, []
    while length := packet[at]:
        words.append(packet[at + 1 : at + 1 + length].decode())
        at += 1 + length
    (kind,) = struct.unpack_from("!H", packet, at + 1)
    return ".".join(words), kind, at + 5


def answer(packet: bytes, lookup: Lookup) -> bytes:
    """The answer to a request."""
    name, kind, end = asked(packet)
    try:
        found = lookup(name)
        code = OK if found else NO_SUCH_NAME
    except (OSError, LookupError):
        found, code = None, FAILED
    rows = [ipaddress.IPv4Address(one).packed for one in found or ()] if kind == A else []
    number, flags = struct.unpack_from("!2H", packet)
    # an answer, with authority; what the request says of recursion comes back
    head = HEADER.pack(number, 0x8480 | flags & 0x0100 | code, 1, len(rows), 0, 0)
    body = b"".join(struct.pack("!3HIH", 0xC00C, A, 1, SECONDS, len(row)) + row for row in rows)
    return head + packet[HEADER.size : end] + body


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        data, line = self.request
        assert isinstance(self.server, Server)
        line.sendto(answer(data, self.server.lookup), self.client_address)


class Server(socketserver.ThreadingUDPServer):
    """Answers at an address until it is ended."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, address: tuple[str, int], lookup: Lookup) -> None:
        super().__init__(address, _Handler)
        self.lookup = lookup


def main() -> None:
    folder, address = pathlib.Path(sys.argv[1]), sys.argv[2]
    api = Api((folder / "url").read_text(), Authority(folder / "pki"))
    with Server((address, PORT), Names(api)) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()
