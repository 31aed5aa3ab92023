"""Alembic environment of the adopted schema; its version table is the original's own."""

from db.migrate import run_environment

run_environment("alembic_version")
