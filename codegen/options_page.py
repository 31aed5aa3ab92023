"""``docs/options.md``: the options that the original does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from codegen.settings import BACKEND, sentence
from codegen.spec import Spec

Option = dict[str, Any]
HEAD: Final = """\
# Options of this project

Written by `python -m codegen` from `spec/own-options_stable-2026.2.json`. The original has none of these; its own options
keep their names, sections and defaults. `manila-manage config sample` prints all of both, `manila-manage config list`
what is in force. Those of `[DEFAULT]` that begin with `neutron_` may stand in the section of a back end, too.
"""
PARTS: Final[tuple[tuple[str, Callable[[Option], bool]], ...]] = (
    ("In the section of a back end: `kubernetes_*`", lambda one: _of_backend(one, "kubernetes_")),
    ("In the section of a back end: `ganesha_*`", lambda one: _of_backend(one, "ganesha_")),
    ("In the section of a back end: others", lambda one: one["section"] == BACKEND),
)
"""Titles, and what stands below them unless it stands further up; what is left has a part for each section."""


def _of_backend(one: Option, prefix: str) -> bool:
    return bool(one["section"] == BACKEND and one["name"].startswith(prefix))


def page(spec: Spec) -> str:
    """The page: a table for each section."""
    left: list[Option] = list(spec.file("own-options")["options"])
    parts: list[tuple[str, list[Option]]] = []
    for title, belongs in PARTS:
        parts.append((title, [one for one in left if belongs(one)]))
        left = [one for one in left if not belongs(one)]
    names = sorted({one["section"] for one in left}, key=lambda name: (name != "openkeel", name))
    parts[:0] = [(f"`[{name}]`", [one for one in left if one["section"] == name]) for name in names]
    return HEAD + "".join(_part(title, options) for title, options in parts if options)


def _part(title: str, options: list[Option]) -> str:
    head = f"\n## {title}\n\n| Option | Type | Default | Meaning |\n|---|---|---|---|\n"
    return head + "".join(f"{_line(one)}\n" for one in sorted(options, key=lambda one: str(one["name"])))


def _line(one: Option) -> str:
    limits = [f"{word} {one[key]}" for key, word in (("min", "least"), ("max", "most")) if one.get(key) is not None]
    kind = ", ".join([" or ".join(f"`{choice}`" for choice in one.get("choices", [])) or one["type"], *limits])
    meaning = sentence(one["meaning"]).replace("|", r"\|")
    return f"| `{one['name']}` | {kind} | {_shown(one['default'])} | {meaning} |"


def _shown(default: Any) -> str:
    if isinstance(default, list):
        default = ",".join(map(str, default))
    if isinstance(default, bool):
        default = str(default).lower()
    return "" if default in (None, "") else f"`{default}`"
