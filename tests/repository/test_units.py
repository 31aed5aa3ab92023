"""The units for systemd and the commands beside them in the documentation, as systemd and the machine read them."""

from __future__ import annotations

import configparser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from deploy.bootstrap import ROOT

TEXT = (ROOT / "docs" / "operations.md").read_text()
UNITS = [one for one in re.findall(r"```ini\n(.*?)```", TEXT, re.DOTALL) if "[Service]" in one]
PROGRAM = re.compile(r"^ExecStart=(\S+/)(\S+)(.*)$", re.MULTILINE)


def test_they_start_programs_that_are_installed() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert len(UNITS) == 2
    for unit in UNITS:
        found = PROGRAM.search(unit)
        assert found and found[2] in scripts and "--config-file" in found[3]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)")
def test_systemd_understands_them(tmp_path: pathlib.Path) -> None:
    whole, differing = UNITS
    sections = configparser.ConfigParser(interpolation=None)
    sections.optionxform = str  # type: ignore[assignment, method-assign]
    for number, text in enumerate((whole, differing)):
        sections.read_string(PROGRAM.sub(f"ExecStart={sys.executable}", text))
        unit = tmp_path / f"manila-{number}.service"
        with unit.open("w") as file:
            sections.write(file, space_around_delimiters=False)
        done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
        complaints = [line for line in done.stderr.splitlines() if unit.name in line]
        assert done.returncode == 0 and complaints == [], done.stderr


@pytest.mark.skipif(shutil.which("useradd") is None, reason="needs useradd (Debian: passwd)")
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: useradd changes the owner of what it writes")
def test_the_user_is_made(tmp_path: pathlib.Path) -> None:
    (command,) = re.findall(r"`useradd ([^`]+)`", TEXT)
    etc = tmp_path / "etc"
    etc.mkdir()
    for name in ("passwd", "group", "shadow", "gshadow"):
        (etc / name).write_text("")
    subprocess.run(["useradd", "--prefix", str(tmp_path), *command.split()], check=True)
    name, _, uid, _, _, home, shell = (etc / "passwd").read_text().strip().split(":")
    assert (name, home, shell) == ("manila", "/var/lib/manila", "/usr/sbin/nologin")
    assert int(uid) < 1000 and not (tmp_path / "var").exists()
