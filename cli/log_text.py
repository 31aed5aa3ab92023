"""Text of log records in one line each: control characters are escaped, and so are those of a traceback's messages.

Texts of clients reach records: names, paths, values that are refused. A line break in one would write a second record
that nobody logged, an escape sequence would act on the operator's terminal.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final

BREAK: Final = "\n"
SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def escape(text: str) -> str:
    """``text`` with every character that is not printable as an escape of Python: line breaks, ANSI, surrogates."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    code = ord(one)
    if one in SHORT:
        return SHORT[one]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape_lines(text: str) -> str:
    """``text`` with its line breaks kept and everything else escaped: for text that this program has laid out."""
    return BREAK.join(escape(line) for line in text.split(BREAK))


def trace(exc_info: ExcInfo) -> str:
    """The traceback of an exception, of its causes and of the exceptions of a group, as Python prints it.

    Each exception's message and notes are one line, whatever they hold.
    """
    found = traceback.TracebackException(*exc_info, compact=True)
    return BREAK.join(_chain(found))


def _chain(found: traceback.TracebackException) -> Iterator[str]:
    before, words = found.__cause__, "The above exception was the direct cause of the following exception:"
    if before is None and not found.__suppress_context__:
        before, words = found.__context__, "During handling of the above exception, another exception occurred:"
    if before is not None:
        yield from _chain(before)
        yield from ("", words, "")
    if found.stack:
        yield "Traceback (most recent call last):"
        for frame in found.stack.format():
            yield from frame.rstrip(BREAK).split(BREAK)
    notes, found.__notes__ = found.__notes__ or [], None  # Python would break them into lines
    yield from (escape(part.rstrip(BREAK)) for part in found.format_exception_only())
    yield from (escape(str(note)) for note in notes)
    for number, one in enumerate(found.exceptions or (), 1):
        yield f"  +---------------- {number} ----------------"
        yield from (f"  | {line}" for line in _chain(one))
