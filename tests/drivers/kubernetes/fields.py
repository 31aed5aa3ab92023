"""Who manages which fields of an object: server-side apply, with lists as single values."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tests.drivers.kubernetes.rules import Refusal

Object = dict[str, Any]
Path = tuple[str, ...]
IDENTITY = frozenset(("name", "namespace", "uid", "resourceVersion", "generation", "deletionTimestamp"))
NOTHING = object()


class Fields:
    """The managers of one object: (name, operation) -> fields."""

    def __init__(self) -> None:
        self._owned: dict[tuple[str, str], set[Path]] = {}

    def update(self, manager: str, before: Object, after: Object) -> None:
        """Fields that were changed without apply belong to who changed them."""
        changed = {path for path in leaves(after) if value(before, path) != value(after, path)}
        for paths in self._owned.values():
            paths -= changed
        self._owned.setdefault((manager, "Update"), set()).update(changed)

    def apply(self, manager: str, present: Object, wanted: Object, *, force: bool) -> Object:
        """The object as it is afterwards. Raises Refusal when somebody else manages a field that would change."""
        own, paths = (manager, "Apply"), set(leaves(wanted))
        conflicts = [
            (other, path)
            for (other, _), owned in self._owned.items()
            if owned is not self._owned.get(own)
            for path in sorted(owned & paths)
            if value(present, path) != value(wanted, path)
        ]
        if conflicts and not force:
            texts = [f'conflict with "{other}": .{".".join(path)}' for other, path in conflicts]
            raise Refusal(409, "Conflict", f"Apply failed with {len(texts)} conflict: {'; '.join(texts)}")
        after = copy.deepcopy(present)
        dropped = self._owned.get(own, set()) - paths
        self._owned[own] = paths
        for path in dropped:
            if not any(path in owned for owned in self._owned.values()):
                _drop(after, path)
        taken = {path for _, path in conflicts}
        for name, owned in self._owned.items():
            if name != own:
                owned -= taken
        for path in paths:
            _set(after, path, value(wanted, path))
        return after


def leaves(found: Object, above: Path = ()) -> Iterator[Path]:
    """Paths of the fields that somebody may manage."""
    for key, inner in found.items():
        path = (*above, key)
        if path in (("apiVersion",), ("kind",)) or (above == ("metadata",) and key in IDENTITY):
            continue
        if isinstance(inner, dict) and inner:
            yield from leaves(inner, path)
        else:
            yield path


def value(found: Object, path: Path) -> Any:
    """What is there; NOTHING if nothing is."""
    inner: Any = found
    for word in path:
        if not isinstance(inner, dict) or word not in inner:
            return NOTHING
        inner = inner[word]
    return inner


def _set(found: Object, path: Path, new: Any) -> None:
    for word in path[:-1]:
        found = found.setdefault(word, {})
    found[path[-1]] = copy.deepcopy(new)


def _drop(found: Object, path: Path) -> None:
    for word in path[:-1]:
        found = found.get(word, {})
    found.pop(path[-1], None)
