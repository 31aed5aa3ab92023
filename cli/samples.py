"""Sample files for operators: every option and every rule with its default, commented out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from generated.options import BACKEND, NETWORK, OPTIONS, Option
from generated.policies import RULES

TITLES = {BACKEND: "a_back_end", NETWORK: "a_network_group"}


def config() -> str:
    """A ``manila.conf``: sections in the order of the original's sample, options by name."""
    sections: dict[str, list[Option]] = {}
    for option in OPTIONS:
        sections.setdefault(option.section, []).append(option)
    order = sorted(sections, key=lambda name: (name != "DEFAULT", name.startswith("<"), name.lower()))
    return "\n".join(line for name in order for line in _section(name, sections[name]))


def _section(name: str, options: list[Option]) -> Iterator[str]:
    yield f"[{TITLES.get(name, name)}]"
    if name == BACKEND:
        yield "# Options of a back end: a section for each name in enabled_share_backends."
    if name == NETWORK:
        yield "# Options of a network plug-in: in the section of a back end, or one that it names."
    yield ""
    for option in sorted(options, key=lambda one: one.name):
        yield from (f"# {line}" for line in textwrap.wrap(option.help or option.name, 110))
        bounds = [
            f"{word} {bound:g}" for word, bound in (("least", option.min), ("most", option.max)) if bound is not None
        ]
        yield f"# Type: {option.type}{'; ' + ', '.join(bounds) if bounds else ''}"
        if option.choices:
            yield f"# One of: {', '.join(str(one) for one in option.choices)}"
        if option.old_names:
            yield f"# Former names: {', '.join(option.old_names)}"
        yield f"#{option.name} = {_value(option.default)}"
        yield ""


def _value(default: Any) -> str:
    if default is None:
        return "<None>"
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, list | tuple):
        return ",".join(str(one) for one in default)
    if isinstance(default, dict):
        lists = {key: f"[{','.join(one)}]" if isinstance(one, list) else one for key, one in default.items()}
        return ",".join(f"{key}:{value}" for key, value in lists.items())
    return str(default)


def policies() -> str:
    """A ``policy.yaml`` whose rules are the defaults."""
    lines = []
    for rule in RULES:
        lines += [f"# {operation}" for operation in rule.operations]
        if rule.scopes:
            lines.append(f"# Scopes: {', '.join(rule.scopes)}")
        lines += [f'#"{rule.name}": "{rule.check}"', ""]
    return "\n".join(lines)
