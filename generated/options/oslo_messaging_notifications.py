"""Options of section ``oslo_messaging_notifications``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("oslo_messaging_notifications", "driver", "driver", "multistr", [], help="Notification drivers."),
    Option(
        "oslo_messaging_notifications",
        "transport_url",
        "transport_url",
        "str",
        None,
        secret=True,
        help="Transport of notifications.",
    ),
    Option(
        "oslo_messaging_notifications", "topics", "topics", "list", ["notifications"], help="Topics of notifications."
    ),
    Option("oslo_messaging_notifications", "retry", "retry", "int", -1, help="Attempts, -1 endless."),
)
