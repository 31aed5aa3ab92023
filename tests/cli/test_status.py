"""``manila-status``: the table that deployment tools read, and its exit status."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

from cli import status

GOOD = """\
+-------------------------------------------+
| Upgrade Check Results                     |
+-------------------------------------------+
| Check: Policy File JSON to YAML Migration |
| Result: Success                           |
| Details: None                             |
+-------------------------------------------+
"""


@pytest.fixture
def run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    file = tmp_path / "manila.conf"
    file.write_text(f"[oslo_policy]\npolicy_file = {tmp_path}/policy.file\n")

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
