"""Which of a share's claims is served: a revert gives it another one, and may be cut short. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import Object
from drivers.kubernetes.claims import pending


def incarnation(claim: Object) -> int:
    """The how-manieth claim of its share it is, from 0."""
    return int(claim["metadata"]["labels"].get(names.INCARNATION, 0))


def claim_in_use(known: Sequence[Object]) -> Object | None:
    """Of a share's claims the one that is served: the newest, but none that a revert which was cut short left unbound.

    Args:
        known: those that are not being removed.
    """
    ordered = sorted(known, key=incarnation)
    return next(reversed([one for one in ordered if not pending(one)] or ordered), None)
