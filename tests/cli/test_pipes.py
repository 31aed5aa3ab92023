"""A command whose reader has gone ends silently, like other programs: no message, no trace, whatever it prints."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys

import pytest

from cli import manage, pipes
from cli.commands.base import Command
from generated.settings import Settings


def closed(*command: str, wait: bool = False) -> tuple[int, bytes]:
    """Status and complaints of a program that writes to a pipe which nobody reads, from the start or after a byte."""
    reader, writer = os.pipe()
    if not wait:
        os.close(reader)
    child = subprocess.Popen([sys.executable, *command], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    if wait:
        os.read(reader, 1)
        os.close(reader)
    _, complaints = child.communicate(timeout=120)
    return child.returncode, complaints


@pytest.fixture
def file(tmp_path: pathlib.Path, database_url: str) -> str:
    place = tmp_path / "manila.conf"
    place.write_text(f"[DEFAULT]\nhost = h\n[database]\nconnection = {database_url}\n")
    return str(place)


ENDS = (pipes.STATUS, 0, 2)
"""What fits into the pipe before its reader goes is written as if somebody had read it; argparse hides the rest."""


@pytest.mark.parametrize("words", [["config", "list"], ["config", "sample"], ["--help"], ["db", "--help"], []])
@pytest.mark.parametrize("wait", [False, True])
def test_manage_ends_silently(file: str, words: list[str], wait: bool) -> None:
    options = ["--config-file", file] if words and words[0] != "--help" else []
    status, complaints = closed("-m", "cli.manage", *options, *words, wait=wait)
    assert (complaints, status in ENDS) == (b"", True)
    if words == ["config", "list"] and not wait:
        assert status == pipes.STATUS


@pytest.mark.parametrize("words", [["upgrade", "check"], ["upgrade", "check", "--json"], ["--help"]])
def test_status_ends_silently(file: str, words: list[str]) -> None:
    options = [] if words == ["--help"] else ["--config-file", file]
    status, complaints = closed("-m", "cli.status", *options, *words)
    assert (complaints, status in ENDS) == (b"", True)


@pytest.mark.parametrize("words", sorted(manage.COMMANDS))
def test_every_command_ends_silently(file: str, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a command prints it prints through here; one of each is run with a print for its work."""
    known = manage.COMMANDS[words]

    def speak(settings: Settings, arguments: argparse.Namespace) -> None:
        print("x" * 100_000)

    spoken = Command(known.group, known.name, known.help, speak)
    monkeypatch.setitem(manage.COMMANDS, words, spoken)
    monkeypatch.setattr(sys, "argv", ["manila-manage", "--config-file", file, *words])
    reader, writer = os.pipe()
    os.close(reader)
    forgotten: list[int] = []
    monkeypatch.setattr(pipes, "_forget", lambda *descriptors: forgotten.extend(descriptors))
    with open(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert manage.main() == pipes.STATUS
        assert forgotten[0] == writer
        os.dup2(os.open(os.devnull, os.O_WRONLY), writer)
