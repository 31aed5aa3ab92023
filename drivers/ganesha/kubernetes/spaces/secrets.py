"""Secrets with which pods' images are fetched: pods find them in their own namespace only, so projects' have copies."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import SECRET, Cluster, Object

log = logging.getLogger(__name__)
AGAIN: Final = 600.0
"""Seconds after which a copy is written again: it may have been removed, and cannot be read."""


class PullSecrets:
    """Copies those of ``kubernetes_pull_secrets`` from the back end's own namespace into others that it made."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._names = [one.strip() for one in options.kubernetes_pull_secrets.split(",") if one.strip()]
        self._given: dict[tuple[str, str], tuple[str, float]] = {}

    async def give(self, namespaces: Iterable[str]) -> None:
        """Have the copies be as the originals are now. One that is not there is left out, as Kubernetes does."""
        wanted = list(namespaces) if self._names else []
        for name in self._names if wanted else ():
            found = await self._cluster.get(SECRET, name, self._options.kubernetes_namespace)
            if found is None:
                log.warning("there is no secret %s in namespace %s", name, self._options.kubernetes_namespace)
                continue
            for namespace in wanted:
                await self._copy(found, namespace)

    async def _copy(self, found: Object, namespace: str) -> None:
        name, version, now = found["metadata"]["name"], str(found["metadata"]["resourceVersion"]), time.monotonic()
        before, since = self._given.get((namespace, name), ("", 0.0))
        if before == version and now - since < AGAIN:
            return
        own = names.labels(self._options.share_backend_name, "pull-secret")
        copied = {"metadata": names.metadata(name, namespace, own), "type": found["type"], "data": found["data"]}
        await self._cluster.apply(SECRET, copied)
        self._given[namespace, name] = version, now
