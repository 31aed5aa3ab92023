"""The Ganesha driver on Kubernetes: a gateway pod in each tenant network, a claim for each share."""

from __future__ import annotations

from typing import Final

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.kubernetes.api import Cluster

__all__ = ["OPTIONS", "driver"]

OPTIONS: Final = KubernetesOptions
"""What ``driver`` is told."""


def driver(options: KubernetesOptions) -> GaneshaDriver:
    """The driver with the parts for a cluster."""
    cluster = Cluster(options.kubernetes_kubeconfig, timeout=options.kubernetes_request_timeout)
    shares = Shares(options, cluster)
    return GaneshaDriver(
        options,
        KubernetesGateways(options, cluster),
        KubernetesVolumes(options, cluster, shares),
        KubernetesExports(shares),
        overseer=KubernetesOverseer(options, cluster),
    )
