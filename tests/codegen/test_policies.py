"""Every rule for eight personas, as people read it in reviews; ``UPDATE_GOLDENS=1`` rewrites the text.

The text is made by oslo.policy from the generated defaults; the service's compiled decisions have to agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from oslo_config import cfg
from oslo_policy import policy

from generated.policies import RULES
from services.policy import Policy

GOLDEN = Path(__file__).parent.parent / "goldens" / "policies.txt"
OWN, OTHER = "p" * 32, "q" * 32


def creds(*roles: str, **values: Any) -> dict[str, Any]:
    """Credentials as the shell makes them of a token for project ``OWN``."""
    base: dict[str, Any] = {
        "user_id": "u1",
        "project_id": OWN,
        "roles": list(roles),
        "domain_id": None,
        "system_scope": None,
        "user_domain_id": "default",
        "project_domain_id": "default",
        "is_admin_project": True,
        "is_admin": "admin" in roles,
    }
    return base | values


PERSONAS: dict[str, dict[str, Any]] = {
    "admin": creds("admin", "manager", "member", "reader"),
    "manager": creds("manager", "member", "reader"),
    "member": creds("member", "reader"),
    "reader": creds("reader"),
    "service": creds("service"),
    "roleless": creds(),
    "system": creds("admin", "member", "reader", project_id=None, system_scope="all"),
    "domain": creds("admin", "member", "reader", project_id=None, domain_id="default"),
}
TARGETS: dict[str, dict[str, Any]] = {
    "o": {"project_id": OWN, "user_id": "u1"},
    "f": {"project_id": OTHER, "user_id": "u2"},
    "n": {},
}
LEGEND = """Who may do what: one column a persona, one letter a target: o own, f foreign, n none; a dot is a refusal.
"""
Decide = Callable[[str, Mapping[str, Any], Mapping[str, Any]], bool]


def library() -> Decide:
    """Decisions of oslo.policy itself."""
    conf = cfg.ConfigOpts()
    conf([], default_config_files=[], default_config_dirs=[])
    enforcer = policy.Enforcer(conf, policy_file="absent.yaml", use_conf=True)
    enforcer.suppress_deprecation_warnings = True
    for rule in RULES:
        scopes = list(rule.scopes) if rule.scopes else None
        enforcer.register_default(policy.RuleDefault(rule.name, rule.check, scope_types=scopes))
    enforcer.load_rules()
    return lambda rule, target, who: bool(enforcer.enforce(rule, dict(target), dict(who), do_raise=False))


def table(decide: Decide) -> str:
    """The text of all decisions."""
    lines = [LEGEND, f"{'':<62}" + "".join(f"{name:<10}" for name in PERSONAS).rstrip()]
    for rule in RULES:
        cells = (
            "".join(letter if decide(rule.name, target, who) else "." for letter, target in TARGETS.items())
            for who in PERSONAS.values()
        )
        lines.append(f"{rule.name:<62}" + "".join(f"{cell:<10}" for cell in cells).rstrip())
    return "\n".join(lines) + "\n"


def test_the_librarys_decisions_are_those_that_were_read_and_approved() -> None:
    found = table(library())
    if os.environ.get("UPDATE_GOLDENS"):
        GOLDEN.write_text(found)
    assert GOLDEN.read_text() == found
    assert len(found.splitlines()) == len(RULES) + 3
    assert "ofn" in found


def test_the_services_decisions_are_the_librarys() -> None:
    assert table(Policy().decide) == table(library())
