"""The Ganesha driver on Kubernetes: a gateway pod in each tenant network, a claim for each share."""

from __future__ import annotations

from typing import Final

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.spaces.backups import SpreadBackups
from drivers.ganesha.kubernetes.spaces.exports import SpreadExports
from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.gateways import SpreadGateways
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.spaces.life import Life
from drivers.ganesha.kubernetes.spaces.parts import Parts
from drivers.ganesha.kubernetes.spaces.volumes import SpreadVolumes
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
    ports, spaces = Borrowed(), Spaces(options, cluster)
    parts = Parts(cluster, spaces, ports)
    binds = options.kubernetes_attachment == "ovn-port"
    overseer = KubernetesOverseer(options, cluster, ports if binds else None, parts)
    made = (_spread if spaces.many else _single)(options, cluster, spaces, parts, overseer)
    made.tenant_ports = ports
    made.binds_ports = binds
    return made


def _single(
    options: KubernetesOptions, cluster: Cluster, spaces: Spaces, parts: Parts, overseer: KubernetesOverseer
) -> GaneshaDriver:
    home = parts.home
    backups = home.backups if options.kubernetes_backup_class else None
    return GaneshaDriver(options, home.gateways, home.volumes, home.exports, backups, overseer)


def _spread(
    options: KubernetesOptions, cluster: Cluster, spaces: Spaces, parts: Parts, overseer: KubernetesOverseer
) -> GaneshaDriver:
    finder, life = Finder(options, cluster, spaces), Life(options, cluster, spaces)
    return GaneshaDriver(
        options,
        SpreadGateways(spaces, parts, finder, life),
        SpreadVolumes(cluster, spaces, parts, finder),
        SpreadExports(parts, finder),
        SpreadBackups(parts, finder, life) if options.kubernetes_backup_class else None,
        overseer,
    )
