"""Small tables: policies, statuses, user messages."""

from __future__ import annotations

from codegen.spec import Spec
from codegen.text import head, literal, long_string, wrapped_tuple


def policies(spec: Spec) -> dict[str, str]:
    """``policies.py``: the default rules, one a line."""
    out = [head("Default policy rules.", "spec/policies"), "\nfrom dataclasses import dataclass\n\n\n"]
    out.append("@dataclass(frozen=True, slots=True)\nclass Rule:\n")
    out.append('    """A default rule. ``operations`` are (method, path) for the sample file."""\n\n')
    out.append("    name: str\n    check: str\n    scopes: tuple[str, ...]\n    operations: tuple[tuple[str, str], ...]\n")
    out.append("    deprecated_name: str | None\n    deprecated_check: str | None\n\n\nRULES: tuple[Rule, ...] = (\n")
    for one in spec.document("policies")["rules"]:
        old = one["deprecated_rule"] or {}
        operations = tuple((o["method"], o["path"]) for o in one["operations"])
        values = (one["name"], one["check_str"], tuple(one["scope_types"] or ()), operations, old.get("name"), old.get("check_str"))
        out.append(f"    Rule({', '.join(literal(value) for value in values)}),\n")
    out.append(")\n")
    return {"policies.py": "".join(out)}


def enums(spec: Spec) -> dict[str, str]:
    """``enums.py``: sets of states and other closed sets of words."""
    constants = spec.document("constants")
    out = [head("Closed sets of words: statuses, access levels, protocols.", "spec/constants"), "\n"]
    for name, words in constants["statuses"].items():
        if isinstance(words, list):
            out.append(wrapped_tuple(f"{name.upper()}: tuple[str, ...] = ", [literal(w) for w in words]))
    out.append(f"ACCESS_LEVELS: tuple[str, ...] = {literal(tuple(constants['access']['levels']))}\n")
    out.append(wrapped_tuple("SHARE_PROTOCOLS: tuple[str, ...] = ", [literal(w) for w in constants["share_protocols"]]))
    kinds = tuple(constants["security_service_types"])
    out.append(f"SECURITY_SERVICE_TYPES: tuple[str, ...] = {literal(kinds)}\n")
    out.append(f"TRUE_WORDS: tuple[str, ...] = {literal(tuple(constants['booleans']['true']))}\n")
    out.append(f"FALSE_WORDS: tuple[str, ...] = {literal(tuple(constants['booleans']['false']))}\n")
    return {"enums.py": "".join(out)}


def messages(spec: Spec) -> dict[str, str]:
    """``user_messages.py``: actions and details with their ids and texts."""
    facts = spec.document("constants")["user_messages"]
    out = [head("User messages: actions, details and resource types.", "spec/constants (user_messages)"), "\n"]
    out.append("from typing import NamedTuple\n\n\nclass Word(NamedTuple):\n")
    out.append('    """An action or a detail: the id that is stored and the text that is shown."""\n\n    id: str\n    text: str\n')
    for name in ("actions", "details"):
        out.append(f"\n\nclass {name[:-1].capitalize()}:\n")
        out.append(f'    """The {name}, by name."""\n\n')
        for one in facts[name]:
            out.append(f"    {one['name']} = Word({literal(one['id'])}, {long_string(one['text'], '    ', len(one['name']) + 18)})\n")
    out.append(f"\n\nUNKNOWN_ACTION = {literal(facts['unknown_action_text'])}\n")
    types = [literal(one) for one in facts["resource_types"]]
    out.append(wrapped_tuple("RESOURCE_TYPES: tuple[str, ...] = ", types))
    return {"user_messages.py": "".join(out)}
