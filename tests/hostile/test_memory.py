"""The memory of an API process has a ceiling under each attack; what an attack may take is derived from the options.

``python -m tests.hostile.memory`` runs the same for longer, with 100,000 shares.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

from tests.hostile import memory


@pytest.mark.parametrize("attack", memory.ATTACKS, ids=lambda one: one.__name__)
async def test_memory_has_a_ceiling(
    tmp_path: pathlib.Path, database_url: str, attack: Callable[[memory.Ground], memory.Attack]
) -> None:
    seen = await memory.measure(attack, memory.Ground(tmp_path, database_url, shares=4000, seconds=4))
    print(seen)
    assert seen.peak < seen.allowed, seen
