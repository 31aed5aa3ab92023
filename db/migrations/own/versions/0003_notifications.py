"""Notifications that wait to be sent, and how the runs of periodic tasks ended."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE openkeel_notifications (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    priority text NOT NULL,
    publisher_id text NOT NULL,
    event_type text NOT NULL,
    payload jsonb NOT NULL,
    context jsonb NOT NULL DEFAULT '{}',
    once text,
    attempts integer NOT NULL DEFAULT 0,
    delivered text[] NOT NULL DEFAULT '{}',
    done_at timestamptz,
    last_error text
);
COMMENT ON TABLE openkeel_notifications IS 'Events for others; a row is written with the rows it tells of.';
COMMENT ON COLUMN openkeel_notifications.once IS 'Names an event of a task that may run again: told once.';
COMMENT ON COLUMN openkeel_notifications.delivered IS 'Transports that took it.';
COMMENT ON COLUMN openkeel_notifications.done_at IS 'When every transport had it, or it was given up (last_error).';
CREATE UNIQUE INDEX openkeel_notifications_once ON openkeel_notifications (once) WHERE once IS NOT NULL;
CREATE INDEX openkeel_notifications_waiting ON openkeel_notifications (id) WHERE done_at IS NULL;
CREATE INDEX openkeel_notifications_age ON openkeel_notifications (created_at);
ALTER TABLE openkeel_leases
    ADD COLUMN runs bigint NOT NULL DEFAULT 0,
    ADD COLUMN failures bigint NOT NULL DEFAULT 0,
    ADD COLUMN last_seconds double precision,
    ADD COLUMN last_error text
"""


def upgrade() -> None:
    """Add the table and the columns."""
    for statement in TABLES.split(";\n"):
        op.execute(statement)
