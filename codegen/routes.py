"""``generated/routes/``: the dispatch table, one row per variant of an operation."""

from __future__ import annotations

from typing import Any

from codegen.spec import Fact, Span, Spec, by_module, class_name, snake
from codegen.text import header, literal

NOT_FOUND = 404


def generate(spec: Spec) -> dict[str, str]:
    order = spec.file("order")
    files = {}
    modules = []
    for module, operations in by_module(spec.operations):
        modules.append(module)
        body = "".join(_operation(spec, operation, order) for operation in operations)
        names = "LATEST, Variant, rows" if "LATEST" in body else "Variant, rows"
        imports = [f"from generated.routes.rows import {names}", "from generated.runtime import Route"]
        text = header(f"Dispatch rows of ``handlers.{module}``.", imports=imports)
        files[f"routes/{module}.py"] = f"{text}ROUTES: tuple[Route, ...] = (\n{body})\n"
    files["routes/__init__.py"] = _package(modules)
    files["routes/absent.py"] = _absent(spec)
    files["routes/suffixes.py"] = _suffixes(spec)
    return files


def _operation(spec: Spec, operation: Fact, order: Fact) -> str:
    name = operation["operation_id"]
    rules = tuple(p["rule"] for p in operation["policies"] if p["source"] == "handler-decorator")
    arguments = [literal(name), literal(operation["method"]), literal(operation["path"])]
    if operation["action_key"]:
        arguments.append(f"action={literal(operation['action_key'])}")
    if rules and name not in order["policy_in_handler"]:
        arguments.append(f"rules={literal(rules)}")
    if name in order["body_first"]:
        arguments.append("body_first=True")
    if name in order["body_presence"]["first"]:
        arguments.append("presence_first=True")
    if name in order["body_presence"]["optional"]:
        arguments.append("body_optional=True")
    if name in order["empty_answers_as_json"]["operations"]:
        arguments.append("empty_json=True")
    variants = [_variant(row) for variant in operation["variants"] for row in _split(spec, operation, variant, order)]
    return f"    *rows({', '.join(arguments)}, variants=({', '.join(variants)},)),\n"


def _split(spec: Spec, operation: Fact, variant: Fact, order: Fact) -> list[Fact]:
    """A variant cut wherever its body, its schema or its query schema changes; neighbours that agree are one row."""
    whole = spec.span_of(variant)
    keyed = [entry for entry in order["body_key_first"] if entry["operation"] == operation["operation_id"]]
    starts = {whole.since}
    for entry in [*variant["request_body"], *variant["query_schemas"], *keyed]:
        since = spec.span_of(entry).since
        if whole.covers(since):
            starts.add(since)
    cuts = sorted(starts)
    rows: list[Fact] = []
    for index, since in enumerate(cuts):
        until = cuts[index + 1] - 1 if index + 1 < len(cuts) else whole.until
        body = _at(spec, variant["request_body"], since)
        query = _at(spec, variant["query_schemas"], since)
        view = _at(spec, variant["response_body"], since)
        key = _at(spec, keyed, since)
        facts: Fact = {
            "status": variant["success_status"][0],
            "experimental": variant["experimental"],
            "body": class_name(body["schema"]) if body else None,
            "schema": body.get("manila_schema") if body else None,
            "query": query["manila_schema"] if query else None,
            "view": family(spec, view["schema"]) if view else None,
            "body_key": key["key"] if key else None,
        }
        if rows and rows[-1]["facts"] == facts:
            rows[-1]["span"] = Span(rows[-1]["span"].since, until)
        else:
            rows.append({"span": Span(since, until), "facts": facts})
    return rows


def _at(spec: Spec, entries: list[Fact], version: int) -> Fact | None:
    found = [entry for entry in entries if spec.span_of(entry).covers(version)]
    return found[0] if found else None


def family(spec: Spec, component: str) -> str | None:
    """The family of views an answer is made of: that of the one object (or list of objects) in its envelope."""
    schema = spec.components[component]
    if "x-object" in schema:
        return snake(schema["x-object"])
    inner = {name for item in schema.get("properties", {}).values() for name in _references(item)}
    families = {snake(spec.components[name]["x-object"]) for name in inner if "x-object" in spec.components[name]}
    return families.pop() if len(families) == 1 else None


def _references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else []
        return own + [name for key in ("items", "allOf", "anyOf") for name in _references(schema.get(key))]
    if isinstance(schema, list):
        return [name for item in schema for name in _references(item)]
    return []


def _variant(row: Fact) -> str:
    span: Span = row["span"]
    arguments = [str(span.since), "LATEST" if span.until is None else str(span.until), str(row["facts"]["status"])]
    for name, value in row["facts"].items():
        if name != "status" and value not in (None, False):
            arguments.append(f"{name}={literal(value)}")
    return f"Variant({', '.join(arguments)})"


def _package(modules: list[str]) -> str:
    imports = [f"from generated.routes import {module}" for module in modules]
    text = header(
        "The dispatch table: every variant of every operation.",
        "Paths are relative to ``/v2`` or ``/v2/{project_id}``. A declared path whose method has no operation is in "
        "``generated.routes.absent``.",
        [*imports, "from generated.runtime import Route"],
    )
    text += "ROUTES: tuple[Route, ...] = (\n" + "".join(f"    *{module}.ROUTES,\n" for module in modules) + ")\n"
    return text


def _absent(spec: Spec) -> str:
    rows = sorted(
        (entry["path"], entry["method"], entry["answers"], entry["router_action"])
        for entry in spec.routes["routes_without_controller_method"]
    )
    text = header(
        "Methods and paths the router declares without an operation behind them.",
        "They match before a path parameter could: ``GET /shares/new`` is not the share called 'new'. The answer is a "
        "fault of the given status, after authentication and version checks.",
    )
    text += "ABSENT: tuple[tuple[str, str, int, str | None], ...] = (\n"
    for path, method, status, action in rows:
        told = None if status == NOT_FOUND else f"There is no such action: {action}"
        text += f"    ({literal(method)}, {literal(path)}, {status}, {literal(told)}),\n"
    return text + ')\n"""Method, path, status and text; None is the default text of the status."""\n'


def _suffixes(spec: Spec) -> str:
    text = header(
        "Paths that can't end in ``.json`` or ``.xml``.",
        "After any other path either says nothing; after these it is a part of the last parameter, or of no path.",
    )
    text += "WITHOUT: tuple[str, ...] = (\n"
    text += "".join(f"    {literal(path)},\n" for path in sorted(spec.routes["paths_without_suffix"]))
    return text + ")\n"
