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
    Option(
        "neutron",
        "domain_id",
        "domain_id",
        "str",
        None,
        help="Domain that the token is for, by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "neutron",
        "domain_name",
        "domain_name",
        "str",
        None,
        help="Domain that the token is for (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "neutron",
        "trust_id",
        "trust_id",
        "str",
        None,
        help="Trust to use instead of an own project (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "neutron",
        "default_domain_id",
        "default_domain_id",
        "str",
        None,
        help=("Domain of user and project where none is named, by id (option of the auth plug-ins password, token)."),
    ),
    Option(
        "neutron",
        "default_domain_name",
        "default_domain_name",
        "str",
        None,
        help="Domain of user and project where none is named (option of the auth plug-ins password, token).",
    ),
    Option(
        "neutron",
        "passcode",
        "passcode",
        "str",
        None,
        secret=True,
        help="One-time password (option of the auth plug-in v3totp).",
    ),
    Option(
        "neutron",
        "application_credential_secret",
        "application_credential_secret",
        "str",
        None,
        secret=True,
        help="Secret of the application credential (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "neutron",
        "application_credential_id",
        "application_credential_id",
        "str",
        None,
        help="Application credential by id (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "neutron",
        "application_credential_name",
        "application_credential_name",
        "str",
        None,
        help="Application credential of the named user (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "neutron",
        "identity_provider",
        "identity_provider",
        "str",
        None,
        help=(
            "Identity provider that Keystone knows (option of the auth plug-ins v3oidcpassword, "
            "v3oidcclientcredentials, v3oidcaccesstoken)."
        ),
    ),
    Option(
        "neutron",
        "protocol",
        "protocol",
        "str",
        None,
        help=(
            "Protocol of the identity provider that Keystone knows (option of the auth plug-ins "
            "v3oidcpassword, v3oidcclientcredentials, v3oidcaccesstoken)."
        ),
    ),
    Option(
        "neutron",
        "client_id",
        "client_id",
        "str",
        None,
        help=("Client at the identity provider (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials)."),
    ),
    Option(
        "neutron",
        "client_secret",
        "client_secret",
        "str",
        None,
        secret=True,
        help="Secret of that client (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials).",
    ),
    Option(
        "neutron",
        "scope",
        "scope",
        "str",
        None,
        help="OpenID Connect scope (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials).",
    ),
    Option(
        "neutron",
        "access_token_endpoint",
        "access_token_endpoint",
        "str",
        None,
        help=(
            "URL at which the identity provider gives tokens (option of the auth plug-ins v3oidcpassword, "
            "v3oidcclientcredentials)."
        ),
    ),
    Option(
        "neutron",
        "discovery_endpoint",
        "discovery_endpoint",
        "str",
        None,
        help=(
            "URL of the identity provider's document (option of the auth plug-ins v3oidcpassword, "
            "v3oidcclientcredentials)."
        ),
    ),
    Option(
        "neutron",
        "access_token_type",
        "access_token_type",
        "str",
        None,
        help=(
            "Which of the provider's tokens is used: access_token or id_token (option of the auth plug-ins "
            "v3oidcpassword, v3oidcclientcredentials)."
        ),
    ),
    Option(
        "neutron",
        "idp_otp_key",
        "idp_otp_key",
        "str",
        None,
        help="Name of the field for a one-time password (option of the auth plug-in v3oidcpassword).",
    ),
    Option(
        "neutron",
        "access_token",
        "access_token",
        "str",
        None,
        secret=True,
        help="Token of the identity provider (option of the auth plug-in v3oidcaccesstoken).",
    ),
    Option(
        "neutron",
        "oauth2_endpoint",
        "oauth2_endpoint",
        "str",
        None,
        help=(
            "URL at which Keystone gives OAuth 2.0 tokens (option of the auth plug-ins "
            "v3oauth2clientcredential, v3oauth2mtlsclientcredential)."
        ),
    ),
    Option(
        "neutron",
        "oauth2_client_id",
        "oauth2_client_id",
        "str",
        None,
        help=("OAuth 2.0 client (option of the auth plug-ins v3oauth2clientcredential, v3oauth2mtlsclientcredential)."),
    ),
    Option(
        "neutron",
        "oauth2_client_secret",
        "oauth2_client_secret",
        "str",
        None,
        secret=True,
        help="Secret of that client (option of the auth plug-in v3oauth2clientcredential).",
    ),
    Option("neutron", "token", "token", "str", None, secret=True, help="The fixed token of auth_type admin_token."),
)
