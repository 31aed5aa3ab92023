"""Projects' namespaces: made before the first share server of a project, removed after the last.

Two workers may do both at once. So who is about to make a server says so in an annotation first, and a namespace is
removed only as it was seen without any: what was said meanwhile has changed its version, and who comes too late finds
it leaving, waits, and makes it anew.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import Final

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.spaces.secrets import PullSecrets
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
    NETWORK_POLICY,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    STATEFUL_SET,
    Cluster,
    Object,
)
from drivers.kubernetes.keeping import KeptSnapshots, KeptVolumes
from drivers.kubernetes.labels import leaving
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
USES: Final = (STATEFUL_SET, POD, CLAIM, SNAPSHOT, SHARE_EXPORT)
"""Kinds whose objects keep a namespace, whosever they are."""
_ATTEMPTS: Final = 3


class Life:
    """Makes and removes the projects' namespaces of one back end; its own is the operator's."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, spaces: Spaces) -> None:
        self._options, self._cluster, self._spaces = options, cluster, spaces
        self._secrets = PullSecrets(options, cluster)
        self._entered: set[tuple[str, str]] = set()

    async def enter(self, namespace: str, project: str, server_id: str) -> None:
        """Have a namespace there, closed on the pod network, with what its pods' images are fetched with.

        It stays as long as ``leave`` is not called for the server.

        Raises:
            ShareBackendException: it is somebody else's, or goes away each time.
        """
        if namespace == self._spaces.home:
            return
        wanted = naming.wanted(self._options, namespace, project, server_id)
        for _ in range(_ATTEMPTS):
            # its name begins and ends as only ours do, but labels are what an operator gives it to us by
            found: Object | None = await self._cluster.get(NAMESPACE, namespace)
            if found is not None and not leaving(found) and self._has_entered(found, server_id):
                return
            if found is None or leaving(found):
                found = await self._cluster.create(NAMESPACE, wanted)
            if not naming.is_ours(self._options, found):
                labels = ", ".join(f"{name}={value}" for name, value in naming.own(self._options).items())
                raise ShareBackendException(msg=f"namespace {namespace} is there without the labels {labels}")
            if server_id not in naming.servers(found):
                note = {"metadata": {"annotations": {naming.SERVER + server_id: ""}}}
                found = await self._cluster.merge(NAMESPACE, namespace, None, note)
            if found is not None and not leaving(found):
                await self._cluster.apply(NETWORK_POLICY, manifests.closed(self._spaces.options(namespace)))
                await self._secrets.give(self._made([found]))
                self._entered.add((found["metadata"]["uid"], server_id))
                return
        raise ShareBackendException(msg=f"namespace {namespace} does not stay")

    def _has_entered(self, found: Object, server_id: str) -> bool:
        """Whether all was done here, and not by somebody who may have been killed in the middle of it."""
        return server_id in naming.servers(found) and (found["metadata"]["uid"], server_id) in self._entered

    def _made(self, found: Iterable[Object]) -> list[str]:
        """Names of those that this installation made and that stay; what an operator has given is the operator's."""
        ours = (one for one in found if naming.is_proven(self._options, one, self._cluster.owner))
        return [str(one["metadata"]["name"]) for one in ours if not leaving(one)]

    async def leave(self, namespace: str, server_id: str) -> None:
        """A share server is gone."""
        if namespace == self._spaces.home:
            return
        note = {"metadata": {"annotations": {naming.SERVER + server_id: None}}}
        await self._cluster.merge(NAMESPACE, namespace, None, note)

    async def tidy(self, namespace: str) -> bool:
        """Remove a namespace if it is proven ours and nothing is in it, nor will be; whether that was asked for."""
        found = None if namespace == self._spaces.home else await self._cluster.get(NAMESPACE, namespace)
        if found is None or leaving(found) or naming.servers(found):
            return False
        if not naming.is_proven(self._options, found, self._cluster.owner) or await self._is_used(namespace):
            return False
        log.warning("namespace %s is removed: nothing of the back end is in it any more", namespace)
        as_seen = {"uid": found["metadata"]["uid"], "version": found["metadata"]["resourceVersion"]}
        # its controller empties it: there is nothing else to wait for
        await self._cluster.delete(NAMESPACE, namespace, grace=0, **as_seen)
        return True

    async def _is_used(self, namespace: str) -> bool:
        """What is leaving would go with it anyway; a volume that lost its claim would not come back to it."""
        for kind in USES:
            if any(not leaving(one) for one in await self._cluster.every(kind, namespace)):
                return True
        own = {names.MANAGED: "openkeel-manila", names.BACKEND: self._options.share_backend_name}
        kept = await KeptVolumes(self._cluster, namespace).of(own)
        return bool(kept or await KeptSnapshots(self._cluster, namespace).of(own))

    async def sweep(self, found: Collection[Object], known: Collection[str]) -> None:
        """Remove the namespaces among these that nobody needs; the others have what they need for their pods.

        Args:
            found: as they were before the rows were read.
            known: ids of the servers that have a row, or an object, or were let go of.
        """
        for one in found:
            namespace = one["metadata"]["name"]
            for server_id in naming.servers(one) - set(known):
                await self.leave(namespace, server_id)
            await self.tidy(namespace)
        await self._secrets.give(await self._staying(found))

    async def _staying(self, found: Collection[Object]) -> list[str]:
        """Of the namespaces that were there those that still are: what is leaving takes nothing any more."""
        now = {one["metadata"]["uid"] for one in await self._spaces.projects() if not leaving(one)} if found else ()
        return self._made(one for one in found if one["metadata"]["uid"] in now)
