"""A Keystone of a few lines, over HTTP."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Keystone:
    """Knows ``tokens``; counts look-ups, all and at a time. ``broken`` makes it answer 500, ``refusal`` is what it
    answers for an unknown token, ``seconds`` the time it takes, ``behind`` the answer of the proxy before it."""

    def __init__(self) -> None:
        self.tokens: dict[str, dict[str, Any]] = {"svc": self.facts("service", seconds=900)}
        self.asked: list[str] = []
        self.expired_allowed: list[str] = []
        self.broken = False
        self.behind: dict[str, Any] | None = None
        self.refusal, self.seconds = 404, 0.0
        self.now, self.most, self.lock = 0, 0, threading.Lock()
        keystone = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def answer(self, status: int, body: dict[str, Any], **headers: str) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {
                    "Content-Type": "application/json",
                    "Content-Length": str(len(data)),
                    **headers,
                }.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(201, {"token": keystone.facts("service", seconds=900)}, X_Subject_Token="svc")

            def do_GET(self) -> None:
                token = self.headers["X-Subject-Token"]
                if token is None:  # a look at the versions, which this Keystone has none of
                    self.answer(404, {})
                    return
                with keystone.lock:
                    keystone.asked.append(token)
                    keystone.now += 1
                    keystone.most = max(keystone.most, keystone.now)
                try:
                    time.sleep(keystone.seconds)
                    self.look(token)
                finally:
                    with keystone.lock:
                        keystone.now -= 1

            def look(self, token: str) -> None:
                if "allow_expired=1" in self.path:
                    keystone.expired_allowed.append(token)
                if keystone.broken:
                    self.answer(500, {})
                elif keystone.behind is not None:
                    self.answer(404, keystone.behind)
                elif self.headers["X-Auth-Token"] != "svc" or token not in keystone.tokens:
                    self.answer(keystone.refusal, {"error": {"code": keystone.refusal}})
                else:
                    self.answer(200, {"token": keystone.tokens[token]})

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @staticmethod
    def facts(*roles: str, seconds: float = 900, **more: Any) -> dict[str, Any]:
        end = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        domain = {"id": "default", "name": "Default"}
        return {
            "expires_at": end,
            "issued_at": end,
            "methods": ["password"],
            "roles": [{"id": role, "name": role} for role in roles],
            "user": {"id": "u1", "name": "n", "domain": domain},
            "project": {"id": "b0", "name": "p", "domain": domain},
            **more,
        }

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
