"""Options of a Ganesha back end on Kubernetes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from drivers.ganesha.options import GaneshaOptions, minor_versions
from drivers.kubernetes.pods import parsed
from generated.errors import ShareBackendException


@dataclass(frozen=True, slots=True)
class KubernetesOptions(GaneshaOptions):
    """What a Kubernetes back end is told besides ``GaneshaOptions``.

    * ``kubernetes_kubeconfig``: file of the connection; empty inside a pod. ``kubernetes_request_timeout``: seconds one
      request may take.
    * ``kubernetes_namespace``: where gateways and volumes are; it must admit privileged pods, since gateways have a
      folder of their node.
    * ``kubernetes_namespace_form``: ``single``: all of them are there. ``project``: those of each project are in one of
      its own, which is made for its first share server and removed after its last; its name begins with
      ``kubernetes_namespace``. What was made before stays where it is. See ``spaces``.
    * ``kubernetes_storage_class``: of the volumes; several, separated by commas, are a pool each, and the first has the
      gateways' state. They are of one CSI driver, as is ``kubernetes_snapshot_class``; without that one there are no
      snapshots.
    * ``kubernetes_attachment``: how a gateway gets the address of its port: ``multus``, ``kube-ovn`` or ``ovn-port``.
    * ``kubernetes_cni_config``, ``kubernetes_cni_masks``: of ``multus``: the CNI plugin's configuration, and whether
      the addresses it is given have a mask. See ``attachments.multus``.
    * ``kubernetes_kube_ovn_interface``: ``additional`` or ``primary``. ``kubernetes_kube_ovn_groups``: whether each
      gateway has a SecurityGroup that follows the access rules. See ``attachments.kube_ovn``.
    * ``kubernetes_gateway_image``: of gateways, their agents and the holders of volumes.
    * ``kubernetes_gateways_path``: folder on every node below which gateways find their shares. Never an emptyDir: the
      kubelet removes what is in one, mounted volumes included.
    * ``kubernetes_state_size_mb``: size of the volume with a gateway's exports and recovery records, MiB.
    * ``kubernetes_gateway_resources`` (of Ganesha), ``kubernetes_agent_resources`` (of its side-car),
      ``kubernetes_holder_resources``, ``kubernetes_node_selector``, ``kubernetes_tolerations``: JSON, as in a pod.
      Selector and priority class are of gateways and holders; holders tolerate everything, they follow their gateway.
    * ``kubernetes_pull_secrets``: names of the Secrets with which these pods' image is fetched, separated by commas.
    * ``kubernetes_backup_class``: snapshot class whose snapshots outlive their volume (Longhorn: ``type: bak``), of
      which backups are made; empty: the back end makes none.
    * ``kubernetes_priority_class``: of gateways and holders; empty for none.
    * ``kubernetes_failover_seconds``: how long a gateway stays on a node that does not answer.
    * ``kubernetes_bind_timeout``, ``kubernetes_start_timeout``, ``kubernetes_expand_timeout``: seconds until a claim
      must be bound, a gateway or a holder must run, a volume must have grown.
    * ``kubernetes_copy_timeout``: seconds that the storage may take to copy a snapshot or a backup into a bound claim.
    * ``kubernetes_volumes_timeout``: seconds that a gateway which starts waits for the volumes of the shares that it
      served last, less than ``kubernetes_start_timeout``; then it serves those that are there.
    * ``kubernetes_fence_ports``: with ``ovn-port``, the Neutron ports of gateways whose node is declared out are off
      until the gateways are ready elsewhere; a gateway whose port can't be turned off is not moved.
    * ``kubernetes_remove_orphans``: remove objects of this back end that were made by this installation and have had no
      row for ``kubernetes_orphan_grace`` seconds; claims are tenants' data. Without it they are reported.
    """

    kubernetes_kubeconfig: str | None = None
    kubernetes_request_timeout: float = 10.0
    kubernetes_namespace: str = "openkeel-gateways"
    kubernetes_namespace_form: str = "single"
    kubernetes_storage_class: str = "longhorn"
    kubernetes_snapshot_class: str = "longhorn"
    kubernetes_attachment: str = "multus"
    kubernetes_cni_config: str = ""
    kubernetes_cni_masks: bool = True
    kubernetes_kube_ovn_interface: str = "additional"
    kubernetes_kube_ovn_groups: bool = True
    kubernetes_gateway_image: str = "localhost/manila-gateway:latest"
    kubernetes_gateways_path: str = "/var/lib/openkeel-manila/gateways"
    kubernetes_state_size_mb: int = 300
    kubernetes_gateway_resources: str = '{"requests": {"cpu": "50m", "memory": "96Mi"}, "limits": {"memory": "2Gi"}}'
    kubernetes_agent_resources: str = '{"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}'
    kubernetes_holder_resources: str = '{"requests": {"cpu": "1m", "memory": "4Mi"}, "limits": {"memory": "16Mi"}}'
    kubernetes_pull_secrets: str = ""
    kubernetes_backup_class: str = ""
    kubernetes_node_selector: str = "{}"
    kubernetes_tolerations: str = "[]"
    kubernetes_priority_class: str = ""
    kubernetes_failover_seconds: int = 30
    kubernetes_bind_timeout: float = 120.0
    kubernetes_start_timeout: float = 180.0
    kubernetes_expand_timeout: float = 600.0
    kubernetes_copy_timeout: int = 86400
    kubernetes_volumes_timeout: int = 60
    kubernetes_remove_orphans: bool = False
    kubernetes_orphan_grace: int = 86400
    kubernetes_fence_ports: bool = True

    def watched(self) -> dict[str, Any]:
        """Those whose change asks for new exports."""
        return {
            "namespace": self.kubernetes_namespace,
            "attachment": self.kubernetes_attachment,
            "grace": self.ganesha_grace_period,
            "lease": self.ganesha_lease_lifetime,
        }

    @property
    def many_ports(self) -> bool:
        """A pod has one primary interface."""
        return (self.kubernetes_attachment, self.kubernetes_kube_ovn_interface) != ("kube-ovn", "primary")

    @property
    def takes_snapshots(self) -> bool:
        return bool(self.kubernetes_snapshot_class)

    @property
    def backup_option(self) -> str:
        return "kubernetes_backup_class"


ELSEWHERE: Final = (
    "ganesha_state_path",
    "ganesha_pool_size_gb",
    "ganesha_pool_preallocate",
    "ganesha_namespace_prefix",
    "ganesha_log_size_mb",
    "ganesha_backup_path",
    "ganesha_root",
    "ganesha_allow_old",
)
"""Options of the embedded back end that mean nothing here."""


def check(options: KubernetesOptions) -> None:
    """Raise ShareBackendException for an option that is set and that nothing here would heed, or that is no JSON."""
    known = {one.name: one.default for one in fields(GaneshaOptions)}
    ignored = [name for name in ELSEWHERE if getattr(options, name) != known[name]]
    if ignored:
        raise ShareBackendException(msg=f"{', '.join(ignored)}: of the embedded back end, not of one on Kubernetes")
    minor_versions(options)
    for name in ("gateway_resources", "agent_resources", "holder_resources", "node_selector"):
        parsed(f"kubernetes_{name}", getattr(options, f"kubernetes_{name}"), dict)
    parsed("kubernetes_tolerations", options.kubernetes_tolerations, list)
