"""Folders inside a gateway's pod. Kept apart from what knows the API: the programs in the pod need none of that."""

from __future__ import annotations

from typing import Final

SHARES: Final = "/shares"
"""The volumes, bound by the node agent; a folder of the node."""
CONTROL: Final = "/control"
"""What the node agent says; a folder of the node that Ganesha's container does not have."""
ANSWERS: Final = "/answers"
"""What the node agent is told: a volume of the pod's, which goes with it."""
STATE: Final = "/state"
"""What must outlive the pod: exports, their numbers, recovery records."""
RUN: Final = "/run/gateway"
"""What may go with the pod: the bus, marks between its containers."""
DEVICES: Final = "/dev/shares"
"""A device node for each volume, that Ganesha finds its identity by and may not open; a folder of the node."""
IDENTITIES: Final = "identities"
"""File in ``RUN``: the identity of each volume."""
CLOSED: Final = "closed"
"""Mark in ``RUN``: the packet filter is loaded; without it Ganesha does not start. Its time says when that was last
known: a pod may get another network namespace, which has no filter, and keeps its marks."""
BOUND: Final = "bound"
"""Mark in ``RUN``: the volumes of what was served last are there, or were waited for long enough."""
READY: Final = "ready"
"""Mark in ``RUN``: Ganesha answers."""
ALIVE: Final = "alive"
"""Mark in ``RUN`` whose time says when the agent last looked."""
