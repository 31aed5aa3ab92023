"""``generated/schemas/``: the JSON schemas the service applies, as JSON inside the package, one file per resource."""

from __future__ import annotations

import json

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
    made = {
        f"schemas/{resource}.json": json.dumps(group, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        for resource, group in groups.items()
    }
    summary = "The JSON schemas of requests; the files beside this module hold them per resource."
    made["schemas/__init__.py"] = header(summary, imports=[*imports, "from generated.runtime import Json"]) + LOADER
    return made
