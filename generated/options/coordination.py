"""Options of section ``coordination``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "coordination",
        "backend_url",
        "backend_url",
        "str",
        "file://$state_path",
        secret=True,
        help="Tooz URL of the lock service.",
    ),
)
