"""Options of section ``oslo_middleware``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "oslo_middleware",
        "max_request_body_size",
        "max_request_body_size",
        "int",
        114688,
        help="Largest request body in bytes.",
    ),
    Option(
        "oslo_middleware",
        "enable_proxy_headers_parsing",
        "enable_proxy_headers_parsing",
        "bool",
        False,
        help="Honour X-Forwarded-* headers.",
    ),
)
