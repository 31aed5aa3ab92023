"""The Ganesha driver on Kubernetes: a gateway pod in each tenant network, a claim for each share."""

from __future__ import annotations

from typing import Final

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.attaching import Attaching
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.backups import KubernetesBackups
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.ganesha.wall import WalledExports, Walls
from drivers.kubernetes.api import Cluster
from drivers.tenant_ports import Borrowed

__all__ = ["OPTIONS", "assembled", "driver"]

OPTIONS: Final = KubernetesOptions
"""What ``driver`` is told."""


def driver(options: KubernetesOptions) -> GaneshaDriver:
    """The driver with the parts for a cluster."""
    return assembled(options, Cluster(options.kubernetes_kubeconfig, timeout=options.kubernetes_request_timeout))


def assembled(options: KubernetesOptions, cluster: Cluster) -> GaneshaDriver:
    """The driver that makes its requests through ``cluster``."""
    shares = Shares(options, cluster)
    ports = Borrowed()
    wall = Walls(KubeOvnWall(options, cluster), ports)
    attaching = Attaching(options, cluster, ports)
    binds = options.kubernetes_attachment == "ovn-port"
    made = GaneshaDriver(
        options,
        KubernetesGateways(options, cluster, attaching),
        KubernetesVolumes(options, cluster, shares),
        WalledExports(KubernetesExports(shares), shares.clients, wall),
        KubernetesBackups(options, cluster) if options.kubernetes_backup_class else None,
        overseer=KubernetesOverseer(options, cluster, ports if binds else None, attaching),
    )
    made.tenant_ports = ports
    made.binds_ports = binds
    return made
