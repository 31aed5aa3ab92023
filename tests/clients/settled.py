"""A front before the service that lets the work of earlier requests end before it passes a request on.

csi-sanity never waits for a deletion: it was seen to pass on an original whose work is done before it answers.
"""

from __future__ import annotations

import contextlib
import http.client
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.conformance.launch import Endpoint

DROPPED = frozenset(("connection", "transfer-encoding", "content-length"))


def _handler(at: Endpoint) -> type[BaseHTTPRequestHandler]:
    target = urlsplit(at.url)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            urllib.request.urlopen(f"{at.control}/settle", b"{}", timeout=60).close()
            onward = http.client.HTTPConnection(target.hostname or "", target.port, timeout=60)
            onward.request(self.command, self.path, body or None, dict(self.headers.items()))
            answer = onward.getresponse()
            data = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in DROPPED:
                    self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            onward.close()

        do_GET = do_POST = do_PUT = do_DELETE = _pass_on

    return Handler


@contextlib.contextmanager
def front(at: Endpoint) -> Iterator[str]:
    """The front's URL, for the time of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(at))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
