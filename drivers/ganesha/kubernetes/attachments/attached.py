"""What an attachment asks for, and whether it was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.kubernetes.api import Kind, Object

Wanted = tuple[Kind, Object]


def nothing_wrong(pod: Object) -> str:
    """The answer of an attachment that has other means to know."""
    return ""


@dataclass(frozen=True, slots=True)
class Attached:
    """``annotations`` of the pod; objects that must be there before it and may go after it; conditions it waits for.

    ``interfaces``: what the pod's interfaces are called, in the order of the server's addresses. ``networks``: objects
    that gateways of a tenant network share. ``own``: objects of this gateway alone, made once, since the access rules
    change them later. ``misfit``: why a running pod is not attached as was asked; empty when it is.
    """

    annotations: dict[str, str]
    interfaces: tuple[str, ...] = field(default=())
    networks: tuple[Wanted, ...] = field(default=())
    own: tuple[Wanted, ...] = field(default=())
    gates: tuple[str, ...] = field(default=())
    misfit: Callable[[Object], str] = field(default=nothing_wrong)

    def trouble(self, pod: Object) -> str:
        """What ``misfit`` says; a pod that was made before the options were changed was asked for something else."""
        asked = pod["metadata"].get("annotations") or {}
        return self.misfit(pod) if self.annotations.keys() <= asked.keys() else ""


def numbered(count: int) -> tuple[str, ...]:
    """The usual names: ``net1``, ``net2``, ..."""
    return tuple(f"net{number}" for number in range(1, count + 1))
