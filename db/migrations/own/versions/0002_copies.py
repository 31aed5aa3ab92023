"""How far the data service's copies are, for the processes that did not start them."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE openkeel_copies (
    share_id text PRIMARY KEY,
    total_progress integer NOT NULL DEFAULT 0,
    current_file_path text,
    current_file_progress double precision NOT NULL DEFAULT 0,
    cancelled boolean NOT NULL DEFAULT false,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE openkeel_copies IS 'Copies that run now, by the share whose data they read or write.';
"""


def upgrade() -> None:
    op.execute(TABLES)


def downgrade() -> None:
    op.execute("DROP TABLE openkeel_copies")
