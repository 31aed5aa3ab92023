"""The second line of defence: a packet filter in the gateway's namespace that admits the networks of active rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from drivers.ganesha.gateway.command import run
from drivers.ganesha.rules import Client, admitted


def render(clients: Iterable[Client]) -> str:
    """The whole rule set; loading it replaces the one before in one transaction.

    Others get a reset at port 2049, so that their mount fails at once. Connections that stand are left to the export's
    client list, which answers them with an error at once where a cut line would make them hang.
    """
    four, six = admitted(clients)
    return f"""table inet openkeel
delete table inet openkeel
table inet openkeel {{
  set allowed4 {{ type ipv4_addr; flags interval; {_elements(four)}}}
  set allowed6 {{ type ipv6_addr; flags interval; {_elements(six)}}}
  chain input {{
    type filter hook input priority 0; policy drop;
    iif lo accept
    ct state established,related accept
    meta l4proto {{ icmp, ipv6-icmp }} accept
    tcp dport 2049 ip saddr @allowed4 accept
    tcp dport 2049 ip6 saddr @allowed6 accept
    tcp dport 2049 reject with tcp reset
  }}
}}
"""


def _elements(networks: list[str]) -> str:
    return f"elements = {{ {', '.join(networks)} }}; " if networks else ""


async def admit(before: Sequence[str], clients: Iterable[Client], limit: float) -> None:
    """Admit exactly the networks of ``clients``; ``before``: words that enter the gateway's network namespace."""
    await run(*before, "nft", "-f", "-", stdin=render(clients), limit=limit)
