"""Dispatch rows of ``handlers.share_networks_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_networks.action.add_security_service",
        "POST",
        "/share-networks/{id}/action",
        action="add_security_service",
        variants=(Variant(0, LATEST, 200, body="AddSecurityServiceRequest", view="share_network"),),
    ),
    *rows(
        "share_networks.action.add_security_service_check",
        "POST",
        "/share-networks/{id}/action",
        action="add_security_service_check",
        variants=(
            Variant(63, LATEST, 202, body="AddSecurityServiceCheckRequest", view="security_service_update_check"),
        ),
    ),
    *rows(
        "share_networks.action.remove_security_service",
        "POST",
        "/share-networks/{id}/action",
        action="remove_security_service",
        variants=(Variant(0, LATEST, 200, body="RemoveSecurityServiceRequest", view="share_network"),),
    ),
    *rows(
        "share_networks.action.reset_status",
        "POST",
        "/share-networks/{id}/action",
        action="reset_status",
        rules=("share_network:reset_status",),
        variants=(Variant(63, LATEST, 202, body="ShareNetworkResetStatusRequest"),),
    ),
    *rows(
        "share_networks.action.share_network_subnet_create_check",
        "POST",
        "/share-networks/{id}/action",
        action="share_network_subnet_create_check",
        variants=(Variant(70, LATEST, 202, body="ShareNetworkSubnetCreateCheckRequest", view="subnet_create_check"),),
    ),
    *rows(
        "share_networks.action.update_security_service",
        "POST",
        "/share-networks/{id}/action",
        action="update_security_service",
        variants=(Variant(63, LATEST, 202, body="UpdateSecurityServiceRequest", view="share_network"),),
    ),
    *rows(
        "share_networks.action.update_security_service_check",
        "POST",
        "/share-networks/{id}/action",
        action="update_security_service_check",
        variants=(
            Variant(63, LATEST, 202, body="UpdateSecurityServiceCheckRequest", view="security_service_update_check"),
        ),
    ),
)
