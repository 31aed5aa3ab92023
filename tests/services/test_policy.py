"""Compiled decisions against the library's: defaults, and an override file with every kind of check."""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Mapping
from typing import Any

import oslo_policy.policy
import pytest
from oslo_config import cfg

from generated.policies import RULES
from generated.settings import OsloPolicySection, Settings
from services import policy as module
from services.policy import BadPolicy, Policy

OVERRIDES = """\
# every kind of check
"share:create": "@"
"share:delete": "!"
"share:get": ""
"share:get_all": "role:member and not role:banned"
"share:update": "(role:admin or role:Manager) and project_id:%(project_id)s"
"share:extend": "rule:helper or user_id:%(user_id)s"
"share:shrink": "'shared':%(kind)s"
"share:list_by_host": "True:%(public)s"
"share:access_get": "role:%(wanted_role)s"
"share:access_get_all": "is_admin:True"
"share:force_delete": "groups.names:%(group)s"
"share:reset_status": "system_scope:all or domain_id:default"
"share:soft_delete": [["role:reader", "project_id:%(project_id)s"], ["role:service"]]
"share:restore": "not (role:reader or not role:member)"
"share:migration_start": "not rule:helper"
"helper": "role:helper"
"""


def persona(*roles: str, **more: Any) -> dict[str, Any]:
    return {
        "user_id": "u1", "project_id": "p1", "roles": list(roles), "domain_id": None, "system_scope": None,
        "is_admin": "admin" in roles, "service_roles": [], **more,
    }  # fmt: skip


PERSONAS = [
    persona(),
    persona("reader"),
    persona("member", "reader"),
    persona("Member"),
    persona("manager", "member", "reader"),
    persona("admin", "manager", "member", "reader"),
    persona("ADMIN"),
    persona("service"),
    persona("helper"),
    persona("member", "banned"),
    persona("member", groups=[{"names": ["g1", "g2"]}, {"names": ["g3"]}]),
    persona("member", groups={"names": "g1"}),
    persona("member", groups={}),
    persona("admin", system_scope="all", project_id=None),
    persona("reader", system_scope="all", project_id=None),
    persona("admin", domain_id="default", project_id=None),
]
TARGETS: list[Mapping[str, Any]] = [
    {"project_id": "p1", "user_id": "u1"},
    {"project_id": "p2", "user_id": "u2"},
    {"project_id": "p1", "user_id": "u2", "kind": "shared", "public": True, "wanted_role": "Member", "group": "g2"},
    {"project_id": None, "user_id": None, "kind": "other", "public": "x", "wanted_role": "admin", "group": "g3"},
    {},
]


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def compare(policy: Policy) -> int:
    """Every rule for every persona and target. The library's scope refusals count as no.

    To the library None equals None; here what is None is as if it were not there.
    """
    compared = 0
    for rule in [*policy.enforcer.rules, "no:such:rule"]:
        for creds in PERSONAS:
            for target in TARGETS:
                expected = bool(policy.enforcer.enforce(rule, present(target), present(creds), do_raise=False))
                assert policy.decide(rule, target, creds) is expected, (rule, creds, target)
                compared += 1
    return compared


def with_file(file: pathlib.Path, **options: Any) -> Policy:
    return Policy(Settings(oslo_policy=OsloPolicySection(policy_file=str(file), **options)))


def test_defaults_decide_as_the_library() -> None:
    assert compare(Policy()) == (len(RULES) + 1) * len(PERSONAS) * len(TARGETS)


NOBODYS: Mapping[str, Any] = {"project_id": None, "user_id": None, "wanted_role": None, "group": None}


@pytest.mark.parametrize(
    "check",
    [
        "project_id:%(project_id)s",
        "user_id:%(user_id)s and project_id:%(project_id)s",
        "role:member and project_id:%(project_id)s",
        "rule:default",
        "rule:admin_or_owner",
        "rule:owner",
        "project_id:None",
        "groups.names:%(group)s",
        "groups:%(group)s",
        "role:%(wanted_role)s",
    ],
)
def test_what_is_none_equals_nothing(tmp_path: pathlib.Path, check: str) -> None:
    file = tmp_path / "policy.yaml"
    owner = '"owner": "project_id:%(project_id)s"\n' if check == "rule:owner" else ""
    file.write_text(f'"share:get": "{check}"\n{owner}')
    policy = with_file(file)
    nobody = persona("member", "none", project_id=None, user_id=None, groups=[{"names": [None]}, None])
    assert not policy.decide("share:get", NOBODYS, nobody)
    named = persona("member", "none", project_id="None", user_id="None", groups="None")
    if "%" in check:
        assert not policy.decide("share:get", NOBODYS, named)


