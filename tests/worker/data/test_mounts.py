"""Mounting by commands and by folders."""

from __future__ import annotations

import pathlib

import pytest

from generated.errors import ShareDataCopyFailed
from worker.data.mounts import Commands, Folders, Place


def place(path: pathlib.Path, mount: str = "true", unmount: str = "true", options: str = "") -> Place:
    return Place("10.0.0.1:/a b", path, mount, unmount, "nfs", options)


def test_commands_are_filled_in_word_by_word(tmp_path: pathlib.Path) -> None:
    template = "mount -vt %(proto)s %(options)s %(export)s %(path)s"
    one = place(tmp_path / "m", options="-o ro,vers=4")
    assert one.command(template) == ["mount", "-vt", "nfs", "-o", "ro,vers=4", "10.0.0.1:/a b", str(tmp_path / "m")]
    assert place(tmp_path).command("mount %(options)s x") == ["mount", "x"]
    with pytest.raises(ShareDataCopyFailed, match="filled in"):
        one.command("mount %(exprt)s")


async def test_a_command_that_fails_leaves_no_mount_point(tmp_path: pathlib.Path) -> None:
    point = tmp_path / "m"
    with pytest.raises(ShareDataCopyFailed, match="ls ended with status"):
        await Commands().mount(place(point, "ls /nothing-of-the-kind"))
    assert not point.exists()
    with pytest.raises(ShareDataCopyFailed, match="no-such-program"):
        await Commands().mount(place(point, "no-such-program %(path)s"))


async def test_the_mount_point_is_made_and_removed(tmp_path: pathlib.Path) -> None:
    point, commands = tmp_path / "deep" / "m", Commands()
    await commands.mount(place(point))
    assert point.is_dir()
    await commands.unmount(place(point))
    await commands.unmount(place(point))
    assert not point.exists()


async def test_what_is_not_mounted_is_not_emptied(tmp_path: pathlib.Path) -> None:
    point = tmp_path / "m"
    point.mkdir()
    (point / "file").touch()
    with pytest.raises(ShareDataCopyFailed, match="cannot be removed"):
        await Commands().unmount(place(point))
    assert (point / "file").exists()


async def test_folders_stand_for_exports(tmp_path: pathlib.Path) -> None:
    folders, one = Folders(tmp_path / "root"), place(tmp_path / "points" / "m")
    await folders.mount(one)
    (one.path / "file").write_text("kept")
    await folders.mount(one)
    await folders.unmount(one)
    await folders.unmount(one)
    assert not one.path.is_symlink()
    assert (folders.folder(one.export) / "file").read_text() == "kept"
    assert folders.folder("../../x").parent == tmp_path / "root"
