"""Mounting by commands and by folders."""

from __future__ import annotations

import os
import pathlib
import uuid

import pytest

from db import tasks
from db.connection import Database
from generated.errors import ShareDataCopyFailed
from tests.handlers.catalogue import core_over
from worker.data import mounts, service
from worker.data.mounts import Commands, Folders, Place, mounted
from worker.data.options import completed


def place(path: pathlib.Path, mount: str = "true", unmount: str = "true", options: str = "") -> Place:
    return Place("10.0.0.1:/a b", path, mount, unmount, "nfs", options)


def test_commands_are_filled_in_word_by_word(tmp_path: pathlib.Path) -> None:
    template = "mount -vt %(proto)s %(options)s %(export)s %(path)s"
    one = place(tmp_path / "m", options="-o ro,vers=4")
    added = "nosuid,nodev,noexec,softerr,timeo=300,retrans=5"
    wanted = ["mount", "-vt", "nfs", "-o", f"ro,vers=4,{added}", "10.0.0.1:/a b", str(tmp_path / "m")]
    assert one.command(template) == wanted
    assert place(tmp_path).command("mount %(options)s x") == ["mount", "-o", added, "x"]
    with pytest.raises(ShareDataCopyFailed, match="filled in"):
        one.command("mount %(exprt)s")


@pytest.mark.parametrize(
    ("command", "proto", "given", "wanted"),
    [
        ("mount %(options)s", "nfs", "-o hard,timeo=600", "-o hard,timeo=600,nosuid,nodev,noexec"),
        ("mount %(options)s", "nfs", "-overs=4.1,soft", "-o vers=4.1,soft,nosuid,nodev,noexec"),
        ("mount %(options)s", "NFS4", "-o retrans=9", "-o retrans=9,nosuid,nodev,noexec,softerr,timeo=300"),
        ("/bin/mount %(options)s", "cifs", "-v --options=user=a,nodev", "-v -o user=a,nodev,nosuid,noexec"),
        ("mount %(options)s", "cephfs", "-o name=a -n -o nosuid", "-n -o name=a,nosuid,nodev,noexec"),
        ("sudo mount %(options)s", "nfs", "-o ro", "-o ro"),
        ("bind-share %(export)s %(path)s", "nfs", "", ""),
        ("", "nfs", "-o ro", "-o ro"),
    ],
)
def test_what_is_missing_in_options_of_mounts(command: str, proto: str, given: str, wanted: str) -> None:
    assert completed(command, proto, given) == wanted


async def test_a_mount_point_of_somebody_else_is_not_used(tmp_path: pathlib.Path) -> None:
    """Anybody on the machine can make names below /tmp, the default."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "m").symlink_to(tmp_path / "etc")
    with pytest.raises(ShareDataCopyFailed, match="somebody else"):
        await Commands().mount(place(tmp_path / "m"))
    if os.geteuid() == 0:
        (tmp_path / "theirs").mkdir()
        os.chown(tmp_path / "theirs", 1000, 1000)
        with pytest.raises(ShareDataCopyFailed, match="somebody else"):
            await Commands().mount(place(tmp_path / "theirs"))


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
async def test_nothing_of_a_tenant_runs_on_the_data_host(tmp_path: pathlib.Path) -> None:
    """Whatever the command that the operator has given."""
    (tmp_path / "export").mkdir()
    one = place(tmp_path / "m", f"mount --bind {tmp_path / 'export'} %(path)s", "umount %(path)s")
    await Commands().mount(one)
    try:
        flags = mounts._flags(one.path)
        assert flags is not None and flags >= {"nosuid", "nodev", "noexec"}
    finally:
        await Commands().unmount(one)
    assert not one.path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
async def test_what_stays_busy_is_detached(tmp_path: pathlib.Path) -> None:
    (tmp_path / "export").mkdir()
    one = place(tmp_path / "m", f"mount --bind {tmp_path / 'export'} %(path)s", "umount %(path)s")
    await Commands().mount(one)
    held = os.open(one.path, os.O_RDONLY)
    try:
        await Commands().unmount(one)
        assert not mounted(one.path) and not one.path.exists()
    finally:
        os.close(held)


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
    for way in (Commands(), Folders(tmp_path / "root")):
        with pytest.raises(ShareDataCopyFailed, match="nothing is mounted"):
            await way.check(one)
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
    monkeypatch.setattr(mounts, "mounted", lambda path: not (tmp_path / "umounted").exists())
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
