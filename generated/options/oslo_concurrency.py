"""Options of section ``oslo_concurrency``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("oslo_concurrency", "lock_path", "lock_path", "str", None, help="Directory of file locks."),
    Option(
        "oslo_concurrency",
        "disable_process_locking",
        "disable_process_locking",
        "bool",
        False,
        help="No inter-process locks.",
    ),
)
