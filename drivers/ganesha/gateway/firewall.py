"""The second line of defence: a packet filter in the gateway's namespace that admits the networks of active rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from drivers.ganesha.gateway.command import run
from drivers.ganesha.rules import Client, admitted


def render(clients: Iterable[Client], interfaces: Sequence[str] = ()) -> str:
    """The whole rule set; loading it replaces the one before in one transaction.

    Others get a reset at port 2049, so that their mount fails at once. Without ``interfaces`` connections that stand
    are left to the export's client list, which answers them with an error at once where a cut line would make them
    hang. With ``interfaces`` nothing else is open at all, and who is admitted no more is cut off, too.
    """
    four, six = admitted(clients)
    lines = _strict(interfaces) if interfaces else _LENIENT
    return f"""table inet openkeel
delete table inet openkeel
table inet openkeel {{
  set allowed4 {{ type ipv4_addr; flags interval; {_elements(four)}}}
  set allowed6 {{ type ipv6_addr; flags interval; {_elements(six)}}}
  chain input {{
    type filter hook input priority 0; policy drop;
    iif lo accept
{lines}    tcp dport 2049 reject with tcp reset
  }}
}}
"""


# protocols by number, ICMP of both families: small images have no table of their names
_LENIENT: Final = """\
    ct state established,related accept
    meta l4proto { 1, 58 } accept
    tcp dport 2049 ip saddr @allowed4 accept
    tcp dport 2049 ip6 saddr @allowed6 accept
"""


def _strict(interfaces: Sequence[str]) -> str:
    named = ", ".join(f'"{one}"' for one in interfaces)
    return f"""\
    iifname != {{ {named} }} drop
    meta l4proto {{ 1, 58 }} accept
    tcp dport 2049 ip saddr @allowed4 accept
    tcp dport 2049 ip6 saddr @allowed6 accept
"""


def _elements(networks: list[str]) -> str:
    return f"elements = {{ {', '.join(networks)} }}; " if networks else ""


async def load(before: Sequence[str], rules: str, limit: float) -> None:
    """Load a rule set; ``before``: words that enter the gateway's network namespace."""
    await run(*before, "nft", "-f", "-", stdin=rules, limit=limit)


async def admit(before: Sequence[str], clients: Iterable[Client], limit: float) -> None:
    """Admit exactly the networks of ``clients``; see ``load``."""
    await load(before, render(clients), limit)
