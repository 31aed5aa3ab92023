"""The chart's values: the schema with each default beside its description, and the page of the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from deploy.images.place import ROOT

CHART: Final = ROOT / "deploy" / "chart"
SCHEMA: Final = CHART / "values.schema.json"
PAGE: Final = ROOT / "docs" / "chart-values.md"
LONGEST: Final = 60
"""Characters of a default that the page shows."""
HEAD: Final = """\
# Values of the chart

Written by `python -m deploy.helm.write` from `values.yaml` and `values.schema.json` of `deploy/chart`. What to set:
[Kubernetes](kubernetes.md). Defaults that are longer than a line stand in `values.yaml`.

| Value | Default | What it does |
|---|---|---|
"""
Node = dict[str, Any]


def defaults() -> Node:
    """``values.yaml``."""
    found: Node = yaml.safe_load((CHART / "values.yaml").read_text())
    return found


def properties(node: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """Every property of a schema below ``path``, by its dotted path; ``[]`` stands for an entry of a list."""
    for name, one in node.get("properties", {}).items():
        where = f"{path}.{name}" if path else name
        yield where, one
        yield from properties(one, where)
        yield from properties(one.get("items", {}), f"{where}[]")


def schema(text: str | None = None) -> str:
    """The schema, with the defaults that ``values.yaml`` says; ``text``: None for the file as it is."""
    whole: Node = json.loads(SCHEMA.read_text() if text is None else text)
    values = defaults()
    for path, one in properties(whole):
        one.pop("default", None)
        found = at(values, path)
        if "properties" not in one and found is not None:
            one["default"] = found
    return json.dumps(whole, indent=1) + "\n"


def at(values: Mapping[str, Any], path: str) -> Any:
    """What stands below a dotted path; None: nothing."""
    found: Any = values
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def page() -> str:
    """The page: a line for each value that can be set."""
    values, lines = defaults(), []
    for path, one in properties(json.loads(SCHEMA.read_text())):
        shown = _shown(at(values, path), "properties" in one)
        lines.append(f"| `{path}` | {shown} | {one['description'].replace('|', chr(92) + '|')} |\n")
    return HEAD + "".join(lines)


def _shown(default: Any, is_group: bool) -> str:
    if is_group or default in (None, ""):
        return ""
    text = json.dumps(default, ensure_ascii=False)
    return f"`{text}`" if len(text) <= LONGEST else "see `values.yaml`"
