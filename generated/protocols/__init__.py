"""What the handler modules offer: one protocol a module, one coroutine an operation.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import TypeVar

C = TypeVar("C", contravariant=True)
"""The type of a call."""

R = TypeVar("R", covariant=True)
"""The type of a reply."""
