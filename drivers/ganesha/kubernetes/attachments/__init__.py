"""How a gateway pod gets the addresses of its share server: one small module for each way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drivers.ganesha.kubernetes.attachments import kube_ovn, multus, ovn_port
from drivers.ganesha.kubernetes.attachments.attached import Attached as Attached
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Server
from generated.errors import ShareBackendException

Attachment = Callable[[Server], Attached]
"""Pure: the same server gives the same answer."""

ATTACHMENTS: Final[dict[str, Callable[[KubernetesOptions, Server], Attached]]] = {
    "multus": multus.attach,
    "kube-ovn": kube_ovn.attach,
    "ovn-port": ovn_port.attach,
}


def chosen(options: KubernetesOptions) -> Attachment:
    """The attachment that ``kubernetes_attachment`` names.

    Raises:
        ShareBackendException: there is none, or its options are wrong.
    """
    name = options.kubernetes_attachment
    if name not in ATTACHMENTS:
        raise ShareBackendException(msg=f"kubernetes_attachment must be one of {', '.join(ATTACHMENTS)}, not {name}")
    if name == "multus":
        multus.check(options)
    if name == "kube-ovn":
        kube_ovn.check(options)
    make = ATTACHMENTS[name]
    return lambda server: make(options, server)
