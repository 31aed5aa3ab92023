"""A gateway's attachment over its life: what is made before its pod, followed while it runs, and removed after it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments import Attached, chosen
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.ovn.binding import Binding
from drivers.ganesha.ports import Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, SECURITY_GROUP, Cluster, Kind
from drivers.tenant_ports import Borrowed, TenantPorts

KINDS: Final[dict[str, tuple[tuple[Kind, str], ...]]] = {
    "multus": ((NETWORK_ATTACHMENT, "network"),),
    "kube-ovn": ((NETWORK_ATTACHMENT, "network"), (SECURITY_GROUP, "wall")),
    "ovn-port": (),
}
"""What each attachment makes, with the role in its label."""


class Attaching:
    """The attachments of one back end's gateways."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, ports: TenantPorts | None = None) -> None:
        self._options, self._cluster, self._attach = options, cluster, chosen(options)
        self._binds = options.kubernetes_attachment == "ovn-port"
        self.binding = Binding(cluster, options.kubernetes_namespace, options.share_backend_name, ports or Borrowed())

    def begin(self) -> None:
        """Follow moving gateways from now on, where their ports must be bound."""
        if self._binds:
            self.binding.begin()

    async def before(self, server: Server) -> Attached:
        """Make what must be there before the pod. What the rules change later is only made, never set back."""
        attached = self._attach(server)
        for kind, wanted in attached.networks:
            await self._cluster.apply(kind, wanted)
        for kind, wanted in attached.own:
            await self._cluster.create(kind, wanted)
        return attached

    @contextlib.asynccontextmanager
    async def following(self, server_id: str) -> AsyncIterator[None]:
        """Meanwhile a starting gateway's ports are bound to where it is. Raises NetworkException, at the end."""
        if not self._binds:
            yield
            return
        async with self.binding.following(names.gateway_pod(server_id)):
            yield

    async def after(self, servers: Collection[Server]) -> None:
        """Remove what was made for gateways of this back end and is needed by none of ``servers``, those that stay."""
        used = set[str]()
        for server in servers:
            attached = self._attach(server)
            used |= {wanted["metadata"]["name"] for _, wanted in (*attached.networks, *attached.own)}
        for kind, role in KINDS[self._options.kubernetes_attachment]:
            own = {names.ROLE: role, names.BACKEND: self._options.share_backend_name}
            namespace = self._options.kubernetes_namespace if kind.namespaced else None
            for one in await self._cluster.every(kind, namespace, own):
                if one["metadata"]["name"] not in used:
                    await self._cluster.delete(kind, one["metadata"]["name"], namespace)
