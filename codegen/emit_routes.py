"""``generated/routes/``: the dispatch table, one row a line; ``registry.py``: what each handler module must have."""

from __future__ import annotations

from codegen.operations import function_of, module_of, rows
from codegen.spec import Spec
from codegen.text import head, literal, sentence, wrapped_tuple


def emit(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    modules: dict[str, list[str]] = {}
    for row in rows(spec):
        values = [literal(getattr(row, name)) for name in row.__dataclass_fields__]
        modules.setdefault(module_of(row.operation), []).append(f"    Route({', '.join(values)}),\n")
    files = {f"routes/{name}.py": _module(name, lines) for name, lines in modules.items()}
    files["routes/__init__.py"] = _index(list(modules))
    files["routes/absent.py"] = _absent(spec)
    files["registry.py"] = _registry(spec)
    return files


def _module(name: str, lines: list[str]) -> str:
    out = head(f"Routes of ``{name}``.", "spec/routes")
    columns = "operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first"
    return f"{out}\nfrom generated.runtime import Route\n\n# {columns}\nROUTES = (\n{''.join(lines)})\n"


def _index(modules: list[str]) -> str:
    out = [head("The dispatch table: every variant of every operation.", "spec/routes"), "\nfrom generated.routes import (\n"]
    out += [f"    {name},\n" for name in sorted(modules)]
    out.append(")\nfrom generated.runtime import Route\n\nROUTES: tuple[Route, ...] = (\n")
    out += [f"    *{name}.ROUTES,\n" for name in modules]
    out.append(")\n")
    return "".join(out)


def _absent(spec: Spec) -> str:
    found = spec.document("routes")["routes_without_controller_method"]
    out = [head("Routes that the original declares without a method behind them.", "spec/routes"), "\n"]
    out.append("ABSENT: tuple[tuple[str, str, int], ...] = (\n")
    out += [
        f"    ({literal(one['method'])}, {literal(one['path'])}, {one['answers']}),\n"
        for one in sorted(found, key=lambda one: (one["path"], one["method"]))
    ]
    out.append(')\n"""Method, path and status of the answer."""\n')
    return "".join(out)


def _registry(spec: Spec) -> str:
    modules: dict[str, list[str]] = {}
    for one in spec.document("routes")["operations"]:
        modules.setdefault(module_of(one["operation_id"]), []).append(function_of(one["operation_id"]))
    out = [head("The functions that each handler module owes.", "spec/routes and spec/unimplemented.txt"), "\n"]
    out.append("HANDLERS: dict[str, tuple[str, ...]] = {\n")
    for name in sorted(modules):
        out.append(wrapped_tuple(f"{literal(name)}: ", [literal(f) for f in sorted(modules[name])], "    ")[:-1] + ",\n")
    out.append("}\n\nUNIMPLEMENTED: frozenset[str] = frozenset(\n    (\n")
    out += [f"        {literal(name)},\n" for name in sorted(spec.lines("unimplemented.txt"))]
    out.append('    )\n)\n"""Operations that answer 501."""\n')
    return "".join(out)


def emit_microversions(spec: Spec) -> dict[str, str]:
    """``microversions.py``: the one list of versions."""
    out = [head("Every microversion and what it brought.", "spec/microversions"), "\n"]
    entries = [one for one in spec.document("microversions")["entries"] if one["version"].startswith("2.")]
    out.append(f"MINIMUM = 0\nMAXIMUM = {spec.newest}\n\nMICROVERSIONS: tuple[tuple[int, str], ...] = (\n")
    out += [
        f"    ({one['version'].split('.')[1]}, {literal(sentence(one['statement']))}),\n"
        for one in sorted(entries, key=lambda one: int(one["version"].split(".")[1]))
    ]
    out.append(")\n")
    return {"microversions.py": "".join(out)}
