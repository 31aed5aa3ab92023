"""One demonstration a folder, and the shell in a tenant's machine beside it, as far as nothing has to run for that."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from deploy.embedded import claim, demo, nfs, shell

SHARE = shell.Share("10.0.0.50", "/share")
MOUNT = '#!/bin/sh\necho "$0" "$@" >> "$CALLS"\nexit "$STATUS"\n'


def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the demonstration's program says instead of beginning."""
    monkeypatch.setattr(sys, "argv", ["demo", *words])
    assert demo.main() == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_a_second_one_is_told_of_the_first(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with claim.claimed(tmp_path):
        said = told(monkeypatch, capsys, "--folder", str(tmp_path), "--dummy", "--keep")
        assert said.startswith(f"a demonstration runs on {tmp_path} already\n") and "kill" not in said
        claim.emptied(tmp_path)
        (tmp_path / "clouds.yaml").touch()
        said = told(monkeypatch, capsys, "--folder", str(tmp_path), "--dummy", "--keep")
    assert f"already, process {os.getpid()}\n" in said and f"or kill {os.getpid()}\n" in said
    assert f"OS_CLIENT_CONFIG_FILE={tmp_path}/clouds.yaml" in said
    assert (tmp_path / "clouds.yaml").exists(), "what belongs to the first one is left alone"


def test_a_folder_is_free_again_afterwards(tmp_path: pathlib.Path) -> None:
    for _ in range(2):
        with claim.claimed(tmp_path):
            assert claim.in_use(tmp_path)
            claim.emptied(tmp_path)
            (tmp_path / "database").mkdir()
        assert not claim.in_use(tmp_path)
    claim.emptied(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == [claim.PROCESS]


def test_somebody_s_own_files_are_not_removed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    said = told(monkeypatch, capsys, "--folder", str(tmp_path), "--dummy")
    assert "files of your own" in said and (tmp_path / "thesis.tex").read_text() == "years"


@pytest.mark.parametrize("words", [("shell",), ("shell", "tenant-a", "more"), ("shel", "tenant-a")])
def test_other_words_are_not_understood(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["demo", *words])
    with pytest.raises(SystemExit, match="2"):
        demo.main()


def test_why_there_is_no_shell(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--folder", str(tmp_path / "m"), "shell")
    assert "no demonstration is kept here" in told(monkeypatch, capsys, *words, "tenant-a")
    assert "the tenants are tenant-a and tenant-b" in told(monkeypatch, capsys, *words, "../tenant-a")
    with claim.claimed(tmp_path / "m"):
        monkeypatch.setattr("os.geteuid", lambda: 1000)
        assert "needs root" in told(monkeypatch, capsys, *words, "tenant-a")
        monkeypatch.setattr("os.geteuid", lambda: 0)
        assert "not that far yet, or runs on the dummy driver" in told(monkeypatch, capsys, *words, "tenant-a")
        shell.note(tmp_path / "m", "tenant-a", SHARE)
        assert "tenant-a has no machine" in told(monkeypatch, capsys, *words, "tenant-a")


@pytest.mark.parametrize("mounts", [True, False])
def test_the_share_is_mounted_where_the_kernel_can(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, mounts: bool
) -> None:
    folder, calls = tmp_path / "a folder's", tmp_path / "calls"
    for name in ("mount", "umount"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(MOUNT)
        program.chmod(0o755)
    monkeypatch.setenv("SHELL", "/bin/sh")
    words = shell.words(folder, "tenant-a", SHARE, kernel=True)
    assert words[:4] == ["unshare", "--mount", "--propagation", "slave"]
    env = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "CALLS": str(calls), "STATUS": str(int(not mounts))}
    done = subprocess.run(words[-3:], input="pwd; exit 3", env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and done.stderr == ""
    where = folder / "shell" / "tenant-a" / "docs"
    assert calls.read_text() == f"{tmp_path}/bin/mount -t nfs4 -o {shell.OPTIONS} 10.0.0.50:/share {where}\n"
    assert done.stdout.startswith("this is tenant-a's machine; its share 10.0.0.50:/share: ")
    assert (done.stdout.splitlines()[-1] == str(where)) == mounts
    assert ("nfs write NAME TEXT, nfs read NAME" in done.stdout) == (not mounts)


def test_without_a_kernel_client_there_is_a_program(tmp_path: pathlib.Path) -> None:
    words = shell.words(tmp_path, "tenant-a", SHARE, kernel=False)
    assert words[0] == "nsenter" and "mount" not in words[-1]
    program = tmp_path / "shell" / "tenant-a" / "nfs"
    done = subprocess.run([program, "write", "alone"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: nfs write NAME TEXT, nfs read NAME, nfs see\n"


def test_every_word_of_the_program_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Client:
        version = type("Version", (), {"value": "4.1"})

        def __getattr__(self, name: str) -> object:
            asked.append(name)
            raise RuntimeError(name)

        def close(self) -> None: ...

    monkeypatch.setattr(nfs, "connect", lambda address, path: Client())
    for verb, words in nfs.USES.items():
        assert nfs.perform("10.0.0.50", "/share", verb, *words.split())["ok"] is False
    assert asked == ["open", "open", "fs_stat"]
