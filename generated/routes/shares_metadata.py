"""Dispatch rows of ``handlers.shares_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "shares.metadata.create",
        "POST",
        "/shares/{resource_id}/metadata",
        rules=("share:update_share_metadata",),
        variants=(Variant(0, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "shares.metadata.delete_item",
        "DELETE",
        "/shares/{resource_id}/metadata/{key}",
        rules=("share:delete_share_metadata",),
        empty_json=True,
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "shares.metadata.list",
        "GET",
        "/shares/{resource_id}/metadata",
        rules=("share:get_share_metadata",),
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "shares.metadata.show_item",
        "GET",
        "/shares/{resource_id}/metadata/{key}",
        rules=("share:get_share_metadata",),
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "shares.metadata.update_all",
        "PUT",
        "/shares/{resource_id}/metadata",
        rules=("share:update_share_metadata",),
        variants=(Variant(0, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "shares.metadata.update_item",
        "POST",
        "/shares/{resource_id}/metadata/{key}",
        rules=("share:update_share_metadata",),
        variants=(Variant(0, LATEST, 200, body="ShareMetadataItemUpdate"),),
    ),
)
