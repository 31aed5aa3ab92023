"""A Ganesha that notes what it is told, and a state volume whose files can't be used."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

import pytest

from drivers.ganesha.gateway import files

WRITING = ("write",)
ALL = (*WRITING, "remove", "listed", "text", "read")


class Ganesha:
    """What a running one was told: the configuration of each export by its number."""

    def __init__(self) -> None:
        self.told: dict[int, str] = {}

    def control(self, *_: object) -> Ganesha:
        """In place of the class ``Control``."""
        return self

    async def shown(self) -> set[int]:
        return set(self.told)

    async def update(self, staged: pathlib.Path, number: int) -> None:
        self.told[number] = staged.read_text()

    async def remove(self, number: int) -> None:
        del self.told[number]


class Errors:
    """From now on until ``heal`` these calls of ``files`` fail for all that is in a folder."""

    def __init__(self, folder: pathlib.Path, error: int, calls: tuple[str, ...] = ALL) -> None:
        self._folder, self._error, self._patch = folder, error, pytest.MonkeyPatch()
        for name in calls:
            self._patch.setattr(files, name, self._failing(getattr(files, name)))

    def _failing(self, call: Callable[..., object]) -> Callable[..., object]:
        def fails(path: pathlib.Path, *more: object) -> object:
            if self._folder in path.parents:
                raise OSError(self._error, os.strerror(self._error), str(path))
            return call(path, *more)

        return fails

    def heal(self) -> None:
        self._patch.undo()
