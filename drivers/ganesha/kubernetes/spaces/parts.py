"""The parts of a back end, once for each of its namespaces: each set works as if there were no other."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.ganesha.kubernetes.attaching import Attaching
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.backups import KubernetesBackups
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.ganesha.wall import WalledExports, Walls
from drivers.kubernetes.api import Cluster
from drivers.tenant_ports import Borrowed


@dataclass(frozen=True, slots=True)
class Part:
    """What works in one namespace."""

    options: KubernetesOptions
    attaching: Attaching
    gateways: KubernetesGateways
    volumes: KubernetesVolumes
    exports: WalledExports
    backups: KubernetesBackups


class Parts:
    """Made when they are asked for."""

    def __init__(self, cluster: Cluster, spaces: Spaces, ports: Borrowed | None = None) -> None:
        self._cluster, self._spaces, self._ports = cluster, spaces, ports or Borrowed()
        self._made: dict[str, Part] = {}

    @property
    def home(self) -> Part:
        """That of the back end's own namespace."""
        return self.at(self._spaces.home)

    def at(self, namespace: str | None) -> Part:
        """That of a namespace; None: of the back end's own, where what is nowhere is found missing."""
        namespace = namespace or self._spaces.home
        if namespace not in self._made:
            self._made[namespace] = self._make(self._spaces.options(namespace))
        return self._made[namespace]

    def _make(self, options: KubernetesOptions) -> Part:
        cluster, ports = self._cluster, self._ports
        shares = Shares(options, cluster)
        attaching = Attaching(options, cluster, ports, self._spaces.every)
        wall = Walls(KubeOvnWall(options, cluster), ports)
        return Part(
            options,
            attaching,
            KubernetesGateways(options, cluster, attaching),
            KubernetesVolumes(options, cluster, shares),
            WalledExports(KubernetesExports(shares), shares.clients, wall),
            KubernetesBackups(options, cluster),
        )
