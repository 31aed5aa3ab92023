"""Options of section ``api``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "api",
        "response_validation",
        "response_validation",
        "str",
        "warn",
        choices=("error", "warn", "ignore"),
        help="Declared, but not consulted by the validation code of this release.",
    ),
)
