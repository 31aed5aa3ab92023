"""``manila-status``: the table that deployment tools read, and its exit status."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

from cli import status

FIRST = """\
+-------------------------------------------+
| Upgrade Check Results                     |
+-------------------------------------------+
| Check: Policy File JSON to YAML Migration |
| Result: Success                           |
| Details: None                             |
+-------------------------------------------+
"""
"""What the original prints; the rows below are of ours."""
OURS = (
    "Policy Files Can Be Read",
    "Drivers Of Enabled Back Ends",
    "Database Is PostgreSQL",
    "NFS-Ganesha Of Embedded Back Ends",
)
GOOD = FIRST + "".join(
    f"| {f'Check: {name}':<41} |\n| Result: Success                           |\n"
    f"| Details: None                             |\n+{'-' * 43}+\n"
    for name in OURS
)
CONF = """\
[DEFAULT]
enabled_share_backends = k
[oslo_policy]
policy_file = {folder}/policy.file
[database]
connection = postgresql://u:p@db/manila
[k]
share_driver = dummy
driver_handles_share_servers = False
"""


@pytest.fixture
def run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    file = tmp_path / "manila.conf"
    file.write_text(CONF.format(folder=tmp_path))

    def call(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["manila-status", "--config-file", str(file), *arguments])
        return status.main(), capsys.readouterr().out

    return call


def test_no_policy_file_or_yaml_is_good(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    assert run("upgrade", "check") == (0, GOOD)
    (tmp_path / "policy.file").write_text('"share:create": "@"\n')
    assert run("upgrade", "check") == (0, GOOD)


def test_a_json_policy_file_fails(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "policy.file").write_text('{"share:create": "@"}')
    code, out = run("upgrade", "check")
    assert code == 2
    assert "| Result: Failure" in out
    assert len({len(line) for line in out.splitlines()}) == 1
    code, out = run("upgrade", "check", "--json")
    assert json.loads(out)["checks"][0]["result"] == 2


def test_what_can_not_be_read_is_no_result(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "manila.conf").write_text("[DEFAULT]\nosapi_max_limit = many\n")
    code, out = run("upgrade", "check")
    assert code == 255
    assert out.startswith("Error:\n")


NO_ROOT = "share_driver = ganesha\ndriver_handles_share_servers = True\nganesha_root = {folder}/none"
WRONG = {
    "no Ganesha": (4, 2, "manila.conf", CONF.replace("share_driver = dummy", NO_ROOT), "holds no NFS-Ganesha"),
    "a rule that can't be understood": (1, 2, "policy.file", '"share:create": "role"\n', "can't be understood"),
    "a rule without a name here": (1, 1, "policy.file", '"share_type:nonexistent": "@"\n', "share_type:nonexistent"),
    "no policies": (1, 2, "policy.file", "- a\n", "rules are a mapping"),
    "an unknown driver": (2, 2, "manila.conf", CONF.replace("dummy", "nonsense"), "[k] the driver nonsense is not"),
    "a database of another kind": (
        3, 2, "manila.conf", CONF.replace("postgresql:", "mysql+pymysql:"), "only PostgreSQL can be used",
    ),
    "no database": (3, 2, "manila.conf", CONF.replace("connection", "#"), "connection is not set"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_would_stop_or_mislead_a_start_is_a_row(run, tmp_path: pathlib.Path, what: str) -> None:  # type: ignore[no-untyped-def]
    row, expected, file, text, message = WRONG[what]
    (tmp_path / file).write_text(text.format(folder=tmp_path))
    code, out = run("upgrade", "check", "--json")
    checks = json.loads(out)["checks"]
    assert [one["check"] for one in checks[1:]] == list(OURS)
    assert [one["result"] for one in checks] == [expected if at == row else 0 for at in range(5)]
    assert code == expected
    assert message in checks[row]["details"]
    assert ":p@" not in out
    code, out = run("upgrade", "check")
    assert code == expected
    assert len({len(line) for line in out.splitlines()}) == 1
