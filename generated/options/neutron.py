"""Options of section ``neutron``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("neutron", "url", "url", "str", None, help="Endpoint override."),
    Option(
        "neutron",
        "endpoint_type",
        "endpoint_type",
        "str",
        "publicURL",
        choices=("publicURL", "internalURL", "adminURL", "public", "internal", "admin"),
        help="Interface of the endpoint.",
    ),
    Option("neutron", "region_name", "region_name", "str", None, help="Region of Neutron."),
    Option("neutron", "auth_url", "auth_url", "str", None, help="URL of Keystone."),
    Option(
        "neutron",
        "auth_type",
        "auth_type",
        "str",
        None,
        old_names=("neutron.auth_plugin",),
        help="Keystoneauth plug-in.",
    ),
    Option(
        "neutron",
        "username",
        "username",
        "str",
        None,
        old_names=("neutron.user-name", "neutron.user_name"),
        help="User.",
    ),
    Option("neutron", "password", "password", "str", None, secret=True, help="Password."),
    Option(
        "neutron",
        "project_name",
        "project_name",
        "str",
        None,
        old_names=("neutron.tenant-name", "neutron.tenant_name"),
        help="Project.",
    ),
    Option(
        "neutron",
        "project_id",
        "project_id",
        "str",
        None,
        old_names=("neutron.tenant-id", "neutron.tenant_id"),
        help="Project id.",
    ),
    Option("neutron", "user_domain_name", "user_domain_name", "str", None, help="User domain."),
    Option("neutron", "project_domain_name", "project_domain_name", "str", None, help="Project domain."),
    Option("neutron", "user_domain_id", "user_domain_id", "str", None, help="User domain id."),
    Option("neutron", "project_domain_id", "project_domain_id", "str", None, help="Project domain id."),
    Option("neutron", "cafile", "cafile", "str", None, help="CA bundle."),
    Option("neutron", "certfile", "certfile", "str", None, help="Client certificate."),
    Option("neutron", "keyfile", "keyfile", "str", None, help="Client key."),
    Option("neutron", "insecure", "insecure", "bool", False, help="Do not verify TLS."),
    Option("neutron", "timeout", "timeout", "float", None, help="Request timeout."),
    Option("neutron", "system_scope", "system_scope", "str", None, help="Scope of the token."),
    Option("neutron", "user_id", "user_id", "str", None, help="User id."),
    Option("neutron", "token", "token", "str", None, secret=True, help="The fixed token of auth_type admin_token."),
)
