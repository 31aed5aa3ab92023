"""Which access rules such a share can have. Pure functions.

Longhorn's NFS server has no list of clients: a share is open to everybody who reaches it, for reading and writing, or
to nobody. So the one rule that can be enforced is the one that says just that.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from drivers.base import RuleUpdate
from generated.runtime import Row

LEVEL = "rw"


def is_everybody(rule: Row) -> bool:
    """Whether a rule says ``ip``, all addresses of a family, ``rw``."""
    if rule["access_type"] != "ip" or rule["access_level"] != LEVEL:
        return False
    try:
        return ipaddress.ip_network(rule["access_to"], strict=False).prefixlen == 0
    except ValueError:
        return False


def judged(rules: Sequence[Row]) -> tuple[bool, dict[str, RuleUpdate]]:
    """Whether the share is open, and what becomes of each rule: any other than everybody's admits nobody."""
    results: dict[str, RuleUpdate] = {}
    for rule in rules:
        good = is_everybody(rule)
        results[rule["id"]] = {"state": "active"} if good else {"state": "error", "refused": "unsupported"}
    return any(is_everybody(rule) for rule in rules), results
