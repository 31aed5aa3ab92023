"""Alembic environment of this project's tables, under a version table of their own."""

from db.migrate import run_environment

run_environment("openkeel_version")
