"""Proofs that a copy is whole, where the storage says nothing: a pod mounts it, beside the volume of its share.

A storage hands out a volume that it copies late when it is copied, or reads what is missing from its source. What a
kubelet could mount is a file system; that it is the share's own, and no new one that was made on an empty device, is
proven by the birth time of its root folder, which nothing but the making of a file system sets, and which copies keep.
"""

from __future__ import annotations

from typing import Final

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes import copies
from drivers.kubernetes.api import POD, Cluster, Late, Object
from drivers.kubernetes.claims import Claims
from drivers.kubernetes.labels import leaving
from generated.errors import ShareBackendException

REFUSED: Final = "bad superblock"
"""What mount says of a file system that the kernel does not take, as a second one of the same UUID."""
ENDED: Final = ("Failed", "Succeeded")


class Proofs:
    """The proofs of one back end, one pod for a share at a time."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._kept = Claims(options, cluster)
        self._namespace = options.kubernetes_namespace

    async def whole(self, share: str, claim: Object, before: Object | None, seconds: float) -> bool:
        """Whether the copy in a bound claim is proven whole, which is noted on it then.

        Args:
            before: the claim that the share has now, if the copy must be of the same file system.
            seconds: to wait for that, at most.

        Raises:
            ShareBackendException: it is proven that it is not, and never will be.
        """
        if copies.is_whole(claim):
            return True
        whole = await copies.told(self._cluster, claim)
        if whole is None:
            whole = await self._mounted(share, claim, before, seconds)
        if whole:
            await copies.mark(self._cluster, claim)
        return whole

    async def _mounted(self, share: str, claim: Object, before: Object | None, seconds: float) -> bool:
        name = names.proof(share)
        held = [one["metadata"]["name"] for one in (claim, before) if one is not None]
        present = await self._cluster.get(POD, name, self._namespace)
        if present is not None and (leaving(present) or _claims(present) != set(held)):
            await self.end(share)
            present = None
        if present is None:
            own = names.labels(self._options.share_backend_name, "proof", **{names.SHARE: share})
            node = await self._node_of(share)
            await self._cluster.create(POD, manifests.proof(self._options, name, held, node, own))
        what = f"the copy {held[0]} is mounted"
        try:
            found = await self._cluster.until(POD, name, self._namespace, _decided, seconds, what)
        except Late:
            why = f"the copy can't be mounted beside the volume of share {share}, which would prove it"
            await check_mounts(self._cluster, self._namespace, name, why)
            return False
        phase = ((found or {}).get("status") or {}).get("phase")
        if phase in ENDED:
            await self.end(share)
            if not _why(found):
                # its node did not take it, or has evicted it: the next look makes another one
                return False
            raise ShareBackendException(
                msg=f"the copy {held[0]} is not the file system of share {share}: {_why(found)}"
            )
        return phase == "Running"

    async def _node_of(self, share: str) -> str | None:
        """Where the share's volume is mounted; None: nowhere, so that any node will do."""
        holder = await self._cluster.get(POD, names.holder(share), self._namespace)
        phase = ((holder or {}).get("status") or {}).get("phase")
        return None if holder is None or leaving(holder) or phase in ENDED else holder["spec"].get("nodeName")

    async def leave(self, share: str, node: str) -> None:
        """Let go of the volumes unless they are mounted on this node, where others may mount them, too."""
        present = await self._cluster.get(POD, names.proof(share), self._namespace)
        if present is not None and present["spec"].get("nodeName") != node:
            await self.end(share)

    async def end(self, share: str) -> None:
        """Let go of the volumes."""
        await self._kept.end_pod(names.proof(share), f"proof of share {share}")


async def check_mounts(cluster: Cluster, namespace: str, pod: str, what: str) -> None:
    """Raise ShareBackendException for a file system that the kernel refuses, which waiting does not change."""
    for warning in await cluster.warnings(namespace, POD.name, pod):
        if REFUSED in warning:
            hint = "with XFS its class needs mountOptions: [nouuid]"
            raise ShareBackendException(msg=f"{what}; {hint}: {warning}")


def _claims(pod: Object) -> set[str]:
    volumes = pod["spec"].get("volumes") or []
    return {one["persistentVolumeClaim"]["claimName"] for one in volumes if "persistentVolumeClaim" in one}


def _decided(pod: Object | None) -> bool:
    """Whether the pod runs, has ended, or is gone."""
    phase = ((pod or {}).get("status") or {}).get("phase")
    return pod is None or leaving(pod) or phase in ("Running", *ENDED)


def _why(pod: Object | None) -> str:
    """What the comparison said if it was made; empty: it was not."""
    for one in ((pod or {}).get("status") or {}).get("initContainerStatuses") or []:
        if message := ((one.get("state") or {}).get("terminated") or {}).get("message"):
            return str(message).strip()
    return ""
