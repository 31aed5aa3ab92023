"""Filter and goodness functions: a small language of numbers, names and operators that a back end reports.

``capabilities.total_capacity_gb > 100 and share.size <= 50 ? 100 : 20``. Names are ``group.name``; operators, weakest
first: ``,`` (arguments), ``or``, ``and``, ``?:``, comparisons, ``not``, ``+ -``, ``* /``, sign, ``^``,
functions ``abs max min``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scheduler.request import Pool, Request


class BadExpression(ValueError):
    """The text is no expression, or a name in it has no value."""


_TOKEN = re.compile(
    r"""\s*(?:(\d+\.\d+|\d+)|("[^"]*"|'[^']*')|([A-Za-z_.]+)|(&&|\|\||<=|>=|==|!=|<>|[-+*/^<>!?:,()]))"""
)
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"abs": abs, "max": max, "min": min}
_AND, _OR, _NOT = ("and", "AND", "&&"), ("or", "OR", "||"), ("not", "NOT", "!")


def evaluate(text: str, names: Mapping[str, Mapping[str, Any]]) -> Any:
    """Value of an expression.

    Args:
        names: group -> name -> value.

    Raises:
        BadExpression: a mistake in the text, an unknown name, a division by zero, operands that don't go together.
    """
    reader = _Reader(_tokens(text), names)
    try:
        value = reader.either()
    except (TypeError, ZeroDivisionError, OverflowError, RecursionError) as error:
        raise BadExpression(str(error)) from error
    if reader.next is not None:
        raise BadExpression(f"unexpected {reader.next}")
    return value


def variables(pool: Pool, request: Request) -> dict[str, Mapping[str, Any]]:
    """What functions may name: stats (host's values now), capabilities (the report), extra (specs), share."""
    stats = {
        **pool.capabilities,
        "host": pool.host,
        "free_capacity_gb": pool.free,
        "provisioned_capacity_gb": pool.provisioned_total,
    }
    return {
        "stats": stats,
        "capabilities": pool.capabilities,
        "extra": request.needs,
        "share": {"size": request.size, **request.properties},
    }


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    text = text.rstrip()
    while place < len(text):
        hit = _TOKEN.match(text, place)
        if hit is None:
            raise BadExpression(f"cannot read {text[place : place + 20]!r}")
        found.append(hit.group().strip())
        place = hit.end()
    return found


class _Reader:
    """Reads from the weakest operator to the strongest and calculates on the way."""

    def __init__(self, tokens: Sequence[str], names: Mapping[str, Mapping[str, Any]]) -> None:
        self._tokens, self._place, self._names = tokens, 0, names

    @property
    def next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def take(self, *wanted: str) -> str | None:
        """The next token if it is one of ``wanted``."""
        if self.next in wanted:
            self._place += 1
            return self._tokens[self._place - 1]
        return None

    def expect(self, wanted: str) -> None:
        if self.take(wanted) is None:
            raise BadExpression(f"expected {wanted}, found {self.next or 'the end'}")

    def either(self) -> Any:
        value = self.both()
        while self.take(*_OR):
            other = self.both()
            value = value or other
        return value

    def both(self) -> Any:
        value = self.choice()
        while self.take(*_AND):
            other = self.choice()
            value = value and other
        return value

    def choice(self) -> Any:
        value = self.comparison()
        while self.take("?"):
            yes = self.choice()
            self.expect(":")
            no = self.choice()
            value = yes if value else no
        return value

    def comparison(self) -> Any:
        value = self.negation()
        outcome: bool | None = None
        while (sign := self.take(*_COMPARE)) is not None:
            other = self.negation()
            outcome = (outcome is not False) and _COMPARE[sign](value, other)
            value = other
        return value if outcome is None else outcome

    def negation(self) -> Any:
        if self.take(*_NOT):
            return not self.negation()
        return self.sum()

    def sum(self) -> Any:
        value = self.product()
        while (sign := self.take("+", "-")) is not None:
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> Any:
        value = self.signed()
        while (sign := self.take("*", "/")) is not None:
            value = value * self.signed() if sign == "*" else value / float(self.signed())
        return value

    def signed(self) -> Any:
        if sign := self.take("+", "-"):
            return self.signed() if sign == "+" else -self.signed()
        return self.power()

    def power(self) -> Any:
        value = self.operand()
        while self.take("^"):
            value = pow(value, self.operand())
        return value

    def operand(self) -> Any:
        if self.take("("):
            value = self.either()
            self.expect(")")
            return value
        token = self.next
        if token is None:
            raise BadExpression("the end came too soon")
        self._place += 1
        if token in _FUNCTIONS:
            return self._call(token)
        return self._value(token)

    def _call(self, name: str) -> Any:
        self.expect("(")
        arguments = [self.either()]
        while self.take(","):
            arguments.append(self.either())
        self.expect(")")
        if name != "abs" and len(arguments) == 1:
            return arguments[0]
        return _FUNCTIONS[name](*arguments)

    def _value(self, token: str) -> Any:
        value: Any = token
        if re.fullmatch(r"[A-Za-z_]+\.[A-Za-z_]+", token):
            group, _, name = token.partition(".")
            try:
                value = self._names[group][name]
            except KeyError as error:
                raise BadExpression(f"{token} has no value") from error
        elif not (token[0].isalnum() or token[0] in "\"'_"):
            raise BadExpression(f"unexpected {token}")
        for kind in (int, float):
            try:
                number = kind(value)
            except (ValueError, TypeError):
                continue
            return number
        return value.replace('"', "").replace("'", "") if isinstance(value, str) else value
