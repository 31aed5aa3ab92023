"""Dispatch rows of ``handlers.share_networks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_networks.create",
        "POST",
        "/share-networks",
        variants=(
            Variant(0, 50, 200, body="ShareNetworkCreateRequestV20", view="share_network"),
            Variant(51, LATEST, 200, body="ShareNetworkCreateRequestV251", view="share_network"),
        ),
    ),
    *rows("share_networks.delete", "DELETE", "/share-networks/{id}", variants=(Variant(0, LATEST, 202),)),
    *rows(
        "share_networks.detail",
        "GET",
        "/share-networks/detail",
        variants=(Variant(0, LATEST, 200, view="share_network"),),
    ),
    *rows(
        "share_networks.list",
        "GET",
        "/share-networks",
        variants=(Variant(0, LATEST, 200, view="share_network_summary"),),
    ),
    *rows(
        "share_networks.show", "GET", "/share-networks/{id}", variants=(Variant(0, LATEST, 200, view="share_network"),)
    ),
    *rows(
        "share_networks.update",
        "PUT",
        "/share-networks/{id}",
        variants=(Variant(0, LATEST, 200, body="ShareNetworkUpdateRequest", view="share_network"),),
    ),
)
