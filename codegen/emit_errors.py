"""``generated/errors.py`` and ``generated/faults.py`` from the contract's constants."""

from __future__ import annotations

from typing import Any

from codegen.spec import Spec
from codegen.text import head, literal, long_string


def emit(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    constants = spec.document("constants")
    return {"errors.py": _errors(constants["exceptions"]), "faults.py": _faults(constants["faults"])}


def _ordered(exceptions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Parents before children, otherwise by name."""
    by_name = {one["name"]: one for one in exceptions}
    done: dict[str, dict[str, Any]] = {}

    def visit(name: str) -> None:
        one = by_name.get(name)
        if one is None or name in done:
            return
        visit(one["parent"])
        done[name] = one

    for name in sorted(by_name):
        visit(name)
    return list(done.values())


def _errors(exceptions: list[dict[str, Any]]) -> str:
    out = [head("The contract's exceptions.", "spec/constants (exceptions)"), "\nfrom generated.runtime import ManilaError\n"]
    names = {one["name"] for one in exceptions}
    for one in _ordered(exceptions):
        if one["name"] == "ManilaException":
            continue
        parent = one["parent"] if one["parent"] in names and one["parent"] != "ManilaException" else "ManilaError"
        out.append(f"\n\nclass {one['name']}({parent}):\n")
        out.append(f"    code = {one['code']}\n    safe = {one['safe']}\n")
        if one["message_template"] is not None:
            out.append(f"    template = {long_string(one['message_template'], '    ', 11)}\n")
        if one["uncaught_status"] != one["code"]:
            out.append(f"    uncaught_status = {one['uncaught_status']}\n")
    return "".join(out)


def _faults(faults: dict[str, Any]) -> str:
    out = [head("Fault names and default texts by status.", "spec/constants (faults)"), "\n"]
    out.append(f"OTHER = {literal(faults['other'])}\n\nNAMES: dict[int, str] = {{\n")
    out += [f"    {status}: {literal(name)},\n" for status, name in faults["names"].items()]
    out.append("}\n\nTEXTS: dict[int, str] = {\n")
    out += [f"    {status}: {long_string(one['text'], '    ', 6)},\n" for status, one in faults["default_texts"].items()]
    out.append("}\n")
    return "".join(out)
