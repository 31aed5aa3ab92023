"""``generated/schemas/``: the JSON schemas that requests are checked against, one module per resource."""

from __future__ import annotations

import pprint
from typing import Any

from codegen.spec import Spec
from codegen.text import head, literal


def emit(spec: Spec) -> dict[str, str]:
    """File name -> text. Only schemas that some operation applies to a request."""
    document = spec.document("request-schemas")
    used = {b["schema"] for b in document["bindings"] if b["kind"] in ("request_body", "request_query")}
    modules: dict[str, dict[str, Any]] = {}
    for name in sorted(used):
        if name != "none.no_body":
            modules.setdefault(name.split(".")[0], {})[name] = document["schemas"][name]
    files = {f"schemas/{module}.py": _module(module, found) for module, found in modules.items()}
    out = [head("Every request schema by its name.", "spec/request-schemas"), "\nfrom typing import Any\n\n"]
    out.append("from generated.schemas import (\n")
    out += [f"    {module},\n" for module in sorted(modules)]
    out.append(")\n\nSCHEMAS: dict[str, dict[str, Any]] = {\n")
    out += [f"    **{module}.SCHEMAS,\n" for module in sorted(modules)]
    out.append("}\n")
    files["schemas/__init__.py"] = "".join(out)
    return files


def _module(module: str, schemas: dict[str, Any]) -> str:
    out = [head(f"Request schemas of ``{module}``.", "spec/request-schemas"), "\nfrom typing import Any\n"]
    out.append("\nSCHEMAS: dict[str, dict[str, Any]] = {\n")
    for name, schema in schemas.items():
        text = pprint.pformat(schema, width=108, sort_dicts=False).replace("\n", "\n    ")
        out.append(f"    {literal(name)}: {text},\n")
    out.append("}\n")
    return "".join(out)
