"""Manila's migrated schema of stable/2026.2, as one revision under the original's own id.

A database that the original migrated stands at this revision already and is left as it is.
"""

import importlib.resources

from alembic import op

revision = "afc3b5e1f406"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables; ``alembic_version`` is made by Alembic itself."""
    text = importlib.resources.files("db.migrations.original").joinpath("baseline.sql").read_text()
    for statement in text.split(";\n"):
        lines = [line for line in statement.splitlines() if not line.startswith("--")]
        sql = "\n".join(lines).strip().removesuffix(";")
        if sql and "alembic_version" not in sql:
            op.execute(sql)
