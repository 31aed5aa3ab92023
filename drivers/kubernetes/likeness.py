"""Whether an object still is what it was made as. Pure."""

from __future__ import annotations

from typing import Any

from drivers.kubernetes.api import Object


def differs(found: Object, wanted: Object) -> bool:
    """Whether a field of ``spec``, a label or an annotation that ``wanted`` names is another one.

    What it does not name does not count. The API server leaves out what is empty.
    """
    metadata = found["metadata"]
    parts = [(found.get("spec"), wanted.get("spec"))]
    parts += [(metadata.get(part), wanted["metadata"].get(part)) for part in ("labels", "annotations")]
    return any(_other(there or {}, asked or {}) for there, asked in parts)


def _other(there: dict[str, Any], asked: dict[str, Any]) -> bool:
    return any((there.get(key) or None) != (value or None) for key, value in asked.items())
