"""Options of section ``oslo_policy``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("oslo_policy", "policy_file", "policy_file", "str", "policy.yaml", help="File of overriding rules."),
    Option(
        "oslo_policy", "policy_dirs", "policy_dirs", "multistr", ["policy.d"], help="Directories of overriding rules."
    ),
    Option(
        "oslo_policy",
        "policy_default_rule",
        "policy_default_rule",
        "str",
        "default",
        help="Rule used for unknown names.",
    ),
    Option(
        "oslo_policy",
        "enforce_new_defaults",
        "enforce_new_defaults",
        "bool",
        True,
        help="True: deprecated rules are not or-ed to the new defaults.",
    ),
    Option("oslo_policy", "enforce_scope", "enforce_scope", "bool", True, help="Token scope must match scope_types."),
    Option("oslo_policy", "remote_timeout", "remote_timeout", "float", 60, min=0, help="Timeout of http checks."),
    Option(
        "oslo_policy",
        "remote_content_type",
        "remote_content_type",
        "str",
        "application/x-www-form-urlencoded",
        choices=("application/x-www-form-urlencoded", "application/json"),
        help="Body type of http checks.",
    ),
    Option("oslo_policy", "remote_ssl_ca_crt_file", "remote_ssl_ca_crt_file", "str", None, help="CA of http checks."),
    Option(
        "oslo_policy",
        "remote_ssl_client_crt_file",
        "remote_ssl_client_crt_file",
        "str",
        None,
        help="Client certificate of http checks.",
    ),
    Option(
        "oslo_policy",
        "remote_ssl_client_key_file",
        "remote_ssl_client_key_file",
        "str",
        None,
        help="Client key of http checks.",
    ),
    Option(
        "oslo_policy",
        "remote_ssl_verify_server_crt",
        "remote_ssl_verify_server_crt",
        "bool",
        False,
        help="Verify the server of http checks.",
    ),
)
