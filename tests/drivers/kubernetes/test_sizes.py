"""Quantities as Kubernetes writes them."""

from __future__ import annotations

import pytest

from drivers.kubernetes import sizes


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("1Gi", 2**30), ("1.5Gi", 3 * 2**29), ("2M", 2_000_000), ("3k", 3000), ("300Mi", 300 * 2**20)],
)
def test_quantities(text: str, number: int) -> None:
    assert sizes.bytes_of(text) == number


@pytest.mark.parametrize("text", ["", "Gi", "-1Gi", "1 Gi", "1Zi", "١Gi", "1_0", "1Gi\n"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="no quantity"):
        sizes.bytes_of(text)
