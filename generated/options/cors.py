"""Options of section ``cors``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "cors",
        "allowed_origin",
        "allowed_origin",
        "list",
        [],
        help="Origins that browsers may call the API from, as protocol://host[:port], or *.",
    ),
    Option(
        "cors",
        "allow_credentials",
        "allow_credentials",
        "bool",
        True,
        help="Requests from other origins may carry credentials.",
    ),
    Option(
        "cors",
        "expose_headers",
        "expose_headers",
        "list",
        [
            "X-Auth-Token",
            "X-OpenStack-Request-ID",
            "X-Openstack-Manila-Api-Version",
            "X-OpenStack-Manila-API-Experimental",
            "X-Subject-Token",
            "X-Service-Token",
        ],
        help="Headers of answers that scripts may read.",
    ),
    Option(
        "cors",
        "max_age",
        "max_age",
        "int",
        3600,
        help="Seconds that a browser may keep the answer to a preflight request.",
    ),
    Option(
        "cors",
        "allow_methods",
        "allow_methods",
        "list",
        ["GET", "PUT", "POST", "DELETE", "PATCH"],
        help="Methods of requests from other origins.",
    ),
    Option(
        "cors",
        "allow_headers",
        "allow_headers",
        "list",
        [
            "X-Auth-Token",
            "X-OpenStack-Request-ID",
            "X-Openstack-Manila-Api-Version",
            "X-OpenStack-Manila-API-Experimental",
            "X-Identity-Status",
            "X-Roles",
            "X-Service-Catalog",
            "X-User-Id",
            "X-Tenant-Id",
        ],
        help="Headers that requests from other origins may carry.",
    ),
)
