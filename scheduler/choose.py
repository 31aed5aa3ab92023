"""The decision: filter, weigh, choose. Pure; the caller reads the pools and writes the outcome in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generated.errors import InvalidParameterValue
from generated.messages import Detail
from scheduler import weighers
from scheduler.filters import DEFAULT, DEFAULT_EXTEND, FILTERS, detail_of
from scheduler.request import Pool, Request


@dataclass(frozen=True, slots=True)
class Decision:
    """``host`` (``node1@alpha#pool``) when one was found; else ``detail`` says why, ``last_filter`` where it ended."""

    host: str | None
    detail: Detail | None = None
    last_filter: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """Names of filters and weighers in order, and the capacity weigher's multiplier (negative: fill pools up).

    ``ratio``: ``max_over_subscription_ratio`` of pools that do not say theirs.
    """

    filters: tuple[str, ...] = DEFAULT
    extend_filters: tuple[str, ...] = DEFAULT_EXTEND
    weighers: tuple[str, ...] = weighers.DEFAULT
    capacity_multiplier: float = 1.0
    ratio: float = 20.0

    def of(self, request: Request) -> Request:
        """The request with what the rules say for pools that do not say it themselves."""
        return replace(request, ratio=self.ratio)

    def check(self) -> None:
        """Raise InvalidParameterValue when a name is not known."""
        wrong = [name for name in (*self.filters, *self.extend_filters) if name not in FILTERS]
        wrong += [name for name in self.weighers if name not in weighers.WEIGHERS]
        if wrong:
            raise InvalidParameterValue(err=f"unknown scheduler filters or weighers: {', '.join(wrong)}")


def choose(pools: Sequence[Pool], request: Request, rules: Rules | None = None) -> Decision:
    """The best pool for a request; among equals the first of ``pools``."""
    rules = rules or Rules()
    request = rules.of(request)
    if not pools:
        return Decision(None, Detail.SHARE_BACKEND_NOT_READY_YET)
    left, last = passing(pools, request, rules.filters)
    if not left:
        return Decision(None, detail_of(last), last)
    return Decision(ranked(left, request, rules)[0].host)


def passes(pools: Sequence[Pool], host: str, request: Request, rules: Rules | None = None) -> Decision:
    """Whether one certain pool may take the request (an extend, a migration).

    What is told of a refusal is not which filter it was: the pool may have passed all and be down.
    """
    rules = rules or Rules()
    request = rules.of(request)
    left, last = passing(pools, request, rules.extend_filters if request.is_extend else rules.filters)
    if any(pool.host == host for pool in left):
        return Decision(host)
    return Decision(None, Detail.NO_VALID_HOST, last)


def passing(pools: Sequence[Pool], request: Request, names: Sequence[str]) -> tuple[list[Pool], str | None]:
    """The pools that pass every filter, and the last filter that ran: the one that left none, if none is left."""
    left, last = list(pools), None
    for name in names:
        last = name
        left = [pool for pool in left if FILTERS[name](pool, request)]
        if not left:
            break
    return left, last


def ranked(pools: Sequence[Pool], request: Request, rules: Rules) -> list[Pool]:
    """The pools, the best first; equals keep their order."""
    if not pools:
        return []
    totals = [0.0] * len(pools)
    for name in rules.weighers:
        multiplier = rules.capacity_multiplier if name == "CapacityWeigher" else 1.0
        raw = weighers.WEIGHERS[name](pools, request, multiplier)
        totals = [total + multiplier * one for total, one in zip(totals, weighers.normalised(raw), strict=True)]
    order = sorted(range(len(pools)), key=lambda place: -totals[place])
    return [pools[place] for place in order]
