"""Policy rules: read, overridden, reloaded and validated by oslo.policy; decided by closures compiled from its checks.

The library's ``enforce`` costs some 200 us a call, the compiled form below 2 us, with the same decisions but one: what
is None equals nothing. To the library a token without a project owns whatever has no project. A check of a kind that is
not known here is asked of the library.
"""

from __future__ import annotations

import ast
import os
import pathlib
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from oslo_config import cfg
from oslo_policy import _checks, policy

from generated.policies import RULES
from generated.settings import OsloPolicySection, Settings
from services.policy_file import BadPolicy, Trouble, read, walk

__all__ = ["BadPolicy", "Policy", "Trouble", "examine"]

Values = Mapping[str, Any]
Decision = Callable[[Values, Values], bool]
PLACEHOLDER = re.compile(r"%\((.+?)\)")
LOG = structlog.get_logger("policy")
LOOK_SECONDS = 1.0
"""How often the modification times of override files are looked at."""


class Policy:
    """Decides rules. A changed override file takes effect within ``LOOK_SECONDS``; a broken one is logged and ignored.

    Raises:
        BadPolicy: at the start, an override file can't be read, or a rule refers to itself. What oslo.policy takes and
            logs (an unknown name, a rule that can't be understood) is taken and logged here, with file and line.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._options = settings.oslo_policy if settings is not None else OsloPolicySection(policy_file="")
        if not self._options.enforce_scope:
            LOG.warning("[oslo_policy] enforce_scope = false has no effect: as in oslo.policy 6, scopes always count")
        self._scopes = {rule.name: frozenset(rule.scopes or ()) for rule in RULES}
        self._looked = time.monotonic()
        self._stamps = self._stamp()
        self._install(self._read())

    @property
    def enforcer(self) -> policy.Enforcer:
        """The library's enforcer with the same rules; for comparisons and for checks of unknown kinds."""
        return self._enforcer

    def _stamp(self) -> dict[str, tuple[int, int]]:
        found = {}
        for file in _files(self._options):
            facts = os.stat(file)
            found[str(file)] = facts.st_mtime_ns, facts.st_size
        return found

    def _read(self) -> policy.Enforcer:
        """An enforcer with defaults and overrides; what the original only logs is logged. Raises BadPolicy."""
        enforcer, troubles = _assembled(self._options)
        for one in troubles:
            (LOG.error if one.grave else LOG.warning)("a mistake in the policies", what=one.text)
        return enforcer

    def _install(self, enforcer: policy.Enforcer) -> None:
        self._enforcer = enforcer
        self._decisions: dict[str, Decision] = {}

    def _reload_if_changed(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        try:
            stamps = self._stamp()
            if stamps != self._stamps:
                self._stamps = stamps
                self._install(self._read())
                LOG.info("policies read again", files=", ".join(stamps))
        except (BadPolicy, OSError) as error:
            LOG.error("changed policies are not used", error=str(error))

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
            try:
                found = self._compile(self._enforcer.rules[rule], rule)
            except KeyError:
                found = _never
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
            return _all(tuple(self._compile(one, rule) for one in check.rules))
        if isinstance(check, _checks.OrCheck):
            return _any(tuple(self._compile(one, rule) for one in check.rules))
        if isinstance(check, _checks.RuleCheck):
            return self._decision(check.match)
        if type(check) is _checks.RoleCheck:
            return _role(check.match)
        if type(check) is _checks.GenericCheck:
            return _generic(check.kind, check.match)
        return self._ask_library(check, rule)

    def _ask_library(self, check: Any, rule: str) -> Decision:
        enforcer = self._enforcer
        return lambda target, creds: bool(_checks._check(check, dict(target), dict(creds), enforcer, rule))


def examine(settings: Settings) -> list[Trouble]:
    """What is wrong with the override files, without deciding anything. Raises BadPolicy: they can't be used at all."""
    return _assembled(settings.oslo_policy)[1]


def _files(options: OsloPolicySection) -> list[pathlib.Path]:
    """The override files that exist, later ones winning."""
    found = [pathlib.Path(options.policy_file)] if options.policy_file else []
    for folder in options.policy_dirs if options.policy_file else ():
        place = found[0].parent / folder
        if place.is_dir():
            found += sorted(one for one in place.iterdir() if one.is_file() and not one.name.startswith("."))
    return [one for one in found if one.is_file()]


def _assembled(options: OsloPolicySection) -> tuple[policy.Enforcer, list[Trouble]]:
    """An enforcer with defaults and overrides, and what is wrong with these. Raises BadPolicy."""
    enforcer = _enforcer(options)
    names = set(enforcer.registered_rules)
    overrides: dict[str, _checks.BaseCheck] = {}
    places: dict[str, str] = {}
    troubles: list[Trouble] = []
    for file in _files(options):
        said = read(file)
        troubles += said.troubles
        for name, (line, check) in said.rules.items():
            overrides[name] = check
            places[name] = f"{file}:{line}"
            enforcer.file_rules[name] = policy.RuleDefault(name, str(check))
    everything = {name: rule.check for name, rule in enforcer.registered_rules.items()} | overrides
    used = {one.match for check in everything.values() for one in walk(check) if isinstance(one, _checks.RuleCheck)}
    for name, where in places.items():
        if name not in names | used:
            troubles.append(Trouble(f"{where}: no rule is named {name}: it has no effect"))
        missing = [one.match for one in walk(overrides[name]) if isinstance(one, _checks.RuleCheck)]
        for other in sorted(set(missing) - everything.keys()):
            instead = f"rule {options.policy_default_rule} stands in its place"
            troubles.append(Trouble(f"{where}: rule {name} refers to {other}, which does not exist: {instead}"))
    enforcer.set_rules(overrides, overwrite=True, use_conf=False)
    enforcer.rules.default_rule = options.policy_default_rule
    enforcer.load_rules()
    for rule in enforcer.registered_rules.values():
        if rule.name not in overrides:
            enforcer.rules[rule.name] = (
                rule.check if rule.deprecated_rule is None else enforcer._handle_deprecated_rule(rule)
            )
    for name in places:
        if enforcer._cycle_check(enforcer.rules[name]):
            raise BadPolicy(f"{places[name]}: rule {name} refers to itself")
    return enforcer, troubles


def _enforcer(options: OsloPolicySection) -> policy.Enforcer:
    """The library's enforcer with the default rules and without files."""
    conf = cfg.ConfigOpts()
    conf([], default_config_files=[], default_config_dirs=[])
    enforcer = policy.Enforcer(conf, use_conf=False)
    for name in (
        "enforce_new_defaults", "policy_default_rule", "remote_content_type", "remote_ssl_verify_server_crt",
        "remote_ssl_ca_crt_file", "remote_ssl_client_crt_file", "remote_ssl_client_key_file", "remote_timeout",
    ):  # fmt: skip
        conf.set_override(name, getattr(options, name), group="oslo_policy")
    enforcer.suppress_deprecation_warnings = True
    enforcer.suppress_default_change_warnings = True
    for rule in RULES:
        former = None
        if rule.deprecated is not None:
            former = policy.DeprecatedRule(
                rule.name, rule.deprecated, deprecated_reason="renewed", deprecated_since="2023"
            )
        enforcer.register_default(
            policy.RuleDefault(
                rule.name, rule.check, scope_types=list(rule.scopes) if rule.scopes else None, deprecated_rule=former
            )
        )
    return enforcer


def _always(target: Values, creds: Values) -> bool:
    return True


def _never(target: Values, creds: Values) -> bool:
    return False


def _all(parts: tuple[Decision, ...]) -> Decision:
    if len(parts) == 2:
        first, second = parts
        return lambda target, creds: first(target, creds) and second(target, creds)
    return lambda target, creds: all(part(target, creds) for part in parts)


def _any(parts: tuple[Decision, ...]) -> Decision:
    if len(parts) == 2:
        first, second = parts
        return lambda target, creds: first(target, creds) or second(target, creds)
    return lambda target, creds: any(part(target, creds) for part in parts)


def _filler(match: str) -> Callable[[Values], str | None]:
    """The text of a check filled in from the target; None when a value is missing or None."""
    if "%" not in match:
        return lambda target: match
    keys = PLACEHOLDER.findall(match)

    def fill(target: Values) -> str | None:
        for key in keys:
            if target.get(key) is None:
                return None
        return match % target

    return fill


def _role(match: str) -> Decision:
    fill = _filler(match)

    def decide(target: Values, creds: Values) -> bool:
        wanted = fill(target)
        return wanted is not None and wanted.lower() in [role.lower() for role in creds.get("roles", ())]

    return decide


def _generic(kind: str, match: str) -> Decision:
    """``kind:match``: a credential (or a literal) compared with the filled text; lists match when one member does."""
    try:
        literal = str(ast.literal_eval(kind))
    except (ValueError, SyntaxError):
        return _credential(kind.split("."), match)

    def decide(target: Values, creds: Values) -> bool:
        try:
            return match % target == literal
        except KeyError:
            return False

    return decide


def _credential(path: list[str], match: str) -> Decision:
    key = path[0]
    inner = path[1:]
    fill = _filler(match)

    def decide(target: Values, creds: Values) -> bool:
        filled, value = fill(target), creds.get(key)
        if filled is None or value is None:
            return False
        if not inner and not isinstance(value, list):
            return filled == str(value)
        return _within(value, inner, filled)

    return decide


def _within(value: Any, path: list[str], wanted: str) -> bool:
    if isinstance(value, list):
        return any(_within(one, path, wanted) for one in value)
    if not path:
        return value is not None and wanted == str(value)
    return isinstance(value, Mapping) and path[0] in value and _within(value[path[0]], path[1:], wanted)


def _scope(creds: Values) -> str:
    if creds.get("system_scope"):
        return "system"
    return "domain" if creds.get("domain_id") else "project"
