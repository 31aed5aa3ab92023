"""``generated/schemas/``: the JSON schemas the service applies, as JSON inside the package, one file per resource."""

from __future__ import annotations

import json
from typing import Any

from codegen.spec import Fact, Spec
from codegen.text import header

LOADER = '''@cache
def schema(name: str) -> Json:
    """The JSON schema ``name`` of the dispatch table (``shares.extend_request_body_v27``).

    Raises KeyError for a name that is not in the contract.
    """
    resource, _, _ = name.partition(".")
    return _file(resource)[name]


@cache
def _file(resource: str) -> dict[str, Json]:
    path = files(__package__) / f"{resource}.json"
    if not path.is_file():
        raise KeyError(resource)
    loaded: dict[str, Json] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
'''


def generate(spec: Spec) -> dict[str, str]:
    groups: dict[str, Fact] = {}
    for name, schema in sorted(spec.file("request-schemas")["schemas"].items()):
        groups.setdefault(name.partition(".")[0], {})[name] = schema
    imports = ["import json", "from functools import cache", "from importlib.resources import files", ""]
    made = {f"schemas/{resource}.json": _shaped(group) + "\n" for resource, group in groups.items()}
    summary = "The JSON schemas of requests; the files beside this module hold them per resource."
    made["schemas/__init__.py"] = header(summary, imports=[*imports, "from generated.runtime import Json"]) + LOADER
    return made


def _shaped(value: Any, indent: int = 0) -> str:
    """JSON in the spec's order of keys (the first of two equal errors is told); what fits in a line stands in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= 100 or not isinstance(value, dict):
        return flat
    pad = " " * (indent + 1)
    rows = [f"{pad}{json.dumps(key)}: {_shaped(value[key], indent + 1)}" for key in value]
    return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
