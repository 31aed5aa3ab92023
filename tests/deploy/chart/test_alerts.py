"""Every alert as Prometheus' own promtool judges it: ``alerts/NAME.yaml`` has cases in which it fires or does not.

They are in promtool's format; their ``rules.yaml`` is made here, of the rule of that name in the sample ``full``.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.deploy.chart import rendered
from tests.deploy.chart.prometheus import build

CASES = pathlib.Path(__file__).parent / "alerts"
Rule = dict[str, Any]
LIMIT = re.compile(r"\s(>|==) [\d.]+$")
BUILT = pytest.mark.skipif(
    build.built("promtool") is None, reason="promtool is not built: `python3 noxfile.py programs` builds it"
)


def groups() -> list[dict[str, Any]]:
    """The groups of the sample's PrometheusRule."""
    (one,) = [one for one in rendered.documents("full") if one["kind"] == "PrometheusRule"]
    found: list[dict[str, Any]] = one["spec"]["groups"]
    return found


def rules() -> dict[str, Rule]:
    """The rules by their alerts' names."""
    return {one["alert"]: one for group in groups() for one in group["rules"]}


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of an alert."""
    found: list[dict[str, Any]] = yaml.safe_load((CASES / f"{name}.yaml").read_text())["tests"]
    return found


def promtool(*words: str | pathlib.Path) -> tuple[bool, str]:
    """Whether promtool is content, and what it says."""
    command = [str(build.build("promtool")), *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode == 0, done.stdout + done.stderr


def run(folder: pathlib.Path, change: Callable[[Rule], None] = lambda _: None) -> dict[str, str]:
    """Run all cases on the rules after a change of each: alert -> what is wrong, of those with something wrong."""
    files = []
    for name, rule in rules().items():
        change(rule)
        place = folder / name
        place.mkdir()
        (place / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "manila", "rules": [rule]}]}))
        files.append(place / f"{name}.yaml")
        files[-1].write_text((CASES / f"{name}.yaml").read_text())
    fine, said = promtool("test", "rules", *files)
    parts = re.split(r"^Processing test file: .*?(\w+)\.yaml$", said, flags=re.MULTILINE)[1:]
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    assert found.keys() == {file.stem for file in files}, said
    wrong = {name: text for name, text in found.items() if "SUCCESS" not in text}
    assert fine == (not wrong), said
    return wrong


def test_every_alert_has_cases_in_which_it_fires_and_in_which_it_does_not() -> None:
    assert {file.stem for file in CASES.glob("*.yaml")} == rules().keys()
    for name, rule in rules().items():
        figures = set(re.findall(r"\bmanila_\w+", rule["expr"]))
        kinds = set()
        for case in cases(name):
            checks = case["alert_rule_test"]
            assert {one["alertname"] for one in checks} == {name}, case["name"]
            assert figures & {one["series"].partition("{")[0] for one in case["input_series"]}, case["name"]
            fires = any(one["exp_alerts"] for one in checks)
            assert case["name"].startswith("fires: " if fires else "silent: "), case["name"]
            if fires and "for" in rule:
                assert not checks[0]["exp_alerts"], f"{name} is not asked before its time"
            kinds.add(fires)
        assert kinds == {True, False}, name


@BUILT
@pytest.mark.parametrize("name", ["alerts.yaml", "full"])
def test_promtool_takes_the_rules(name: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "rules.yaml"
    as_written = (rendered.CHART / "files" / "alerts.yaml").read_text()
    file.write_text(as_written if name == "alerts.yaml" else yaml.safe_dump({"groups": groups()}))
    fine, said = promtool("check", "rules", "--lint=all", "--lint-fatal", file)
    assert fine, said
    assert f"{len(rules())} rules found" in said


@BUILT
def test_promtool_refuses_a_rule_that_is_wrong(tmp_path: pathlib.Path) -> None:
    whole = groups()
    whole[0]["rules"][0]["expr"] += ")"
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": whole}))
    fine, said = promtool("check", "rules", tmp_path / "rules.yaml")
    assert not fine
    assert "unexpected right parenthesis" in said


@BUILT
def test_each_alert_fires_when_it_should_and_at_no_other_time(tmp_path: pathlib.Path) -> None:
    assert run(tmp_path) == {}
    print(f"{len(rules())} alerts, {sum(len(cases(name)) for name in rules())} cases")


def _at_once(rule: Rule) -> None:
    rule.pop("for", None)


def _without_limit(rule: Rule) -> None:
    rule["expr"] = LIMIT.sub("", rule["expr"])


def _never(rule: Rule) -> None:
    rule["expr"] = f"({rule['expr']}) and on () vector(0) > 1"


def _of_all_releases(rule: Rule) -> None:
    rule["labels"].pop("release")


@BUILT
@pytest.mark.parametrize("change", [_at_once, _without_limit, _never, _of_all_releases])
def test_the_cases_notice_a_changed_rule(change: Callable[[Rule], None], tmp_path: pathlib.Path) -> None:
    some: dict[Callable[[Rule], None], set[str]] = {
        _at_once: {name for name, one in rules().items() if "for" in one},
        _without_limit: {name for name, one in rules().items() if LIMIT.search(one["expr"])},
    }
    concerned = some.get(change, set(rules()))
    assert len(concerned) > 12
    assert run(tmp_path, change).keys() == concerned
