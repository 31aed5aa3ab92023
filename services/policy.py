"""Policy rules: read, overridden, reloaded and validated by oslo.policy; decided by closures compiled from its checks.

The library's ``enforce`` costs some 200 us a call, the compiled form below 2 us, with the same decisions. A check
of a kind that is not known here is asked of the library.
"""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from oslo_config import cfg
from oslo_policy import _checks, opts, policy

from generated.policies import RULES
from generated.settings import Settings

Values = Mapping[str, Any]
Decision = Callable[[Values, Values], bool]
LOOK_SECONDS = 1.0
"""How often the override file's modification time is looked at."""


class BadPolicy(Exception):
    """The override file can't be used; the text names the file."""


class Policy:
    """Decides rules. Thread-safe for reading; a changed file takes effect within ``LOOK_SECONDS``.

    Raises:
        BadPolicy: the file that ``[oslo_policy] policy_file`` names can't be parsed or names unknown rules.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        conf = cfg.ConfigOpts()
        conf([], default_config_files=[], default_config_dirs=[])
        file = settings.oslo_policy.policy_file if settings is not None else None
        self._file = file if file and os.path.isfile(file) else None
        opts.set_defaults(conf, policy_file=self._file or "policy.yaml")
        self._enforcer = policy.Enforcer(conf, policy_file=self._file, use_conf=True)
        self._enforcer.suppress_deprecation_warnings = True
        self._enforcer.suppress_default_change_warnings = True
        for rule in RULES:
            self._enforcer.register_default(
                policy.RuleDefault(rule.name, rule.check, scope_types=list(rule.scopes or ()) or None)
            )
        self._scopes = {rule.name: frozenset(rule.scopes or ()) for rule in RULES}
        self._looked = 0.0
        self._stamp: float | None = None
        self._decisions: dict[str, Decision] = {}
        self._load()

    @property
    def enforcer(self) -> policy.Enforcer:
        """The library's enforcer with the same rules; for comparisons and for checks of unknown kinds."""
        return self._enforcer

    def _load(self) -> None:
        try:
            self._stamp = os.stat(self._file).st_mtime if self._file else None
            self._enforcer.load_rules(force_reload=True)
        except (OSError, ValueError, policy.PolicyNotAuthorized, cfg.ConfigFilesNotFoundError) as error:
            raise BadPolicy(f"{self._file}: {error}") from error
        unknown = sorted(set(self._enforcer.file_rules) - set(self._enforcer.registered_rules) - self._referenced())
        if unknown:
            raise BadPolicy(f"{self._file}: unknown rule {', '.join(unknown)}")
        if not self._enforcer.check_rules(raise_on_violation=False):
            raise BadPolicy(f"{self._file}: a rule refers to itself or to an undefined rule")
        self._decisions = {}

    def _referenced(self) -> set[str]:
        """Names that some rule refers to; a file may define such helpers."""
        found: set[str] = set()

        def visit(check: Any) -> None:
            if isinstance(check, _checks.RuleCheck):
                found.add(check.match)
            for inner in getattr(check, "rules", ()):
                visit(inner)
            if hasattr(check, "rule"):
                visit(check.rule)

        for check in self._enforcer.rules.values():
            visit(check)
        return found

    def _reload_if_changed(self) -> None:
        now = time.monotonic()
        if self._file is None or now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        try:
            changed = os.stat(self._file).st_mtime != self._stamp
        except OSError:
            return
        if changed:
            self._load()

    def decide(self, rule: str, target: Values, creds: Values) -> bool:
        """Whether ``rule`` holds for credentials and a target; an unknown rule never does."""
        self._reload_if_changed()
        scopes = self._scopes.get(rule)
        if scopes and _scope(creds) not in scopes:
            return False
        return self._decision(rule)(target, creds)

    def _decision(self, rule: str) -> Decision:
        found = self._decisions.get(rule)
        if found is None:
            check = self._enforcer.rules.get(rule)
            found = _never if check is None else self._compile(check, rule)
            self._decisions[rule] = found
        return found

    def _compile(self, check: Any, rule: str) -> Decision:
        if isinstance(check, _checks.TrueCheck):
            return _always
        if isinstance(check, _checks.FalseCheck):
            return _never
        if isinstance(check, _checks.NotCheck):
            inner = self._compile(check.rule, rule)
            return lambda target, creds: not inner(target, creds)
        if isinstance(check, _checks.AndCheck):
            parts = tuple(self._compile(one, rule) for one in check.rules)
            return lambda target, creds: all(part(target, creds) for part in parts)
        if isinstance(check, _checks.OrCheck):
            parts = tuple(self._compile(one, rule) for one in check.rules)
            return lambda target, creds: any(part(target, creds) for part in parts)
        if isinstance(check, _checks.RuleCheck):
            name = check.match
            return lambda target, creds: self._decision(name)(target, creds)
        if type(check) is _checks.RoleCheck:
            return _role(check.match)
        if type(check) is _checks.GenericCheck:
            return _generic(check.kind, check.match)
        return self._ask_library(check, rule)

    def _ask_library(self, check: Any, rule: str) -> Decision:
        enforcer = self._enforcer
        return lambda target, creds: bool(_checks._check(check, dict(target), dict(creds), enforcer, rule))


def _always(target: Values, creds: Values) -> bool:
    return True


def _never(target: Values, creds: Values) -> bool:
    return False


def _role(match: str) -> Decision:
    if "%(" not in match:
        wanted = match.lower()
        return lambda target, creds: any(role.lower() == wanted for role in creds.get("roles", ()))

    def decide(target: Values, creds: Values) -> bool:
        try:
            filled = (match % target).lower()
        except KeyError:
            return False
        return any(role.lower() == filled for role in creds.get("roles", ()))

    return decide


def _generic(kind: str, match: str) -> Decision:
    """``kind:match``: a credential (or a literal) compared with the filled text; lists match when one member does."""
    literal: Any = None
    try:
        literal, is_literal = ast.literal_eval(kind), True
    except (ValueError, SyntaxError):
        is_literal = False
    path = kind.split(".")

    def decide(target: Values, creds: Values) -> bool:
        try:
            filled = match % target
        except KeyError:
            return False
        if is_literal:
            return filled == str(literal)
        return any(filled == str(value) for value in _walk(creds, path))

    return decide


def _walk(value: Any, path: list[str]) -> list[Any]:
    if not path:
        return list(value) if isinstance(value, (list, tuple, set)) else [value]
    if isinstance(value, (list, tuple)):
        return [found for one in value for found in _walk(one, path)]
    if not isinstance(value, Mapping) or path[0] not in value:
        return []
    return _walk(value[path[0]], path[1:])


def _scope(creds: Values) -> str:
    if creds.get("system_scope"):
        return "system"
    return "domain" if creds.get("domain_id") else "project"
