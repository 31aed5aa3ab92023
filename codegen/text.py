"""Small helpers for writing Python text."""

from __future__ import annotations

WIDTH = 120
HEAD = '"""{title}\n\nGenerated from {source}; do not edit: change the contract and run ``nox -s generate``.\n"""\n\n'


def head(title: str, source: str) -> str:
    """The docstring on top of a generated module."""
    return HEAD.format(title=title, source=source) + "from __future__ import annotations\n"


def literal(value: object) -> str:
    """A Python literal with double quotes, as the formatter would write it."""
    if isinstance(value, str):
        if '"' in value and "'" not in value:
            return repr(value)
        body = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{body}"'
    if isinstance(value, (list, tuple)):
        inner = ", ".join(literal(one) for one in value)
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    return repr(value)


def wrapped_tuple(name: str, items: list[str], indent: str = "") -> str:
    """``name = (...)`` over as many lines as it needs; items are finished source text."""
    one = f"{indent}{name}({', '.join(items)}{',' if len(items) == 1 else ''})"
    if len(one) <= WIDTH:
        return one + "\n"
    lines = [indent + "   "]
    for item in items:
        if len(lines[-1]) + len(item) + 2 > WIDTH:
            lines.append(indent + "   ")
        lines[-1] += f" {item},"
    body = "\n".join(lines)
    return f"{indent}{name}(\n{body}\n{indent})\n"


def long_string(text: str, indent: str, used: int = 0) -> str:
    """A string literal; one too long for a line becomes several that Python joins."""
    one = literal(text)
    if len(indent) + used + len(one) <= WIDTH:
        return one
    room = WIDTH - len(indent) - 8
    pieces, line = [], ""
    for word in text.split(" "):
        grown = f"{line} {word}" if line else word
        if len(literal(grown)) > room and line:
            pieces.append(line + " ")
            line = word
        else:
            line = grown
    pieces.append(line)
    inner = "\n".join(f"{indent}    {literal(piece)}" for piece in pieces)
    return f"(\n{inner}\n{indent})"


def sentence(text: str) -> str:
    """A text as the first line of a docstring: capital, full stop, no quotes that would end it."""
    flat = " ".join(text.split()).replace("\\", "").replace('"""', "'''").strip()
    flat = flat[:1].upper() + flat[1:]
    return flat if flat.endswith((".", "!", "?")) else flat + "."
