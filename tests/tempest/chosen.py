"""Which tests of the functional suite are run: those that pass on the original, and those that should."""

from __future__ import annotations

import collections
import pathlib
import re

VENDORED = pathlib.Path(__file__).resolve().parent / "vendored"


def listed(profile: str) -> list[str]:
    """Names of the tests that must pass in a profile, sorted."""
    found = []
    for kind in ("pass", "beyond"):
        path = VENDORED / f"{kind}-{profile}.txt"
        lines = path.read_text().splitlines() if path.exists() else []
        found += [line for line in lines if line and not line.startswith("#")]
    return sorted(found)


def part(names: list[str], number: int, count: int) -> list[str]:
    """The ``number``-th of ``count`` parts of about the same size; a class stays whole, since its set-up is the
    dearest. ``number`` counts from 1."""
    classes: dict[str, list[str]] = collections.defaultdict(list)
    for name in names:
        classes[name.rpartition(".")[0]].append(name)
    heaps: list[list[str]] = [[] for _ in range(count)]
    for one in sorted(classes, key=lambda name: (-len(classes[name]), name)):
        # a class costs as much as a few tests: projects and users are made for it
        min(heaps, key=lambda heap: len(heap) + 4 * len({name.rpartition(".")[0] for name in heap})).extend(
            classes[one]
        )
    return sorted(heaps[number - 1])


def matching(names: list[str], pattern: str) -> list[str]:
    """Those in which a regular expression is found."""
    return [name for name in names if re.search(pattern, name)]


def expressions(names: list[str]) -> str:
    """A tempest include list of exactly these tests, whatever attributes stand in brackets behind their names."""
    return "".join(f"^{re.escape(name)}(\\[|$)\n" for name in names)
