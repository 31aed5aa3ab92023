"""Options of section ``database``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("database", "connection", "connection", "str", None, secret=True, help="URL of the database."),
    Option("database", "slave_connection", "slave_connection", "str", None, secret=True, help="URL of a read replica."),
    Option("database", "max_pool_size", "max_pool_size", "int", 5, help="Open connections kept."),
    Option("database", "max_overflow", "max_overflow", "int", 50, help="Connections above the pool size."),
    Option(
        "database",
        "connection_recycle_time",
        "connection_recycle_time",
        "int",
        3600,
        help="Seconds before a connection is renewed.",
    ),
    Option("database", "max_retries", "max_retries", "int", 10, help="Connection attempts at start, -1 endless."),
    Option("database", "retry_interval", "retry_interval", "int", 10, help="Seconds between them."),
    Option("database", "pool_timeout", "pool_timeout", "int", None, help="Seconds to wait for a free connection."),
    Option(
        "database",
        "use_db_reconnect",
        "use_db_reconnect",
        "bool",
        False,
        help="Retry statements after a lost connection.",
    ),
    Option("database", "db_retry_interval", "db_retry_interval", "int", 1, help="Seconds before the first such retry."),
    Option(
        "database",
        "db_inc_retry_interval",
        "db_inc_retry_interval",
        "bool",
        True,
        help="Double the interval on each retry.",
    ),
    Option("database", "db_max_retry_interval", "db_max_retry_interval", "int", 10, help="Longest such interval."),
    Option("database", "db_max_retries", "db_max_retries", "int", 20, help="Number of such retries, -1 endless."),
    Option("database", "connection_debug", "connection_debug", "int", 0, min=0, max=100, help="SQL logging level."),
    Option("database", "connection_trace", "connection_trace", "bool", False, help="Add stack traces to statements."),
    Option("database", "connection_parameters", "connection_parameters", "str", "", help="Appended to the URL."),
    Option("database", "backend", "backend", "str", "sqlalchemy", help="Database layer name."),
    Option("database", "mysql_sql_mode", "mysql_sql_mode", "str", "TRADITIONAL", help="MySQL mode of a connection."),
    Option(
        "database",
        "synchronous_reader",
        "synchronous_reader",
        "bool",
        True,
        help="Readers see committed writes at once.",
    ),
)
