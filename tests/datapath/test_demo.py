"""The demonstration as a user runs it, with the real command line and Ganesha, and how it ends."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import yaml

from deploy import bootstrap
from deploy.bootstrap import ROOT
from deploy.embedded import machines
from drivers.ganesha.embedded.network import NAMESPACES
from tests.lab import leftovers

HANGS = 1200
"""Seconds after which a demonstration is ended that never says what is waited for."""
PROGRAM = (sys.executable, "-m", "deploy.embedded.demo")
ENVIRONMENT = {
    "PYTHONPATH": str(ROOT),
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "PYTHONUNBUFFERED": "1",
    "SHELL": "/bin/sh",
}


class Demo:
    """A demonstration in a session of its own, as in a terminal: Ctrl-C reaches all of its group."""

    def __init__(self, folder: pathlib.Path, *options: str) -> None:
        self.folder, self.printed = folder, ""
        self.temporary = folder.with_name(f"{folder.name}-tmp")
        self.temporary.mkdir()
        words = [*PROGRAM, "--folder", str(folder), "--log-level", "DEBUG", *options]
        env = {**ENVIRONMENT, "TMPDIR": str(self.temporary)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            words, cwd=ROOT, env=env, stdout=pipe, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self._watchdog = threading.Timer(HANGS, self.press, [signal.SIGKILL])
        self._watchdog.daemon = True
        self._watchdog.start()

    def until(self, text: str) -> None:
        """Read until a line with a text was printed."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            if text in line:
                return
        raise AssertionError(f"ended without {text!r}:\n{self.printed}")

    def press(self, number: signal.Signals) -> None:
        """Send a signal to the whole group, as a terminal does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def end(self) -> tuple[int, str]:
        """Wait for the end; the exit status, and what was printed from now on."""
        assert self.process.stdout is not None
        rest = "" if self.process.stdout.closed else self.process.communicate()[0]
        self.printed += rest
        return self.process.wait(), rest

    def close(self) -> None:
        """End it whatever has happened, and remove its files."""
        self.press(signal.SIGINT)
        self.end()
        self._watchdog.cancel()
        machines.sweep(self.folder)
        shutil.rmtree(self.folder)
        shutil.rmtree(self.temporary)

    def left(self) -> dict[str, list[str]]:
        """What is still there after the end; some of it goes a moment later."""
        for _ in range(240):
            found = leftovers.below(self.folder)
            if copied(self.folder):
                found["loops"] = []
            found["namespaces"] = [one.name for one in NAMESPACES.glob(f"{machines.prefix(self.folder)}*")]
            found["temporary"] = [one.name for one in self.temporary.iterdir()]
            if not any(found.values()):
                return {}
            time.sleep(0.5)
        return {name: things for name, things in found.items() if things}

    def beside(self, *words: str, typed: str = "") -> tuple[int, str]:
        """The program a second time, with what is typed into it: exit status, and what it printed."""
        command = [*PROGRAM, "--folder", str(self.folder), *words]
        done = subprocess.run(
            command, cwd=ROOT, env=ENVIRONMENT, input=typed, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


def copied(folder: pathlib.Path) -> bool:
    """Whether a mount namespace of other programs has a copy of a mount below ``folder``, which holds the device."""
    for file in pathlib.Path("/proc").glob("[0-9]*/mountinfo"):
        with contextlib.suppress(OSError):  # a process that has ended
            if f" {folder}/" in file.read_text():
                return True
    return False


@pytest.fixture
def started() -> Iterator[Callable[..., Demo]]:
    """What starts a demonstration, which ends with the test."""
    running: list[Demo] = []

    def start(*options: str) -> Demo:
        # short, as the gateways' Unix sockets stand below it, and open to the user that PostgreSQL runs as
        running.append(Demo(pathlib.Path(f"/var/tmp/okm-demo-{os.getpid()}"), *options))
        return running[-1]

    yield start
    for one in running:
        one.close()


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


@pytest.mark.demo
def test_the_command_line_on_the_dummy_driver(started: Callable[..., Demo]) -> None:
    demo = started("--dummy")
    status, printed = demo.end()
    assert status == 0, printed
    assert "=> tenant-b sees no share of tenant-a" in printed
    assert_nothing_secret(demo.folder)
    assert demo.left() == {}


@pytest.mark.demo
def test_what_is_kept_ends_at_ctrl_c_whatever_was_done_with_it(started: Callable[..., Demo]) -> None:
    demo = started("--dummy", "--keep")
    demo.until("Ctrl-C ends it.")
    commands = {
        "tenant-a": "share snapshot create docs --name before --wait",  # its share can't be deleted then
        "tenant-b": "share delete docs --wait",
    }
    for cloud, command in commands.items():
        own = {**ENVIRONMENT, "OS_CLIENT_CONFIG_FILE": str(demo.folder / "clouds.yaml"), "OS_CLOUD": cloud}
        program = [str(bootstrap.VENV / "bin" / "openstack"), *command.split()]
        done = subprocess.run(program, env=own, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    demo.press(signal.SIGINT)
    status, printed = demo.end()
    assert status == 0, printed
    assert printed.count("left to the installation's end") == 3 and printed.count("(done)") == 1, printed
    assert "Traceback" not in printed
    assert demo.left() == {}


@pytest.mark.demo
def test_a_terminal_that_is_closed_ends_it(started: Callable[..., Demo]) -> None:
    demo = started("--dummy")
    demo.until("openstack share network create")
    demo.press(signal.SIGHUP)
    status, printed = demo.end()
    assert status == 130 and "everything is down" in printed and "Traceback" not in printed, printed
    assert demo.left() == {}


@pytest.mark.datapath
def test_two_tenants_with_one_cidr_and_shells_in_their_machines(started: Callable[..., Demo]) -> None:
    demo = started("--keep")
    demo.until("Ctrl-C ends it.")
    assert "=> tenant-a wrote a file over NFSv4.1" in demo.printed and "does not reach it" in demo.printed
    typed = "nfs read hello.txt; nfs write new.txt 'from the shell'; nfs read new.txt; ip -brief address; exit 3"
    status, said = demo.beside("shell", "tenant-a", typed=typed)
    assert status == 3, said
    assert "written over NFSv4.1" in said and '"text": "from the shell"' in said and "10.0.0.5/24" in said
    status, said = demo.beside("shell", "tenant-b", typed="nfs read hello.txt")
    assert status == 0 and '"ok": false' in said and "written over" not in said, said
    words = [*PROGRAM, "--folder", str(demo.folder), "shell", "tenant-a"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, cwd=ROOT, env=ENVIRONMENT, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as open_still:
        assert open_still.stdin is not None and open_still.stdout is not None
        open_still.stdin.write("echo ready; sleep 300\n")
        open_still.stdin.flush()
        assert any(line == "ready\n" for line in open_still.stdout)
        demo.press(signal.SIGINT)
        status, printed = demo.end()
        assert "tenant-a's machine is gone" in open_still.communicate()[1], "not ended, but by itself"
    assert status == 0, printed
    assert printed.count("(done)") == 4 and "left to" not in printed and "Traceback" not in printed, printed
    assert_nothing_secret(demo.folder)
    assert demo.left() == {}


@pytest.mark.datapath
def test_ctrl_c_while_a_tenant_writes(started: Callable[..., Demo]) -> None:
    demo = started()
    demo.until("write hello.txt")
    demo.press(signal.SIGINT)
    status, printed = demo.end()
    assert status == 130 and "everything is down" in printed and "Traceback" not in printed, printed
    assert demo.left() == {}
