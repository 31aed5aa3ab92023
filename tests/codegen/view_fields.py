"""Prints the fields of every generated view with the microversions that show them: ``python view_fields.py FOLDER``.

It looks at the views that ``import generated`` finds, so that it can be run on freshly generated ones.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from typing import Any

import generated.views
from generated.microversions import MAX_MINOR
from generated.runtime import See


class AnyRow(dict[str, Any]):
    """A row that has every column; each holds such a row again."""

    def __missing__(self, key: str) -> AnyRow:
        return AnyRow()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0


def families(module: str) -> dict[str, Any]:
    """Family -> its views by minor version."""
    found = importlib.import_module(f"generated.views.{module}")
    return {name: value for name, value in sorted(vars(found).items()) if name.isupper() and isinstance(value, tuple)}


def fields(views: Any, minor: int) -> dict[str, str]:
    """Field -> who sees it at a minor version: empty for everybody, else the rule."""
    plain = views[minor](AnyRow(), See("http://manila"))
    shown = dict.fromkeys(plain, "")
    for rule in ("context_is_admin", "context_is_host_admin"):
        see = See("http://manila")
        setattr(see, rule, True)
        for name in views[minor](AnyRow(), see):
            shown.setdefault(name, rule)
    for name, value in views[minor](AnyRow(), See("http://manila", network_details=True)).items():
        if plain[name] is None and value is not None:
            shown[name] = "null without network_details"
    return shown


def ranges(present: list[bool]) -> str:
    """``2.0-2.8 2.31-`` from one truth value a minor version."""
    parts, start = [], None
    for minor, there in enumerate([*present, False]):
        if there and start is None:
            start = minor
        elif not there and start is not None:
            parts.append(f"2.{start}-" + ("" if minor == len(present) else f"2.{minor - 1}"))
            start = None
    return " ".join(parts)


def table(name: str, views: Any) -> str:
    """The text for one family."""
    seen = [fields(views, minor) for minor in range(MAX_MINOR + 1)]
    names: dict[str, str] = {}
    for one in seen:
        names.update(one)
    rows = [
        f"  {field:<40} {ranges([field in one for one in seen]):<20} {rule}".rstrip() for field, rule in names.items()
    ]
    return "\n".join([name, *rows, ""])


def tables() -> dict[str, str]:
    """File name -> text, one file a module of views."""
    modules = sorted(module.name for module in pkgutil.iter_modules(generated.views.__path__))
    return {
        f"{module}.txt": "\n".join(table(name, views) for name, views in families(module).items()) for module in modules
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in tables().items():
        (folder / file).write_text(text)
