"""Dispatch rows of ``handlers.share_network_subnets_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_network_subnets.metadata.create",
        "POST",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata",
        rules=("share_network_subnet:update_metadata",),
        variants=(Variant(78, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "share_network_subnets.metadata.delete_item",
        "DELETE",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}",
        rules=("share_network_subnet:delete_metadata",),
        empty_json=True,
        variants=(Variant(78, LATEST, 200),),
    ),
    *rows(
        "share_network_subnets.metadata.list",
        "GET",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata",
        rules=("share_network_subnet:get_metadata",),
        variants=(Variant(78, LATEST, 200),),
    ),
    *rows(
        "share_network_subnets.metadata.show_item",
        "GET",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}",
        rules=("share_network_subnet:get_metadata",),
        variants=(Variant(78, LATEST, 200),),
    ),
    *rows(
        "share_network_subnets.metadata.update_all",
        "PUT",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata",
        rules=("share_network_subnet:update_metadata",),
        variants=(Variant(78, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "share_network_subnets.metadata.update_item",
        "POST",
        "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}",
        rules=("share_network_subnet:update_metadata",),
        variants=(Variant(78, LATEST, 200, body="MetadataRequest"),),
    ),
)