def test_overrides_decide_as_the_library(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(OVERRIDES)
    policy = with_file(file)
    assert compare(policy) > 18_000
    member = persona("member", "reader")
    assert policy.decide("share:create", {}, persona())
    assert not policy.decide("share:delete", TARGETS[0], persona("admin"))
    assert policy.decide("share:shrink", {"kind": "shared"}, member)


def test_the_former_defaults_can_be_kept(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("{}")
    policy = with_file(file, enforce_new_defaults=False)
    compare(policy)
    assert policy.decide("availability_zone:index", TARGETS[0], persona("visitor"))
    assert not Policy().decide("availability_zone:index", TARGETS[0], persona("visitor"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"share:create": "@"\nbad: [', ":2: "),
        ('# one\n"share:create": "rule:share:create"\n', ":2: rule share:create refers to itself"),
        ('"share:create": 5\n', ":1: rule share:create is no text"),
        ("- a\n", ":1: rules are a mapping"),
    ],
)
def test_a_bad_file_is_told_with_its_line(tmp_path: pathlib.Path, text: str, message: str) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    with pytest.raises(BadPolicy) as caught:
        with_file(file)
    assert str(caught.value).startswith(f"{file}:")
    assert message in str(caught.value)


# rule share:create afterwards: whether an administrator, a member of the project and a visitor may
TOLERATED: dict[str, tuple[str, str, str, tuple[bool, bool, bool]]] = {
    "an unknown name": (
        '"share:create": "@"\n"share:crate": "!"\n',
        "warning",
        ":2: no rule is named share:crate: it has no effect",
        (True, True, True),
    ),
    "no check": ('"share:create": "role"\n', "error", ":1: rule share:create can't be understood", (False,) * 3),
    "half a check": (
        '"share:create": "role:admin and"\n',
        "error",
        ":1: rule share:create can't be understood",
        (False,) * 3,
    ),
    "one side of an or": (
        '"share:create": "role or role:admin"\n',
        "error",
        ":1: rule share:create can't be understood",
        (True, False, False),
    ),
    "a missing rule": (
        '"share:create": "rule:nope"\n',
        "warning",
        ":1: rule share:create refers to nope, which does not exist: rule default stands in its place",
        (True, True, True),
    ),
    "a rule twice": (
        '"share:create": "@"\n\n"share:create": "!"\n',
        "warning",
        ":3: rule share:create stands here twice: this one counts",
        (False,) * 3,
    ),
}


@pytest.mark.parametrize("mistake", TOLERATED)
def test_a_mistake_that_the_library_takes_is_told_once_and_decides_as_there(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    text, level, message, allowed = TOLERATED[mistake]
    said: list[tuple[str, str]] = []
    for name in ("warning", "error"):
        monkeypatch.setattr(module.LOG, name, lambda _, name=name, **more: said.append((name, more["what"])))
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    policy = with_file(file)
    ((told, what),) = said
    assert (told, what.startswith(f"{file}{message}")) == (level, True), what
    personas = (persona("admin"), persona("member", "reader"), persona("visitor"))
    assert tuple(policy.decide("share:create", TARGETS[0], one) for one in personas) == allowed
    library = oslo_policy.policy.Enforcer(conf_of(file), policy_file=str(file))
    for rule in RULES:
        library.register_default(oslo_policy.policy.RuleDefault(rule.name, rule.check))
    assert tuple(library.enforce("share:create", dict(TARGETS[0]), dict(one)) for one in personas) == allowed
    assert [one.text for one in module.examine(settings_of(file))] == [what]


def conf_of(file: pathlib.Path) -> cfg.ConfigOpts:
    conf = cfg.ConfigOpts()
    conf([], default_config_files=[], default_config_dirs=[str(file.parent)])
    return conf


def settings_of(file: pathlib.Path) -> Settings:
    return Settings(oslo_policy=OsloPolicySection(policy_file=str(file)))


def test_a_changed_file_takes_effect_and_a_broken_one_does_not(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    file = tmp_path / "policy.yaml"
    policy = with_file(file)
    nobody = persona()
    assert not policy.decide("share:create", TARGETS[0], nobody)
    file.write_text('"share:create": "@"\n')
    assert policy.decide("share:create", TARGETS[0], nobody)
    file.write_text('"share:create": [')
    assert policy.decide("share:create", TARGETS[0], nobody)
    os.remove(file)
    assert not policy.decide("share:create", TARGETS[0], nobody)


def test_a_folder_of_overrides_wins_over_the_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text('"share:create": "!"\n')
    (tmp_path / "policy.d").mkdir()
    (tmp_path / "policy.d" / "10.yaml").write_text('"share:create": "@"\n')
    assert with_file(file).decide("share:create", TARGETS[0], persona())


def test_a_decision_is_cheap() -> None:
    policy, creds, target = Policy(), persona("member", "reader"), TARGETS[0]
    policy.decide("share:create", target, creds)
    best = min(_time(policy, creds, target) for _ in range(5))
    assert best < 10e-6


def _time(policy: Policy, creds: dict[str, Any], target: Mapping[str, Any]) -> float:
    started = time.perf_counter()
    for _ in range(2000):
        policy.decide("share:create", target, creds)
    return (time.perf_counter() - started) / 2000


def test_scopes_count_whatever_enforce_scope_says(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(module.LOG, "warning", said.append)
    file = tmp_path / "policy.yaml"
    file.write_text("{}")
    policy = with_file(file, enforce_scope=False)
    assert "enforce_scope = false has no effect" in said[0]
    assert policy.decide("share:create", TARGETS[0], persona("admin"))
    assert not policy.decide("share:create", TARGETS[0], persona("admin", system_scope="all", project_id=None))
