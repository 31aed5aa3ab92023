"""Operations without behaviour yet; they answer 501.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

UNIMPLEMENTED: frozenset[str] = frozenset([])
