"""``generated/protocols/``: what every handler module must offer, and the file in which mypy proves that it does."""

from __future__ import annotations

from codegen.spec import Fact, Spec, by_module, function_of
from codegen.text import docstring, header

PLAIN = {"enforce": "403", "enforce-as-404": "refused as 404", "test": "changes the answer only"}

PACKAGE = '''C = TypeVar("C", contravariant=True)
"""The type of a call."""

R = TypeVar("R", covariant=True)
"""The type of a reply."""
'''


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    summary = "What the handler modules offer: one protocol a module, one coroutine an operation."
    files = {"protocols/__init__.py": header(summary, imports=["from typing import TypeVar"]) + PACKAGE}
    for module, operations in by_module(spec.operations):
        text = header(f"The operations of ``handlers.{module}``.", imports=IMPORTS)
        text += f"class {_class(module)}(Protocol[C, R]):\n"
        text += docstring(f"Handlers behind {', '.join(sorted({o['path'] for o in operations}))}.", indent=4) + "\n"
        files[f"protocols/{module}.py"] = text + "".join(_operation(spec, one) for one in operations)
    return files


IMPORTS = ["from typing import Protocol", "", "from generated.protocols import C, R"]


def proof(spec: Spec) -> str:
    """A module that passes the type checker only if every handler module implements its protocol."""
    modules = [module for module, _ in by_module(spec.operations)]
    lines = [
        '"""The type checker proves here that every handler module implements its operations.',
        "",
        "Written by the generator.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        *(f"from generated.protocols.{module} import {_class(module)}" for module in modules),
        f"from handlers import {', '.join(modules)}",
        "from handlers.call import Call, Reply",
        "",
        *(f"{module.upper()}: {_class(module)}[Call, Reply] = {module}" for module in modules),
        "",
    ]
    return "\n".join(lines)


def _class(module: str) -> str:
    return "".join(word.capitalize() for word in module.split("_"))


def _operation(spec: Spec, operation: Fact) -> str:
    function = function_of(operation["operation_id"])
    return f"\n    async def {function}(self, call: C) -> R:\n{docstring(*_words(spec, operation), indent=8)}\n"


def _words(spec: Spec, operation: Fact) -> tuple[str, str]:
    """Summary and details of an operation."""
    action = f" ``{operation['action_key']}``" if operation["action_key"] else ""
    spans = [
        spec.span_of(variant).words + (" (experimental)" if variant["experimental"] else "")
        for variant in operation["variants"]
    ]
    summary = f"{operation['method']} {operation['path']}{action}: {_joined(spans)}."
    details = []
    left = [policy for policy in operation["policies"] if policy["source"] not in ("handler-decorator", "view")]
    if left:
        details.append("Rules left to the handler: " + "; ".join(sorted({_rule(policy) for policy in left})) + ".")
    if "legacy_spelling_of" in operation:
        details.append(f"The older spelling of ``{operation['legacy_spelling_of']}``.")
    details += [_sentence(note) for note in operation.get("notes", ())]
    return summary, "\n".join(details)


def _joined(spans: list[str]) -> str:
    """Neighbouring ranges of one kind told as one: ``2.0-2.23, 2.24-2.30, from 2.31`` -> ``from 2.0``."""
    merged: list[str] = []
    for span in spans:
        if merged and ("(" in merged[-1]) == ("(" in span):
            first = merged[-1].removeprefix("from ").split("-")[0].split(" ")[0]
            tail = " (experimental)" if "(" in span else ""
            open_end = span.startswith("from ")
            last = span.split(" ")[0].split("-")[-1]
            merged[-1] = (f"from {first}" if open_end else f"{first}-{last}") + tail
        else:
            merged.append(span)
    return ", ".join(merged)


def _rule(policy: Fact) -> str:
    outcome = PLAIN.get(policy["mode"], "403 or silently, as the request has it")
    return f"``{policy['rule']}`` ({outcome}{', on some paths' if policy['conditional'] else ''})"


def _sentence(text: str) -> str:
    flat = " ".join(text.split()).replace("\\", "/")
    return flat[:1].upper() + flat[1:] + ("" if flat.endswith((".", "!", "?")) else ".")
