"""How a gateway pod gets the addresses of its share server: one small module for each way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from drivers.ganesha.kubernetes.attachments import kube_ovn, multus, ovn_port
from drivers.ganesha.ports import Server
from drivers.kubernetes.api import Kind, Object
from generated.errors import ShareBackendException


@dataclass(frozen=True, slots=True)
class Attached:
    """What an attachment asks for: the pod's annotations, and objects that must be there before the pod."""

    annotations: dict[str, str]
    before: tuple[tuple[Kind, Object], ...] = field(default=())


class Attachment(Protocol):
    """Pure: the same server gives the same answer."""

    def __call__(self, server: Server, namespace: str) -> Attached: ...


def _of(make: Callable[[Server, str], tuple[dict[str, str], tuple[tuple[Kind, Object], ...]]]) -> Attachment:
    def attach(server: Server, namespace: str) -> Attached:
        return Attached(*make(server, namespace))

    return attach


ATTACHMENTS: Final[dict[str, Attachment]] = {
    "multus": _of(multus.attach),
    "kube-ovn": _of(kube_ovn.attach),
    "ovn-port": _of(ovn_port.attach),
}


def chosen(name: str) -> Attachment:
    """The attachment of that name.

    Raises:
        ShareBackendException: there is none.
    """
    if name not in ATTACHMENTS:
        raise ShareBackendException(msg=f"kubernetes_attachment must be one of {', '.join(ATTACHMENTS)}, not {name}")
    return ATTACHMENTS[name]
