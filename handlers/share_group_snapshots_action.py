"""Administrators' actions on share group snapshots."""

from __future__ import annotations

from handlers.share_group_snapshots import SNAPSHOT

reset_status, force_delete = SNAPSHOT.reset_status, SNAPSHOT.force_delete
