"""Which of a share's claims is served: a revert gives it another one, and may be cut short. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes import claims, copies
from drivers.kubernetes.api import Object
from drivers.kubernetes.claims import pending
from drivers.kubernetes.copies import is_whole
from drivers.kubernetes.keeping import incarnation as incarnation


def claim_in_use(known: Sequence[Object]) -> Object | None:
    """Of a share's claims the one that is served: the newest whose data is known to be whole, else the oldest.

    Two of them are a swap that was cut short. A release that took ``Bound`` for proof may have left a newer one that
    proves nothing.

    Args:
        known: those that are not being removed.
    """
    ordered = sorted(known, key=incarnation)
    there = [one for one in ordered if not pending(one)] or ordered
    return next((one for one in reversed(there) if is_whole(one)), next(iter(there), None))


def next_claim(
    options: KubernetesOptions,
    share: str,
    before: Object,
    source: Object,
    known: Sequence[Object],
    size: str,
    place: str,
) -> Object:
    """The claim that is to take the place of ``before``: filled from the VolumeSnapshot ``source``, in the same pool.

    Args:
        known: other claims of the share, with names of their own.
        size: a quantity.
        place: handle of the volume in which the snapshot lives; empty: in none that could go.
    """
    number = max(incarnation(one) for one in (before, *known)) + 1
    more = {names.SHARE: share, names.INCARNATION: str(number), **owned_as(before)}
    own = names.labels(options.share_backend_name, "restore", **more)
    name, filled, pool = names.claim(share, number), source["metadata"]["name"], claims.class_of(before)
    return claims.claim(options, name, size, own, filled, storage_class=pool, notes=copies.notes(place))


def owned_as(claim: Object) -> dict[str, str]:
    """Labels of a claim that say whose it is, besides its instance."""
    known = claim["metadata"]["labels"]
    return {name: known[name] for name in (names.OF_SHARE, names.SERVER) if name in known}
