"""Shares of a single tenant's cluster: a volume that many may mount, served by Longhorn's own NFS server.

There are no share servers and nothing separates tenants: whoever reaches the cluster's service network reaches every
share that is open. It is for clusters whose every user is trusted.
"""

from __future__ import annotations

from typing import Final

from drivers.kubernetes.api import Cluster
from drivers.rwx.driver import RwxDriver
from drivers.rwx.options import RwxOptions

__all__ = ["OPTIONS", "driver"]

OPTIONS: Final = RwxOptions
"""What ``driver`` is told."""


def driver(options: RwxOptions) -> RwxDriver:
    """The driver for a cluster."""
    cluster = Cluster(options.kubernetes_kubeconfig, timeout=options.kubernetes_request_timeout)
    return RwxDriver(options, cluster)
