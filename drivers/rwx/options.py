"""Options of a back end without share servers."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.base import BackendOptions
from drivers.kubernetes.pods import parsed


@dataclass(frozen=True, slots=True)
class RwxOptions(BackendOptions):
    """Options of the same names as those of the Ganesha back end on Kubernetes, with the same meaning.

    ``kubernetes_storage_class`` is Longhorn's. ``kubernetes_gateway_image`` is the image of the pods that keep a share
    open: it needs the program ``sleep`` only. They are fetched with ``kubernetes_pull_secrets``, and run where
    ``kubernetes_node_selector`` and ``kubernetes_tolerations`` (JSON, as in a pod) let them.
    """

    kubernetes_kubeconfig: str | None = None
    kubernetes_request_timeout: float = 10.0
    kubernetes_namespace: str = "openkeel-gateways"
    kubernetes_storage_class: str = "longhorn"
    kubernetes_snapshot_class: str = "longhorn"
    kubernetes_gateway_image: str = "localhost/manila-gateway:latest"
    kubernetes_pull_secrets: str = ""
    kubernetes_node_selector: str = "{}"
    kubernetes_tolerations: str = "[]"
    kubernetes_bind_timeout: float = 120.0
    kubernetes_start_timeout: float = 180.0
    kubernetes_expand_timeout: float = 600.0
    kubernetes_copy_timeout: int = 86400
    kubernetes_remove_orphans: bool = False
    kubernetes_orphan_grace: int = 86400


def check(options: RwxOptions) -> None:
    """Raise ShareBackendException for an option that is no JSON."""
    parsed("kubernetes_node_selector", options.kubernetes_node_selector, dict)
    parsed("kubernetes_tolerations", options.kubernetes_tolerations, list)
