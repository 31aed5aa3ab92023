"""The demonstration with the real command line and Ganesha; its log at DEBUG holds no token and no password."""

from __future__ import annotations

import asyncio
import pathlib
import re
import signal
import subprocess
import sys

import pytest
import yaml

from deploy import bootstrap
from deploy.bootstrap import ROOT

SECONDS = 300


def run_demo(folder: pathlib.Path, *options: str) -> tuple[int, str]:
    """The demonstration as a user runs it: exit status and what it printed."""
    command = [sys.executable, "-m", "deploy.embedded.demo", "--folder", str(folder), "--log-level", "DEBUG", *options]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=SECONDS)
    return done.returncode, done.stdout + done.stderr


def keep_demo(folder: pathlib.Path, between: dict[str, str]) -> tuple[int, str]:
    """The demonstration with ``--keep`` until Ctrl-C; ``between``: tenant -> his ``openstack`` command meanwhile."""
    words = [sys.executable, "-m", "deploy.embedded.demo", "--folder", str(folder), "--dummy", "--keep"]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        printed = ""
        try:
            assert run.stdout is not None
            for line in run.stdout:
                printed += line
                if "Ctrl-C ends it." in line:
                    break
            for cloud, command in between.items():
                own = {**env, "OS_CLIENT_CONFIG_FILE": str(folder / "clouds.yaml"), "OS_CLOUD": cloud}
                program = [str(bootstrap.VENV / "bin" / "openstack"), *command.split()]
                done = subprocess.run(program, env=own, capture_output=True, text=True, timeout=SECONDS)
                assert done.returncode == 0, done.stderr
        finally:
            run.send_signal(signal.SIGINT)
            printed += run.communicate(timeout=SECONDS)[0]
        return run.returncode, printed


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


@pytest.mark.conformance
async def test_what_is_kept_ends_at_ctrl_c_whatever_was_done_with_it(tmp_path: pathlib.Path) -> None:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    commands = {
        "tenant-a": "share snapshot create docs --name before --wait",  # its share can't be deleted then
        "tenant-b": "share delete docs --wait",
    }
    status, printed = await asyncio.to_thread(keep_demo, tmp_path / "m", commands)
    assert status == 0, printed
    assert printed.count("left to the installation's end") == 3 and "Traceback" not in printed
