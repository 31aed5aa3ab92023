"""Administrators' actions on share groups."""

from __future__ import annotations

from handlers.share_groups import GROUP

reset_status, force_delete = GROUP.reset_status, GROUP.force_delete
