"""Python source as text: headers, literals, wrapped strings. The formatter gives the final shape."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

WIDTH = 96


def header(summary: str, details: str = "", imports: Iterable[str] = ()) -> str:
    """The start of a generated module: docstring, future import, imports."""
    text = docstring(summary, details or "Generated from ``spec/``; do not edit.")
    lines = [text, "", "from __future__ import annotations", ""]
    return "\n".join([*lines, *imports, "", ""] if imports else [*lines, ""])


def docstring(summary: str, details: str = "", indent: int = 0) -> str:
    """A docstring whose lines stay below the line limit."""
    pad = " " * indent
    quote = '"""'
    if not details and len(summary) + indent < 108:
        return f"{pad}{quote}{summary}{quote}"
    lines = textwrap.wrap(summary, 110 - indent, break_long_words=False)
    if details:
        lines.append("")
        for paragraph in details.split("\n"):
            lines.extend(textwrap.wrap(paragraph, 110 - indent, break_long_words=False) or [""])
    body = "\n".join(f"{pad}{line}".rstrip() for line in lines)
    return f"{pad}{quote}{body.lstrip()}\n{pad}{quote}"


def string(value: str, width: int = WIDTH) -> str:
    """A string literal; a long one becomes several adjacent ones in parentheses."""
    if len(value) <= width:
        return quoted(value)
    pieces, rest = [], value
    while len(rest) > width:
        cut = rest.rfind(" ", 1, width) + 1 or width
        pieces.append(rest[:cut])
        rest = rest[cut:]
    pieces.append(rest)
    return "(" + "\n".join(quoted(piece) for piece in pieces if piece) + ")"


def quoted(value: str) -> str:
    """A double-quoted literal, or a single-quoted one where that saves escapes."""
    text = repr(value)
    if text[0] == "'" and '"' not in value:
        text = '"' + text[1:-1].replace("\\'", "'") + '"'
    return text


def literal(value: Any) -> str:
    """A Python literal for a JSON-like value (tuples stay tuples); strings are wrapped."""
    if isinstance(value, str):
        return string(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    return repr(value)
