"""Indexes in the order of lists, so that a page costs the same whatever is stored.

They are made while others write, each by itself; what an earlier run left half made is made anew.
"""

from __future__ import annotations

import sqlalchemy
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ADDED = {
    "openkeel_shares_of_project": "shares (project_id, is_soft_deleted, created_at, id) WHERE deleted = 'False'",
    "openkeel_shares_in_order": "shares (is_soft_deleted, created_at, id) WHERE deleted = 'False'",
    "openkeel_shares_public": "shares (is_soft_deleted, created_at, id) WHERE deleted = 'False' AND is_public",
    "openkeel_share_instances_in_order": "share_instances (created_at, id) WHERE deleted = 'False'",
    "openkeel_share_snapshots_of_project": "share_snapshots (project_id, created_at, id) WHERE deleted = 'False'",
    "openkeel_share_snapshots_in_order": "share_snapshots (created_at, id) WHERE deleted = 'False'",
    "openkeel_messages_of_project": "messages (project_id, created_at, id) WHERE deleted = 'False'",
    "openkeel_messages_in_order": "messages (created_at, id) WHERE deleted = 'False'",
}
REPLACED = {
    "openkeel_shares_project_id_created_a": "shares (project_id, created_at DESC, id)",
    "openkeel_share_snapshots_project_id": "share_snapshots (project_id)",
    "openkeel_messages_project_id_created_a": "messages (project_id, created_at)",
    # the original has the same
    "openkeel_share_instances_share_id": "share_instances (share_id)",
    "openkeel_reservations_project_id": "reservations (project_id)",
}


def _exchange(wanted: dict[str, str], unwanted: dict[str, str]) -> None:
    with op.get_context().autocommit_block():
        for name, what in wanted.items():
            known = f"SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{name}')"
            valid = op.get_bind().execute(sqlalchemy.text(known)).scalar()
            if valid is False:
                op.execute(f"DROP INDEX CONCURRENTLY {name}")
            if not valid:
                op.execute(f"CREATE INDEX CONCURRENTLY {name} ON {what}")
        for name in unwanted:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


def upgrade() -> None:
    """Make the indexes, and remove those that they replace."""
    _exchange(ADDED, REPLACED)


def downgrade() -> None:
    """Put back what there was."""
    _exchange(REPLACED, ADDED)
