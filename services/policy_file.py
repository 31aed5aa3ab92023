"""Reading an operator's ``policy.yaml``, so that a mistake is told with file and line before it decides anything."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from oslo_policy import _checks, _parser


class BadPolicy(Exception):
    """An override file can't be used; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A mistake that the original only logs, with file and line. ``grave``: a rule that can't be understood."""

    text: str
    grave: bool = False


@dataclass(slots=True)
class Overrides:
    """What a file says: rule name -> line (from 1) and parsed check, and what is wrong with it."""

    rules: dict[str, tuple[int, _checks.BaseCheck]] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)


def read(file: str | pathlib.Path) -> Overrides:
    """An override file. As in oslo.policy a check that can't be understood is ``!``, the last of two rules wins.

    Raises:
        BadPolicy: no mapping of names to rules, or a rule that is no text: the library can't read it either.
    """
    found = Overrides()
    try:
        node = yaml.compose(pathlib.Path(file).read_text(), Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as error:
        raise BadPolicy(f"{file}: {error}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadPolicy(f"{file}:{line}: {error.problem}") from error
    except yaml.YAMLError as error:
        raise BadPolicy(f"{file}: {error}") from error
    if node is None:
        return found
    if not isinstance(node, yaml.MappingNode):
        raise BadPolicy(f"{file}:{node.start_mark.line + 1}: rules are a mapping of names to checks")
    for key, value in node.value:
        line = key.start_mark.line + 1
        where = f"{file}:{line}: rule {key.value}"
        if key.value in found.rules:
            found.troubles.append(Trouble(f"{where} stands here twice: this one counts"))
        text = _plain(where, value)
        with _silent():
            check = _parser.parse_rule(text)
        if sum(isinstance(one, _checks.FalseCheck) for one in walk(check)) > _refusals(text):
            trouble = f"{where} can't be understood, and what can't be counts as !: {text}"
            found.troubles.append(Trouble(trouble, grave=True))
        found.rules[key.value] = line, check
    return found


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """The parser logs a trace without the place of the rule; it is told here, with it."""
    _parser.LOG.disabled = True
    try:
        yield
    finally:
        _parser.LOG.disabled = False


def _plain(where: str, node: Any) -> Any:
    """Text of a scalar, lists of texts of the older form."""
    if isinstance(node, yaml.SequenceNode):
        return [_plain(where, one) for one in node.value]
    if not isinstance(node, yaml.ScalarNode) or node.tag not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:null"):
        raise BadPolicy(f"{where} is no text")
    return node.value if node.tag.endswith("str") else ""


def _refusals(text: Any) -> int:
    """How often a rule says ``!`` itself."""
    if isinstance(text, list):
        return sum(_refusals(one) for one in text)
    return sum(one.strip("()") == "!" for one in str(text).split())


def walk(check: Any) -> Iterator[Any]:
    """A check and all checks inside it."""
    yield check
    for inner in getattr(check, "rules", ()):
        yield from walk(inner)
    if isinstance(check, _checks.NotCheck):
        yield from walk(check.rule)
