"""A copy of some objects of the API, kept up to date by a watch; when the API is away it is what was seen last."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.kubernetes.api import Cluster, Kind, Object
from drivers.kubernetes.watching import Event, follow


class Mirror:
    """Objects of one kind by name.

    Args:
        namespace: theirs; None: of all.
        changed: called after each change.
        labels: which objects; all without.
    """

    def __init__(
        self,
        cluster: Cluster,
        kind: Kind,
        namespace: str | None,
        changed: Callable[[], None],
        labels: Mapping[str, str] | None = None,
    ) -> None:
        self._cluster, self._kind, self._namespace, self._labels = cluster, kind, namespace, labels or {}
        self._changed = changed
        self._objects: dict[tuple[str, str], Object] = {}
        self.seen = False
        """Whether there was a first look; before it nothing may be concluded from what is missing."""

    def every(self) -> list[Object]:
        """The objects, by name."""
        return [self._objects[name] for name in sorted(self._objects)]

    async def run(self) -> None:
        """Follow until cancelled."""
        await follow(self._cluster, self._kind, self._namespace, self._labels, self._tell, self._listed)

    def _listed(self) -> None:
        self.seen = True
        self._changed()

    def _tell(self, event: Event) -> None:
        _, what, found = event
        name = found["metadata"]["name"], found["metadata"].get("namespace", "")
        if what != "DELETED":
            self._objects[name] = found
        elif name in self._objects and self._objects[name]["metadata"]["uid"] == found["metadata"]["uid"]:
            # one that was made again under its name stays
            del self._objects[name]
        self._changed()
