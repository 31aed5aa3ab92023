"""Plain requests to the lab's API server, as its administrator."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any

from tests.lab.certificates import Authority

Object = dict[str, Any]
APPLY = "application/apply-patch+yaml"
MANAGER = "lab"


class Api:
    """Requests with the certificate of ``admin``, or with a service account's token."""

    def __init__(self, url: str, authority: Authority) -> None:
        self.url = url
        self._authority = authority

    def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        kind: str = "application/json",
        accept: str = "application/json",
        token: str | None = None,
    ) -> tuple[int, str]:
        """Status and text of an answer; ``kind``: of the body."""
        tls = ssl.create_default_context(cafile=self._authority.path("ca.crt"))
        headers = {"Content-Type": kind, "Accept": accept}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        else:
            tls.load_cert_chain(self._authority.path("admin.crt"), self._authority.path("admin.key"))
        host, port = self.url.removeprefix("https://").split(":")
        connection = http.client.HTTPSConnection(host, int(port), context=tls, timeout=30)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def get(self, path: str) -> Object:
        """An object. Raises LookupError unless it is there."""
        status, text = self("GET", path)
        if status != http.HTTPStatus.OK:
            raise LookupError(f"{path}: {status} {text[:300]}")
        found: Object = json.loads(text)
        return found

    def apply(self, collection: str, wanted: Object) -> Object:
        """Server-side apply below a collection's path; JSON is YAML. Raises RuntimeError when it is refused."""
        path = f"{collection}/{wanted['metadata']['name']}?fieldManager={MANAGER}&force=true"
        status, text = self("PATCH", path, wanted, kind=APPLY)
        if status not in (http.HTTPStatus.OK, http.HTTPStatus.CREATED):
            raise RuntimeError(f"{path}: {status} {text[:300]}")
        made: Object = json.loads(text)
        return made
