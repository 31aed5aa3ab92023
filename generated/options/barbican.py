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
)
