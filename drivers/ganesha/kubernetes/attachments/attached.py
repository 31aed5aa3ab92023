"""What an attachment asks for."""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.kubernetes.api import Kind, Object

Wanted = tuple[Kind, Object]


@dataclass(frozen=True, slots=True)
class Attached:
    """``annotations`` of the pod; objects that must be there before it and may go after it; conditions it waits for.

    ``networks``: objects that all gateways of a tenant network share. ``own``: objects of this gateway alone, made
    once, since the access rules change them later.
    """

    annotations: dict[str, str]
    networks: tuple[Wanted, ...] = field(default=())
    own: tuple[Wanted, ...] = field(default=())
    gates: tuple[str, ...] = field(default=())
