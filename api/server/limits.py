"""What a client may take of the server: sizes in bytes, times in seconds."""

from __future__ import annotations

import resource
from dataclasses import dataclass

from generated.settings import Settings

RESERVED_DESCRIPTORS = 96
"""File descriptors of a process that connections of clients leave free: database, Keystone, logs, metrics."""
METRICS_CONNECTIONS = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one server; the options of the same names (``http_...``) say what each means."""

    head_size: int
    head_lines: int
    line_size: int
    url_size: int
    body_size: int
    connections: int
    connections_per_address: int
    requests_per_connection: int
    first_byte_timeout: float
    head_timeout: float
    body_timeout: float
    write_timeout: float
    keep_alive: float
    unread_size: int


def of_api(settings: Settings) -> Limits:
    """The limits of the API's port. Raises the soft limit of file descriptors as far as they need it."""
    own = settings.openkeel
    wanted = min(own.http_connections, descriptors(own.http_connections + RESERVED_DESCRIPTORS) - RESERVED_DESCRIPTORS)
    return Limits(
        head_size=own.http_head_size,
        head_lines=own.http_head_lines,
        line_size=settings.default.max_header_line,
        url_size=own.http_url_size,
        body_size=settings.oslo_middleware.max_request_body_size,
        connections=max(8, wanted),
        connections_per_address=own.http_connections_per_address,
        requests_per_connection=own.http_requests_per_connection,
        first_byte_timeout=own.http_first_byte_timeout,
        head_timeout=own.http_head_timeout,
        body_timeout=own.http_body_timeout,
        write_timeout=own.http_write_timeout,
        keep_alive=float(settings.default.client_socket_timeout),
        unread_size=own.http_unread_size,
    )


def of_metrics() -> Limits:
    """The limits of the port of health and metrics, which a monitoring system and the kubelet ask."""
    return Limits(
        head_size=16384, head_lines=100, line_size=8192, url_size=4096, body_size=4096,
        connections=METRICS_CONNECTIONS, connections_per_address=METRICS_CONNECTIONS, requests_per_connection=10000,
        first_byte_timeout=10.0, head_timeout=5.0, body_timeout=5.0, write_timeout=10.0, keep_alive=120.0,
        unread_size=1 << 24,
    )  # fmt: skip


def descriptors(wanted: int) -> int:
    """The process's limit of file descriptors, after raising the soft one to ``wanted`` if the hard one allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else soft
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most
