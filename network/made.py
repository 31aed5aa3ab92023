"""Which ports are the service's own, and what Neutron says when it refuses to make one.

A tenant reads names, device and addresses of its share servers' ports, and makes ports that say the same, in its own
project and in networks that it may use. What it can't do: make a port in another project, put a group of the service's
project onto a port, or choose a port's id. See ``docs/adr/0021``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import structlog

from generated.errors import NetworkException, PortLimitExceeded
from network.base import AddressesExhausted, NoFittingSubnet, Row, Unavailable

LOG = structlog.get_logger("neutron")
DEVICE_OWNER: Final = "manila:share"
FULL: Final = {
    "IpAddressGenerationFailure": AddressesExhausted,
    "IpAddressGenerationFailureNoMatchingSubnet": NoFittingSubnet,
    "OverQuota": PortLimitExceeded,
}
"""What Neutron's types of a 409 are to clients: one message for all, as the original's."""
MEANING: Final = {
    "IpAddressGenerationFailure": "the subnet has no free address: its owner needs a larger pool or fewer ports",
    "IpAddressGenerationFailureNoMatchingSubnet": "the subnet's service_types leave out manila:share",
    "OverQuota": "the project's quota of ports is used up",
}
"""The same for the log: cause and what to do."""


def made_for(
    rows: Sequence[Row],
    wanted: Mapping[str, str | None],
    groups: Collection[str] | None,
    written: Collection[str] = (),
) -> list[Row]:
    """The ports among ``rows`` that the service has made, the oldest first.

    Args:
        wanted: ``device_owner``, ``device_id``, ``network_id`` and ``project_id`` of such a port.
        groups: the service's security groups of the server, one of which its ports have; None: they have none.
        written: ids of ports that are known to be the server's.
    """
    name = f"{wanted['device_id']}_"
    mine = []
    for one in rows:
        same = all(one.get(key) == value for key, value in wanted.items()) and str(one["name"]).startswith(name)
        if one["id"] in written or (same and (groups is None or set(groups) & set(one["security_groups"]))):
            mine.append(one)
        else:
            LOG.info("a port says to be a share server's and is not", port=one["id"], server=wanted["device_id"])
    return sorted(mine, key=lambda one: (str(one.get("created_at") or ""), str(one["id"])))


def refused(error: NetworkException, server_id: str, subnet: Row) -> NetworkException | PortLimitExceeded:
    """What the service says of a port that Neutron does not make; every 409 is a limit, as for the original."""
    kind = str(error.values.get("kind") or "")
    if error.values.get("code") != 409 or isinstance(error, Unavailable):
        return error
    meaning = MEANING.get(kind, "none of the limits that are known here: see what Neutron says")
    subnet_id = subnet["neutron_subnet_id"]
    LOG.warning("Neutron makes no port", server=server_id, subnet=subnet_id, kind=kind, cause=meaning, says=str(error))
    return FULL.get(kind, PortLimitExceeded)()
