"""Dispatch rows of ``handlers.share_network_subnets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_network_subnets.create",
        "POST",
        "/share-networks/{share_network_id}/subnets",
        rules=("share_network_subnet:create",),
        variants=(
            Variant(51, 77, 200, body="ShareNetworkSubnetCreateRequestV251", view="share_network_subnet"),
            Variant(78, LATEST, 200, body="ShareNetworkSubnetCreateRequestV278", view="share_network_subnet"),
        ),
    ),
    *rows(
        "share_network_subnets.delete",
        "DELETE",
        "/share-networks/{share_network_id}/subnets/{share_network_subnet_id}",
        rules=("share_network_subnet:delete",),
        variants=(Variant(51, LATEST, 202),),
    ),
    *rows(
        "share_network_subnets.list",
        "GET",
        "/share-networks/{share_network_id}/subnets",
        rules=("share_network_subnet:index",),
        variants=(Variant(51, LATEST, 200, view="share_network_subnet"),),
    ),
    *rows(
        "share_network_subnets.show",
        "GET",
        "/share-networks/{share_network_id}/subnets/{share_network_subnet_id}",
        rules=("share_network_subnet:show",),
        variants=(Variant(51, LATEST, 200, view="share_network_subnet"),),
    ),
)
