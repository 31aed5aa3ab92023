"""Options of section ``openkeel``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "openkeel",
        "task_lease",
        "task_lease",
        "float",
        30.0,
        min=1,
        help="Seconds after which the tasks of a worker without a heartbeat are taken over.",
    ),
    Option(
        "openkeel",
        "task_poll",
        "task_poll",
        "float",
        1.0,
        help="Seconds between looks at the task queue when no notification comes.",
    ),
    Option(
        "openkeel",
        "task_concurrency",
        "task_concurrency",
        "int",
        16,
        min=1,
        help="Tasks that one back end's worker runs at the same time.",
    ),
    Option(
        "openkeel",
        "stuck_timeout",
        "stuck_timeout",
        "float",
        3600.0,
        min=0,
        help=(
            "Seconds after which a resource in a transitional status that no task works on is put into "
            "error; 0 never does."
        ),
    ),
    Option("openkeel", "metrics_listen", "metrics_listen", "str", "127.0.0.1", help="Address of health and metrics."),
    Option(
        "openkeel", "metrics_port", "metrics_port", "port", 9090, help="Port of health and metrics; 0 turns them off."
    ),
    Option(
        "openkeel",
        "metrics_top",
        "metrics_top",
        "int",
        20,
        min=0,
        help=(
            "Shares, and clients, whose operations, bytes and times metrics show: those that did most since "
            "the last time; 0 shows none."
        ),
    ),
    Option(
        "openkeel",
        "static_tokens",
        "static_tokens",
        "str",
        None,
        help="File of tokens for embedded use; takes Keystone's place.",
    ),
    Option(
        "openkeel",
        "static_tokens_anywhere",
        "static_tokens_anywhere",
        "bool",
        False,
        help="Allow static tokens on an address other than loopback.",
    ),
    Option(
        "openkeel",
        "embedded_database",
        "embedded_database",
        "str",
        None,
        help="Folder of an embedded PostgreSQL, used when [database] connection is not set.",
    ),
    Option(
        "openkeel",
        "data_folders",
        "data_folders",
        "str",
        None,
        help=(
            "Folder whose sub-folders stand for exports: the data service then mounts nothing; for tests and "
            "for the dummy driver."
        ),
    ),
    Option(
        "openkeel",
        "data_copy_verify",
        "data_copy_verify",
        "str",
        "sample",
        choices=("none", "sample", "all"),
        help=(
            "What the data service reads back from the target of a copy and compares by hash: nothing; one "
            "file in 16 and parts of every file from 64 MiB on; or every file. DEFAULT.check_hash = true is "
            "all."
        ),
    ),
    Option(
        "openkeel",
        "notification_url",
        "notification_url",
        "str",
        None,
        help="Where the notification driver webhook posts to.",
    ),
    Option(
        "openkeel",
        "notification_token",
        "notification_token",
        "str",
        None,
        secret=True,
        help="Bearer token of the notification driver webhook.",
    ),
    Option(
        "openkeel",
        "notification_timeout",
        "notification_timeout",
        "float",
        10.0,
        help="Seconds for one request of the notification driver webhook.",
    ),
    Option(
        "openkeel",
        "notification_retention",
        "notification_retention",
        "int",
        604800,
        min=60,
        help="Seconds that notifications are kept, sent or not.",
    ),
    Option(
        "openkeel",
        "log_format",
        "log_format",
        "str",
        "line",
        choices=("line", "json"),
        help="How log records are written.",
    ),
    Option(
        "openkeel",
        "log_level",
        "log_level",
        "str",
        "INFO",
        choices=("DEBUG", "INFO", "WARNING", "ERROR"),
        help="Least level of log records that are written.",
    ),
    Option("openkeel", "tls_certificate", "tls_certificate", "str", None, help="PEM file of the certificate, for TLS."),
    Option("openkeel", "tls_key", "tls_key", "str", None, help="PEM file of the key, for TLS."),
    Option(
        "openkeel",
        "http_head_size",
        "http_head_size",
        "int",
        65536,
        min=4096,
        help="Bytes of a request's head, more is answered 431.",
    ),
    Option(
        "openkeel",
        "http_head_lines",
        "http_head_lines",
        "int",
        200,
        min=16,
        help="Header lines of a request, more is answered 431.",
    ),
    Option(
        "openkeel",
        "http_url_size",
        "http_url_size",
        "int",
        16384,
        min=1024,
        help="Bytes of a request's target, more is answered 414.",
    ),
    Option(
        "openkeel",
        "http_connections",
        "http_connections",
        "int",
        1000,
        min=8,
        help=(
            "Connections that one API process keeps open, fewer when the limit of file descriptors does not "
            "allow as many; a new one beyond it takes the place of one without a request at work, of the "
            "address that has the most."
        ),
    ),
    Option(
        "openkeel",
        "trusted_proxies",
        "trusted_proxies",
        "list",
        [],
        help=(
            "Addresses and networks of the proxies whose headers are believed with [oslo_middleware] "
            "enable_proxy_headers_parsing; empty: of whoever connects."
        ),
    ),
    Option(
        "openkeel",
        "trusted_proxy_headers",
        "trusted_proxy_headers",
        "list",
        ["X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix"],
        help=(
            "Headers that are believed: those that the proxy sets or removes on every request, also "
            "Forwarded if it does; a client can set the others."
        ),
    ),
    Option(
        "openkeel",
        "http_connections_per_address",
        "http_connections_per_address",
        "int",
        500,
        min=1,
        help=(
            "Connections that one API process keeps open for one client address (IPv6: one /64). Behind a "
            "proxy all clients have the proxy's address: set it to http_connections there."
        ),
    ),
    Option(
        "openkeel",
        "http_requests_per_connection",
        "http_requests_per_connection",
        "int",
        10000,
        min=1,
        help="Requests after which a connection is closed, announced in the last answer.",
    ),
    Option(
        "openkeel",
        "http_first_byte_timeout",
        "http_first_byte_timeout",
        "float",
        30.0,
        min=0.1,
        help=(
            "Seconds for the first byte of a new connection (with TLS also for the handshake), and for the "
            "next request of a connection on which no token was found good."
        ),
    ),
    Option(
        "openkeel",
        "http_head_timeout",
        "http_head_timeout",
        "float",
        15.0,
        min=0.1,
        help="Seconds for a request's head from its first byte, more is answered 408.",
    ),
    Option(
        "openkeel",
        "http_body_timeout",
        "http_body_timeout",
        "float",
        30.0,
        min=0.1,
        help="Seconds for a request's body, more is answered 408 and the request is not carried out.",
    ),
    Option(
        "openkeel",
        "http_write_timeout",
        "http_write_timeout",
        "float",
        30.0,
        min=0.1,
        help="Seconds for a client to take the next 64 KiB of an answer, after which the connection is closed.",
    ),
    Option(
        "openkeel",
        "http_unread_size",
        "http_unread_size",
        "int",
        67108864,
        min=1048576,
        help=(
            "Bytes of answers that clients have not read yet, of one API process; beyond it the connections "
            "that have waited longest are closed."
        ),
    ),
    Option(
        "openkeel",
        "requests_at_once",
        "requests_at_once",
        "int",
        64,
        min=1,
        help=(
            "Requests with a good token that one API process works on at the same time; others wait, and "
            "projects take turns."
        ),
    ),
    Option(
        "openkeel",
        "requests_per_project",
        "requests_per_project",
        "int",
        4,
        min=1,
        help=(
            "Requests of one project that one API process works on, or whose answers it writes, at the same "
            "time; others of that project wait."
        ),
    ),
    Option(
        "openkeel",
        "requests_waiting",
        "requests_waiting",
        "int",
        400,
        min=0,
        help=(
            "Requests that wait in one API process for their turn; beyond it the project with the most loses "
            "its newest, which are answered with requests_refused_with."
        ),
    ),
    Option(
        "openkeel",
        "requests_waiting_per_project",
        "requests_waiting_per_project",
        "int",
        200,
        min=0,
        help="Requests of one project that wait for their turn; more are answered with requests_refused_with.",
    ),
    Option(
        "openkeel",
        "requests_refused_with",
        "requests_refused_with",
        "int",
        429,
        choices=("429", "503"),
        help="Status, with Retry-After, of a request for which there is no place to wait: 429 or 503.",
    ),
    Option(
        "openkeel",
        "keystone_look_ups",
        "keystone_look_ups",
        "int",
        16,
        min=1,
        help=(
            "Tokens that one API process asks Keystone about at the same time; others wait, and clients' "
            "addresses take turns."
        ),
    ),
    Option(
        "openkeel",
        "reconcile_interval",
        "reconcile_interval",
        "float",
        60.0,
        min=1,
        help=("Seconds between two comparisons of a back end with the database, where the back end can be compared."),
    ),
)
