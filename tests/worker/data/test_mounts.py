"""Mounting by commands and by folders."""

from __future__ import annotations

import pathlib
import uuid

import pytest

from db import tasks
from db.connection import Database
from generated.errors import ShareDataCopyFailed
from tests.handlers.catalogue import core_over
from worker.data import service
from worker.data.mounts import Commands, Folders, Place, mounted


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


def test_the_kernels_list_of_mounts(tmp_path: pathlib.Path) -> None:
    assert mounted(pathlib.Path("/proc"))
    assert not mounted(tmp_path)
    assert not mounted(tmp_path / "nothing")


async def test_nothing_is_copied_where_nothing_is_mounted(tmp_path: pathlib.Path) -> None:
    one = place(tmp_path / "m")
    for mounts in (Commands(), Folders(tmp_path / "root")):
        with pytest.raises(ShareDataCopyFailed, match="nothing is mounted"):
            await mounts.check(one)
    await Folders(tmp_path / "root").mount(one)
    await Folders(tmp_path / "root").check(one)


async def test_what_a_dead_process_left_is_unmounted(
    tmp_path: pathlib.Path, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = core_over(db, mount_tmp_location=str(tmp_path), backup_mount_tmp_location=str(tmp_path / "none"))
    left, other = tmp_path / str(uuid.uuid4()), tmp_path / "somebody-elses"
    for path in (left, other):
        path.mkdir()
    monkeypatch.setattr(service, "mounted", lambda path: True)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "umount").write_text(f"#!/bin/sh\necho $1 >> {tmp_path}/umounted\n")
    (tmp_path / "bin" / "umount").chmod(0o755)
    async with db.write() as conn:
        task = await tasks.enqueue(conn, "data_backup_create", "data", {})
        await tasks.claim(conn, "somebody", ["data"], 1, 30.0)
    await service.tidy(core)
    assert left.exists()
    async with db.write() as conn:
        await conn.run("UPDATE openkeel_tasks SET lease_until = '2001-01-01' WHERE id = %s", (task,))
    await service.tidy(core)
    assert (tmp_path / "umounted").read_text().split() == [str(left)]
    assert other.exists()
    assert not left.exists()


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
