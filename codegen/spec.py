"""Reading the contract files."""

from __future__ import annotations

import functools
import json
import pathlib
from dataclasses import dataclass
from typing import Any

BRANCH = "stable-2026.2"


def minor(version: str | None, default: int) -> int:
    """``2.65`` -> 65; None, an open end, -> ``default``."""
    return default if version is None else int(version.split(".")[1])


@dataclass(frozen=True)
class Spec:
    """The contract in a folder. Each file is read once."""

    folder: pathlib.Path

    @functools.cache  # noqa: B019 - one short-lived object per run of the generator
    def document(self, name: str) -> Any:
        """The JSON file ``NAME_stable-2026.2.json``."""
        return json.loads((self.folder / f"{name}_{BRANCH}.json").read_text())

    def lines(self, name: str) -> list[str]:
        """The entries of a list file: one a line, comments and blank lines left out."""
        text = (self.folder / name).read_text().splitlines()
        return [line.strip() for line in text if line.strip() and not line.startswith("#")]

    @property
    def newest(self) -> int:
        """Minor number of the newest microversion."""
        return minor(self.document("routes")["microversions"]["max"], 0)
