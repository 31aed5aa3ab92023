"""Options of section ``barbican``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "barbican",
        "barbican_endpoint",
        "barbican_endpoint",
        "str",
        None,
        help="URL of the key manager; without it the one in the catalogue.",
    ),
    Option(
        "barbican", "endpoint_type", "endpoint_type", "str", "publicURL", help="Which of the catalogue's URLs is used."
    ),
    Option("barbican", "region_name", "region_name", "str", None, help="Region of the catalogue's URLs."),
    Option(
        "barbican",
        "auth_type",
        "auth_type",
        "str",
        "password",
        help="Keystoneauth1 plugin of the service's own user, who reads the keys.",
    ),
    Option("barbican", "auth_url", "auth_url", "str", None, help="URL of Keystone."),
    Option("barbican", "username", "username", "str", None, help="Name of that user."),
    Option("barbican", "password", "password", "str", None, secret=True, help="Its password."),
    Option("barbican", "project_name", "project_name", "str", None, help="Its project."),
    Option("barbican", "user_domain_name", "user_domain_name", "str", None, help="Domain of the user."),
    Option("barbican", "project_domain_name", "project_domain_name", "str", None, help="Domain of the project."),
    Option(
        "barbican",
        "cafile",
        "cafile",
        "str",
        None,
        help="PEM file of the authority that signed the servers' certificates.",
    ),
    Option("barbican", "insecure", "insecure", "bool", False, help="Certificates are not checked."),
    Option(
        "barbican",
        "system_scope",
        "system_scope",
        "str",
        None,
        help="`all`: the token is for the whole system (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "domain_id",
        "domain_id",
        "str",
        None,
        help="Domain that the token is for, by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "domain_name",
        "domain_name",
        "str",
        None,
        help="Domain that the token is for (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "project_id",
        "project_id",
        "str",
        None,
        help="The project by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "project_domain_id",
        "project_domain_id",
        "str",
        None,
        help="Domain of the project by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "trust_id",
        "trust_id",
        "str",
        None,
        help="Trust to use instead of an own project (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "default_domain_id",
        "default_domain_id",
        "str",
        None,
        help=("Domain of user and project where none is named, by id (option of the auth plug-ins password, token)."),
    ),
    Option(
        "barbican",
        "default_domain_name",
        "default_domain_name",
        "str",
        None,
        help="Domain of user and project where none is named (option of the auth plug-ins password, token).",
    ),
    Option(
        "barbican",
        "user_id",
        "user_id",
        "str",
        None,
        help="The user by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "user_domain_id",
        "user_domain_id",
        "str",
        None,
        help="Domain of the user by id (option of the auth plug-ins of keystoneauth1).",
    ),
    Option(
        "barbican",
        "token",
        "token",
        "str",
        None,
        secret=True,
        help="The token that is exchanged for another (option of the auth plug-ins token, v3token).",
    ),
    Option(
        "barbican",
        "passcode",
        "passcode",
        "str",
        None,
        secret=True,
        help="One-time password (option of the auth plug-in v3totp).",
    ),
    Option(
        "barbican",
        "application_credential_secret",
        "application_credential_secret",
        "str",
        None,
        secret=True,
        help="Secret of the application credential (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "barbican",
        "application_credential_id",
        "application_credential_id",
        "str",
        None,
        help="Application credential by id (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "barbican",
        "application_credential_name",
        "application_credential_name",
        "str",
        None,
        help="Application credential of the named user (option of the auth plug-in v3applicationcredential).",
    ),
    Option(
        "barbican",
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
        "barbican",
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
        "barbican",
        "client_id",
        "client_id",
        "str",
        None,
        help=("Client at the identity provider (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials)."),
    ),
    Option(
        "barbican",
        "client_secret",
        "client_secret",
        "str",
        None,
        secret=True,
        help="Secret of that client (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials).",
    ),
    Option(
        "barbican",
        "scope",
        "scope",
        "str",
        None,
        help="OpenID Connect scope (option of the auth plug-ins v3oidcpassword, v3oidcclientcredentials).",
    ),
    Option(
        "barbican",
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
        "barbican",
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
        "barbican",
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
        "barbican",
        "idp_otp_key",
        "idp_otp_key",
        "str",
        None,
        help="Name of the field for a one-time password (option of the auth plug-in v3oidcpassword).",
    ),
    Option(
        "barbican",
        "access_token",
        "access_token",
        "str",
        None,
        secret=True,
        help="Token of the identity provider (option of the auth plug-in v3oidcaccesstoken).",
    ),
    Option(
        "barbican",
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
        "barbican",
        "oauth2_client_id",
        "oauth2_client_id",
        "str",
        None,
        help=("OAuth 2.0 client (option of the auth plug-ins v3oauth2clientcredential, v3oauth2mtlsclientcredential)."),
    ),
    Option(
        "barbican",
        "oauth2_client_secret",
        "oauth2_client_secret",
        "str",
        None,
        secret=True,
        help="Secret of that client (option of the auth plug-in v3oauth2clientcredential).",
    ),
)
