"""A real Keystone and the service as separate processes, brought up from nothing on one embedded database server."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from db import migrate
from db.embedded import EmbeddedPostgres
from tests.conformance.launch import free_ports
from tests.peers import keystone, service
from tests.perf.run import keystone_token


@dataclass(frozen=True, slots=True)
class Cloud:
    """A Keystone and the URL, with ``/v2``, of the service in its catalogue."""

    identity: keystone.Keystone
    url: str


@contextlib.contextmanager
def cloud(out: pathlib.Path, *, servers: bool, count: int = 1) -> Iterator[Cloud]:
    """Keystone and the service with the types ``default``, ``dhss_false`` and ``dhss_true``, for the time of the block.

    Args:
        out: folder of the logs.
        servers: whether the type ``default`` is one with share servers.
        count: processes of each role.
    """
    with tempfile.TemporaryDirectory(prefix="manila-cloud-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the database server runs as another user when we are root
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        postgres = EmbeddedPostgres(folder / "data")
        stack.callback(postgres.stop)
        identity_port, port = free_ports(2)
        identity = keystone.keystone(folder / "keystone", postgres.create("keystone"), identity_port)
        at = stack.enter_context(identity)
        database = postgres.create("manila")
        migrate.sync(database)
        url = f"http://127.0.0.1:{port}/v2"
        keystone.register(at, url)
        stack.enter_context(service.service(service.configure(folder, database, port, at), port, out, count))
        service.make_types(url, keystone_token(at.url, "admin", "admin", keystone.PASSWORD), servers=servers)
        try:
            yield Cloud(at, url)
        finally:
            shutil.copy(folder / "keystone" / "keystone.out", out)
