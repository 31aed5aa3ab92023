"""``generated/errors.py`` and ``generated/faults.py``: the contract's exceptions and the forms of fault answers."""

from __future__ import annotations

from codegen.spec import Fact, Spec
from codegen.text import docstring, header, literal

SHOWN = {
    'exposed as "<ClassName>: <message>"': "named",
    "message hidden unless the handler converts it (the default text of the status is sent)": "default",
    "message exposed": "message",
    "turned into a bare 404": "default",
}
ABOUT = """``code`` is the status, ``template`` the text (filled with the keyword arguments), ``safe`` whether the text
may leave the service. ``uncaught_status`` and ``uncaught_shown`` say what the shell answers: ``named`` is
'ClassName: message', ``message`` the message alone, ``default`` the default text of the status."""


def generate(spec: Spec) -> dict[str, str]:
    return {"errors.py": _errors(spec.constants["exceptions"]), "faults.py": _faults(spec.constants["faults"])}


def _ordered(exceptions: list[Fact]) -> list[Fact]:
    """Parents before children, otherwise by name."""
    waiting = {entry["name"]: entry for entry in sorted(exceptions, key=lambda entry: entry["name"])}
    placed: list[Fact] = []
    known = {"Exception"}
    while waiting:
        ready = [entry for entry in waiting.values() if entry["parent"] in known]
        placed.extend(ready)
        known.update(entry["name"] for entry in ready)
        waiting = {name: entry for name, entry in waiting.items() if name not in known}
    return placed


def _errors(exceptions: list[Fact]) -> str:
    facts = {entry["name"]: entry for entry in exceptions}
    parts = [
        header(
            "The contract's exceptions: what each one says, and what a client sees of it when nothing catches it.",
            ABOUT,
            ["from generated.runtime import ManilaError"],
        )
    ]
    for entry in _ordered(exceptions):
        parts.append(_class(entry, facts.get(entry["parent"])))
    return "\n".join(parts)


def _class(entry: Fact, parent: Fact | None) -> str:
    base = "ManilaError" if parent is None else parent["name"]
    lines = [f"class {entry['name']}({base}):", docstring(_summary(entry), indent=4), ""]
    inherited = {**_facts(parent)} if parent else {}
    own = _facts(entry)
    changed = {name: value for name, value in own.items() if name not in inherited or inherited[name] != value}
    lines += [f"    {name} = {literal(value)}" for name, value in changed.items()]
    return "\n".join(lines) + "\n\n"


def _facts(entry: Fact) -> Fact:
    return {
        "code": entry["code"],
        "safe": entry["safe"],
        "template": entry["message_template"],
        "uncaught_status": entry["uncaught_status"],
        "uncaught_shown": SHOWN[entry["uncaught_message"]],
    }


def _summary(entry: Fact) -> str:
    shown = {
        "named": "text shown with the class name",
        "message": "text shown",
        "default": "text hidden",
    }[SHOWN[entry["uncaught_message"]]]
    return f"{entry['uncaught_status']} {entry['uncaught_fault']} when uncaught, {shown}."


def _faults(faults: Fact) -> str:
    names = {int(status): name for status, name in faults["names"].items()}
    texts = {int(status): entry["text"] for status, entry in faults["default_texts"].items()}
    lines = [
        header("The members of a fault body by status, and the texts sent when nothing more is known.", imports=[]),
        f"FAULT_NAMES: dict[int, str] = {literal(names)}",
        '"""Status -> the one member of the body; any other status is ``OTHER_FAULT``."""',
        "",
        f"OTHER_FAULT = {literal(faults['other'])}",
        "",
        f"DEFAULT_TEXTS: dict[int, str] = {literal(texts)}",
        '"""Status -> the text of a fault without one of its own."""',
        "",
    ]
    return "\n".join(lines)
