"""Figures of a node's agent, for Prometheus."""

from __future__ import annotations

from typing import Final

import prometheus_client

from drivers.figures import ClientFigures

GATEWAYS: Final = prometheus_client.Gauge("manila_node_gateways", "Gateways on this node")
SHARES: Final = prometheus_client.Gauge("manila_node_shares", "Shares of the gateways on this node")
BINDS: Final = prometheus_client.Counter("manila_node_binds", "Volumes bound into gateways by this agent")
FAILURES: Final = prometheus_client.Counter(
    "manila_node_failures", "What could not be done, and is tried again", ["what"]
)

CLIENTS: Final = ClientFigures("manila_node_nfs")
prometheus_client.REGISTRY.register(CLIENTS)


def count(gateways: int, shares: int) -> None:
    """Say how many there are now."""
    GATEWAYS.set(gateways)
    SHARES.set(shares)
