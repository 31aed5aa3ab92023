"""Which of a share's claims is served: a revert gives it another one, and may be cut short. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes import claims
from drivers.kubernetes.api import Object
from drivers.kubernetes.claims import pending
from drivers.kubernetes.keeping import incarnation as incarnation
from drivers.kubernetes.sizes import GIB


def claim_in_use(known: Sequence[Object]) -> Object | None:
    """Of a share's claims the one that is served: the newest, but none that a revert which was cut short left unbound.

    Args:
        known: those that are not being removed.
    """
    ordered = sorted(known, key=incarnation)
    return next(reversed([one for one in ordered if not pending(one)] or ordered), None)


def next_claim(
    options: KubernetesOptions, share: str, before: Object, source: Object, role: str, known: Sequence[Object] = ()
) -> Object:
    """The claim that takes the place of ``before``: filled from the VolumeSnapshot ``source``, in the same pool.

    Args:
        known: other claims of the share, with names of their own.
    """
    number = max(incarnation(one) for one in (before, *known)) + 1
    more = {names.SHARE: share, names.INCARNATION: str(number), **owned_as(before)}
    own = names.labels(options.share_backend_name, role, **more)
    size = claims.restore_size(source, f"{claims.requested(before) // GIB}Gi")
    name, filled = names.claim(share, number), source["metadata"]["name"]
    return claims.claim(options, name, size, own, filled, storage_class=claims.class_of(before))


def owned_as(claim: Object) -> dict[str, str]:
    """Labels of a claim that say whose it is, besides its instance."""
    known = claim["metadata"]["labels"]
    return {name: known[name] for name in (names.OF_SHARE, names.SERVER) if name in known}
