"""Every value of the chart is described, has its default in one place, and stands on the page."""

from __future__ import annotations

import json

from deploy.helm import values

SCHEMA = json.loads(values.SCHEMA.read_text())
PROPERTIES = dict(values.properties(SCHEMA))
HELMS = {"global"}
"""Read by Helm itself."""


def test_every_value_says_what_it_does() -> None:
    bare = [path for path, one in PROPERTIES.items() if len(str(one.get("description", ""))) < 10]
    assert len(PROPERTIES) > 80 and not bare


def test_every_value_has_a_default_and_every_default_is_a_value() -> None:
    def keys(node: object, path: str = "") -> set[str]:
        schema = PROPERTIES.get(path, SCHEMA if not path else {})
        if not isinstance(node, dict) or "properties" not in schema:
            return {path}
        return set().union(*(keys(one, f"{path}.{name}" if path else name) for name, one in node.items()))

    leaves = {path for path, one in PROPERTIES.items() if "properties" not in one and "[]" not in path}
    assert leaves - HELMS == keys(values.defaults())


def test_a_default_is_told_in_the_schema_and_on_the_page() -> None:
    assert PROPERTIES["api.port"]["default"] == 8786
    stale = json.dumps({"properties": {"api": {"properties": {"port": {"default": 1}}}}})
    assert json.loads(values.schema(stale))["properties"]["api"]["properties"]["port"]["default"] == 8786
    lines = values.PAGE.read_text().splitlines()
    for path in PROPERTIES:
        assert len([line for line in lines if line.startswith(f"| `{path}` |")]) == 1, path
    assert any(line.startswith("| `api.port` | `8786` |") for line in lines)
