"""Options that every back end on a cluster has."""

from __future__ import annotations

from typing import Protocol


class StorageOptions(Protocol):
    """Where volumes are and how long they may take. Seconds; the classes are those of the section of the back end."""

    @property
    def share_backend_name(self) -> str: ...
    @property
    def kubernetes_namespace(self) -> str: ...
    @property
    def kubernetes_storage_class(self) -> str: ...
    @property
    def kubernetes_snapshot_class(self) -> str: ...
    @property
    def kubernetes_bind_timeout(self) -> float: ...
    @property
    def kubernetes_start_timeout(self) -> float: ...
    @property
    def kubernetes_expand_timeout(self) -> float: ...


def classes(options: StorageOptions) -> tuple[str, ...]:
    """The storage classes, one pool each; the first is that of what belongs to no pool."""
    return tuple(one.strip() for one in options.kubernetes_storage_class.split(",") if one.strip())
