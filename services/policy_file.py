"""Reading an operator's ``policy.yaml``, so that a mistake is told with file and line before it decides anything."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import yaml
from oslo_policy import _checks, _parser


class BadPolicy(Exception):
    """An override file can't be used; the text names file and line."""


def read(file: str | pathlib.Path) -> dict[str, tuple[int, _checks.BaseCheck]]:
    """Rule name -> line (from 1) and parsed check.

    Raises:
        BadPolicy: no mapping of names to rules, a name twice, or a rule that can't be understood.
    """
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
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise BadPolicy(f"{file}:{node.start_mark.line + 1}: rules are a mapping of names to checks")
    found: dict[str, tuple[int, _checks.BaseCheck]] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if key.value in found:
            raise BadPolicy(f"{file}:{line}: rule {key.value} stands here twice")
        found[key.value] = line, _rule(f"{file}:{line}: rule {key.value}", value)
    return found


def _rule(where: str, node: Any) -> _checks.BaseCheck:
    text = _plain(where, node)
    check = _parser.parse_rule(text)
    refusals = sum(isinstance(one, _checks.FalseCheck) for one in walk(check))
    if refusals > _refusals(text):
        raise BadPolicy(f"{where} can't be understood: {text}")
    return check


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
