"""Figures for Prometheus of what clients do on shares: of the busiest, so that their number is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from drivers.client_counts import KINDS, Counts, Seen, operations

TOP: Final = 20
"""Shares and clients that are shown, unless it is said otherwise."""
SHARE, CLIENT = ("share", "share_instance", "project", "kind"), ("client", "server", "project", "kind")


Labels = tuple[str, str, str]
"""Values of the labels, ``kind`` apart."""


class ClientFigures(Collector):
    """The families ``PREFIX_share_...`` and ``PREFIX_client_...``.

    ``source`` gives what there is to show, at each time it is asked for. Those are shown that have done most since the
    last time, and of others that did as much those that did most in all. ``top``: how many of each; 0: none.
    """

    def __init__(self, prefix: str, source: Callable[[], Iterable[Seen]] = tuple, top: int = TOP) -> None:
        self._prefix, self.source, self.top = prefix, source, top
        self._before: dict[tuple[str, Labels], int] = {}

    def labels(self) -> dict[str, set[str]]:
        """Name -> labels of each family."""
        return {one.name: set(one._labelnames) for one in self._families("share") + self._families("client")}

    def describe(self) -> Iterator[Metric]:
        """What may be shown."""
        yield from self._families("share")
        yield from self._families("client")

    def collect(self) -> Iterator[Metric]:
        """What there is to show now."""
        shares: dict[Labels, Counts] = {}
        clients: dict[Labels, Counts] = {}
        for one in self.source() if self.top else ():
            for name, counts in one.statistics.shares.items():
                shares[one.shares.get(name, ""), name, one.project] = counts
            for address, counts in one.statistics.clients.items():
                clients[address, one.server, one.project] = counts
        now = {("share", key): operations(counts) for key, counts in shares.items()}
        now |= {("client", key): operations(counts) for key, counts in clients.items()}
        for part, found in (("share", shares), ("client", clients)):
            yield from self._filled(part, found, now)
        self._before = now

    def _filled(
        self, part: str, found: Mapping[Labels, Counts], now: Mapping[tuple[str, Labels], int]
    ) -> list[CounterMetricFamily]:
        def busy(key: Labels) -> tuple[int, int, Labels]:
            total = now[part, key]
            return max(0, total - self._before.get((part, key), 0)), total, key

        families = self._families(part)
        for key in sorted(found, key=busy, reverse=True)[: self.top]:
            for kind, count in zip(KINDS, found[key], strict=True):
                values = (count.operations, count.errors, count.bytes, count.seconds)
                for family, value in zip(families, values, strict=False):
                    family.add_metric((*key, kind), value)
        return families

    def _families(self, part: str) -> list[CounterMetricFamily]:
        labels, whose = (SHARE, "a share's clients") if part == "share" else (CLIENT, "a client")
        texts = {
            "operations": f"NFS operations of {whose} since the start of its server",
            "errors": f"NFS operations of {whose} that failed",
            "bytes": f"Bytes that {whose} read and wrote",
        }
        if part == "share":
            texts["seconds"] = f"Seconds that the server worked at the operations of {whose}"
        return [
            CounterMetricFamily(f"{self._prefix}_{part}_{name}", text, labels=labels) for name, text in texts.items()
        ]
