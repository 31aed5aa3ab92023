"""Which namespaces a back end has, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.kubernetes.api import NAMESPACE, Cluster, Kind, Object


class Spaces:
    """``home``: the back end's own namespace; ``many``: whether projects have others beside it."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self.home = options.kubernetes_namespace
        self.many = options.kubernetes_namespace_form == naming.PROJECT
        self._known: set[str] = set()

    @property
    def everywhere(self) -> str | None:
        """The namespace in which to list and watch; None: all of them, and ``may_be_ours`` chooses."""
        return None if self.many else self.home

    def options(self, namespace: str) -> KubernetesOptions:
        """The options of a back end that had this namespace only."""
        same = namespace == self.home
        return self._options if same else replace(self._options, kubernetes_namespace=namespace)

    def of_project(self, project: str) -> str:
        """Where a new share server of a project goes."""
        return naming.of_project(self._options, project) if self.many else self.home

    def may_be_ours(self, namespace: str) -> bool:
        """See ``naming.may_be_ours``."""
        return naming.may_be_ours(self._options, namespace) if self.many else namespace == self.home

    async def projects(self) -> list[Object]:
        """The projects' namespaces, those that are being removed among them."""
        if not self.many:
            return []
        found = await self._cluster.every(NAMESPACE, None, naming.own(self._options))
        ours = [one for one in found if self.may_be_ours(one["metadata"]["name"])]
        self._known = {self.home, *(str(one["metadata"]["name"]) for one in ours)}
        return ours

    async def names(self) -> list[str]:
        """All namespaces of the back end, its own first."""
        return [self.home, *(str(one["metadata"]["name"]) for one in await self.projects())]

    async def every(self, kind: Kind, own: Mapping[str, str]) -> list[Object]:
        """The objects of a kind with these labels in all of them. Namespaces are listed only if one is new here."""
        found = await self._cluster.every(kind, self.everywhere, own)
        if not self.many or not found:
            return found
        if any(one["metadata"]["namespace"] not in self._known for one in found):
            await self.projects()
        return [one for one in found if one["metadata"]["namespace"] in self._known]
