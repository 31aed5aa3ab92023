"""A webhook of the storage that refuses growth for want of room: ``python -m tests.lab.admission POOL PKI PORT``.

It answers as Longhorn's does, under its name and with its words; the room is that of the file system POOL.
"""

from __future__ import annotations

import http.server
import json
import os
import pathlib
import ssl
import sys
from collections.abc import Callable
from typing import Final

from drivers.kubernetes.sizes import bytes_of
from tests.lab.api import Object
from tests.lab.certificates import Authority

NAME: Final = "validator.longhorn.io"
LOCAL: Final = "127.0.0.1"


def configuration(port: int, storage_class: str, authority: str) -> Object:
    """What has the API server ask. ``authority``: its certificate, in base 64."""
    claims = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["persistentvolumeclaims"]}
    mine = f"has(object.spec.storageClassName) && object.spec.storageClassName == '{storage_class}'"
    webhook = {
        "name": NAME,
        "clientConfig": {"url": f"https://{LOCAL}:{port}/", "caBundle": authority},
        "rules": [{**claims, "operations": ["UPDATE"], "scope": "Namespaced"}],
        "matchConditions": [{"name": "of-this-storage", "expression": mine}],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": 5,
    }
    head = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration"}
    return {**head, "metadata": {"name": NAME}, "webhooks": [webhook]}


def verdict(review: Object, free: int) -> Object:
    """The answer to a review. ``free``: bytes that the storage has."""
    asked = review["request"]
    growth = _wanted(asked["object"]) - _wanted(asked["oldObject"])
    answer: Object = {"uid": asked["uid"], "allowed": growth <= 0 or growth <= free}
    if not answer["allowed"]:
        volume = asked["object"]["spec"].get("volumeName")
        why = f"cannot schedule {growth} more bytes to disk pool with &{{StorageAvailable:{free}}}"
        words = f"error while CheckReplicasSizeExpansion for volume {volume}: {why}"
        answer["status"] = {"status": "Failure", "code": 403, "reason": "Forbidden", "message": words}
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": answer}


def _wanted(claim: Object) -> int:
    return bytes_of(claim["spec"]["resources"]["requests"]["storage"])


class Server(http.server.ThreadingHTTPServer):
    """Answers reviews. ``free``: bytes that the storage has now."""

    def __init__(self, port: int, free: Callable[[], int]) -> None:
        super().__init__((LOCAL, port), _Handler)
        self.free = free


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = json.dumps(verdict(review, self.server.free())).encode()
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def main() -> None:
    pool, authority, port = sys.argv[1], Authority(pathlib.Path(sys.argv[2])), int(sys.argv[3])

    def free() -> int:
        found = os.statvfs(pool)
        return found.f_bavail * found.f_frsize

    server = Server(port, free)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(authority.path("serving.crt"), authority.path("serving.key"))
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
