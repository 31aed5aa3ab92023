"""The demonstration with the real command line and Ganesha; its log at DEBUG holds no token and no password."""

from __future__ import annotations

import asyncio
import pathlib
import re
import subprocess
import sys

import pytest
import yaml

from deploy.bootstrap import ROOT

SECONDS = 300


def run_demo(folder: pathlib.Path, *options: str) -> tuple[int, str]:
    """The demonstration as a user runs it: exit status and what it printed."""
    command = [sys.executable, "-m", "deploy.embedded.demo", "--folder", str(folder), "--log-level", "DEBUG", *options]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=SECONDS)
    return done.returncode, done.stdout + done.stderr


def assert_nothing_secret(folder: pathlib.Path) -> None:
    """The service's log names neither a password of the installation nor anything that looks like a token of it."""
    log = (folder / "manila.log").read_text()
    assert "DEBUG" in log.upper()
    clouds = yaml.safe_load((folder / "clouds.yaml").read_text())["clouds"]
    for cloud in clouds.values():
        assert cloud["auth"]["password"] not in log
    # the stand-in's tokens are 43 characters of URL-safe base64; hashes of them are hexadecimal
    tokens = [
        text for text in re.findall(r"(?<![\w-])[\w-]{43}(?![\w-])", log) if not re.fullmatch(r"[0-9a-f-]+", text)
    ]
    assert not tokens


@pytest.mark.datapath
async def test_two_tenants_with_one_cidr(tmp_path_factory: pytest.TempPathFactory) -> None:
    # a short path: the gateways' Unix sockets stand below it
    folder = pathlib.Path("/var/tmp/manila-demo")
    status, printed = await asyncio.to_thread(run_demo, folder)
    assert status == 0, printed
    assert "=> tenant-a wrote a file over NFSv4.1" in printed
    assert "does not reach it" in printed
    assert_nothing_secret(folder)


@pytest.mark.conformance
async def test_the_command_line_on_the_dummy_driver(tmp_path: pathlib.Path) -> None:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    status, printed = await asyncio.to_thread(run_demo, tmp_path / "m", "--dummy")
    assert status == 0, printed
    assert "=> tenant-b sees no share of tenant-a" in printed
    assert_nothing_secret(tmp_path / "m")
