"""Sizes as Kubernetes writes them."""

from __future__ import annotations

import re
from typing import Final

GIB: Final = 1024**3
_QUANTITY: Final = re.compile(r"(\d+(?:\.\d+)?)(?:([KMGTPE])(i)?)?|(\d+(?:\.\d+)?)k", re.ASCII)
_POWERS: Final = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def bytes_of(quantity: str) -> int:
    """Bytes of a quantity such as ``10Gi``. Raises ValueError."""
    found = _QUANTITY.fullmatch(str(quantity))
    if found is None:
        raise ValueError(f"{quantity!r} is no quantity")
    if found[4]:
        return int(float(found[4]) * 1000)
    unit = (1024 if found[3] else 1000) ** _POWERS[found[2]] if found[2] else 1
    return int(float(found[1]) * unit)
