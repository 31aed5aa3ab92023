"""Routes of ``share_networks_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_networks.action.add_security_service", "POST", "/share-networks/{id}/action", "add_security_service", 0, 99, False, "AddSecurityServiceRequest", None, None, "ShareNetworkResponse", 200, (), False),
    Route("share_networks.action.add_security_service_check", "POST", "/share-networks/{id}/action", "add_security_service_check", 63, 99, False, "AddSecurityServiceCheckRequest", None, None, "SecurityServiceUpdateCheck", 202, (), False),
    Route("share_networks.action.remove_security_service", "POST", "/share-networks/{id}/action", "remove_security_service", 0, 99, False, "RemoveSecurityServiceRequest", None, None, "ShareNetworkResponse", 200, (), False),
    Route("share_networks.action.reset_status", "POST", "/share-networks/{id}/action", "reset_status", 63, 99, False, "ShareNetworkResetStatusRequest", None, None, None, 202, ("share_network:reset_status",), False),
    Route("share_networks.action.share_network_subnet_create_check", "POST", "/share-networks/{id}/action", "share_network_subnet_create_check", 70, 99, False, "ShareNetworkSubnetCreateCheckRequest", None, None, "SubnetCreateCheck", 202, (), False),
    Route("share_networks.action.update_security_service", "POST", "/share-networks/{id}/action", "update_security_service", 63, 99, False, "UpdateSecurityServiceRequest", None, None, "ShareNetworkResponse", 202, (), False),
    Route("share_networks.action.update_security_service_check", "POST", "/share-networks/{id}/action", "update_security_service_check", 63, 99, False, "UpdateSecurityServiceCheckRequest", None, None, "SecurityServiceUpdateCheck", 202, (), False),
)
