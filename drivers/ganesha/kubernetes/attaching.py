"""A gateway's attachment over its life: what is made before its pod, followed while it runs, and removed after it."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments import Attached, chosen
from drivers.ganesha.kubernetes.attachments.kube_ovn import group_name
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.attachments.multus import NETWORKS
from drivers.ganesha.kubernetes.attachments.reported import annotation
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.ovn.binding import Binding, Every
from drivers.ganesha.ports import Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, SECURITY_GROUP, STATEFUL_SET, Cluster, Kind, Object
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.likeness import differs
from drivers.tenant_ports import Borrowed, TenantPorts
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
KINDS: Final[dict[str, tuple[Kind, ...]]] = {
    "multus": (NETWORK_ATTACHMENT,),
    "kube-ovn": (NETWORK_ATTACHMENT, SECURITY_GROUP),
    "ovn-port": (),
}
"""What each attachment makes."""


class Attaching:
    """The attachments of one back end's gateways in one namespace; ``every``: see ``Binding``."""

    def __init__(
        self,
        options: KubernetesOptions,
        cluster: Cluster,
        ports: TenantPorts | None = None,
        every: Every | None = None,
    ) -> None:
        self._options, self._cluster, self._attach = options, cluster, chosen(options)
        self._namespace = options.kubernetes_namespace
        self._binds = options.kubernetes_attachment == "ovn-port"
        self._wall = KubeOvnWall(options, cluster)
        backend = options.share_backend_name
        self.binding = Binding(cluster, options.kubernetes_namespace, backend, ports or Borrowed(), every)

    def begin(self) -> None:
        """Follow moving gateways from now on, where their ports must be bound."""
        if self._binds:
            self.binding.begin()

    async def before(self, server: Server) -> Attached:
        """Make what must be there before the pod. What the rules change later is only made, never set back.

        Raises:
            ShareBackendException: a SecurityGroup does not come into force.
        """
        attached = self._attach(server)
        for kind, wanted in attached.networks:
            await self._cluster.apply(kind, wanted)
        for kind, wanted in attached.own:
            await self._wall.made(await self._cluster.create(kind, wanted))
        return attached

    @contextlib.asynccontextmanager
    async def following(self, server_id: str) -> AsyncIterator[None]:
        """Meanwhile a starting gateway's ports are bound to where it is. Raises NetworkException, at the end."""
        if not self._binds:
            yield
            return
        async with self.binding.following(names.gateway_pod(server_id)):
            yield

    async def after(self, server_id: str) -> None:
        """Remove what was made for a gateway that is gone, and is needed by none that stays, whosever it is."""
        namespace = self._namespace
        if NETWORK_ATTACHMENT in KINDS[self._options.kubernetes_attachment]:
            own = {names.MANAGED: "openkeel-manila", names.ROLE: "network"}
            found = await self._cluster.every(NETWORK_ATTACHMENT, namespace, own)
            gateways = await self._cluster.every(STATEFUL_SET, namespace, {names.ROLE: "gateway"})
            used = {name for one in gateways if label(one, names.SERVER) != server_id for name in _networks(one)}
            for name in {one["metadata"]["name"] for one in found} - used:
                await self._cluster.delete(NETWORK_ATTACHMENT, name, namespace)
        if SECURITY_GROUP in KINDS[self._options.kubernetes_attachment]:
            await self._cluster.delete(SECURITY_GROUP, group_name(server_id))

    def misfits(self, servers: Iterable[Server], pods: Mapping[str, Object]) -> Iterator[tuple[Object, str]]:
        """Pods of gateways that are not attached as they were asked to be, and why; ``pods`` by name."""
        for server, attached in self._possible(servers):
            pod = pods.get(names.gateway_pod(server.id))
            running = pod is not None and not leaving(pod) and (pod.get("status") or {}).get("phase") == "Running"
            if pod is not None and running and (why := attached.trouble(pod)):
                yield pod, why

    def _possible(self, servers: Iterable[Server]) -> Iterator[tuple[Server, Attached]]:
        """Those that can be attached with the present options."""
        for server in servers:
            try:
                yield server, self._attach(server)
            except ShareBackendException as error:
                log.error("share server %s cannot be attached: %s", server.id, error)

    async def keep(self, servers: Sequence[Server], admitted: Mapping[str, Sequence[str]]) -> None:
        """Put right what was removed or changed by hand of what these gateways need.

        Args:
            admitted: for each of them what its exports admit (CIDR).
        """
        wanted = {one["metadata"]["name"]: one for _, made in self._possible(servers) for _, one in made.networks}
        if wanted:
            own = {names.MANAGED: "openkeel-manila", names.ROLE: "network"}
            listed = await self._cluster.every(NETWORK_ATTACHMENT, self._namespace, own)
            found = {one["metadata"]["name"]: one for one in listed}
            for name, one in wanted.items():
                if name not in found or _config_differs(found[name], one):
                    log.warning("the attachment definition %s was %s", name, "changed" if name in found else "gone")
                    await self._cluster.apply(NETWORK_ATTACHMENT, one)
        await self._wall.keep({server.id: admitted.get(server.id, ()) for server in servers})


def _config_differs(found: Object, wanted: Object) -> bool:
    """Only what the pods get: the label of a definition that back ends share is that of the last one."""
    return differs({**found, "metadata": {}}, {**wanted, "metadata": {}})


def _networks(gateway: Object) -> Iterator[str]:
    """Names of the attachment definitions that a gateway's pod is to have."""
    text = annotation(gateway["spec"]["template"], NETWORKS)
    for one in json.loads(text) if text else ():
        yield str(one["name"])
