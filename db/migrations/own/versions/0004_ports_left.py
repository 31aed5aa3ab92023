"""Ports of a network service that no row speaks of, since when."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE openkeel_ports_left (
    port_id text PRIMARY KEY,
    host text NOT NULL,
    server_id text NOT NULL,
    ours boolean NOT NULL,
    sightings integer NOT NULL DEFAULT 1,
    first_seen timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE openkeel_ports_left IS 'Ports that were made for a share server and that no allocation speaks of.';
COMMENT ON COLUMN openkeel_ports_left.ours IS 'Whether it is certain that nobody keeps it on purpose.';
CREATE INDEX openkeel_ports_left_host ON openkeel_ports_left (host)
"""


def upgrade() -> None:
    """Add the table."""
    for statement in TABLES.split(";\n"):
        op.execute(statement)
