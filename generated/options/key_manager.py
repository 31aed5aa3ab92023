"""Options of section ``key_manager``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "key_manager",
        "backend",
        "backend",
        "str",
        None,
        help=(
            "Barbican, or stand_in for trying shares with encryption keys out without a key manager; without "
            "it such shares end in error."
        ),
    ),
)
