"""A copy equals its source in all that a file system shows, whatever the source is and whatever the target was."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import stat
import subprocess
import tempfile

import pytest
from hypothesis import HealthCheck, given, settings

from tests.worker.data.plans import folders
from tests.worker.data.trees import ROOT, Thing, described, make
from worker.data.contents import CHUNK
from worker.data.copying import Copy
from worker.data.trails import remove

_SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def copied(source: pathlib.Path, target: pathlib.Path) -> Copy:
    copy = Copy(str(source), str(target), verify="all")
    copy.run()
    return copy


@_SETTINGS
@given(tree=folders())
def test_a_copy_equals_its_source(tree: Thing) -> None:
    with tempfile.TemporaryDirectory() as place:
        source, target = pathlib.Path(place, "source"), pathlib.Path(place, "target")
        target.mkdir()
        make(os.fsencode(source), tree, os.fsencode(source))
        before = described(source)
        copy = copied(source, target)
        assert described(target) == before
        assert described(source) == before
        assert copy.progress.notices == []
        assert (copy.progress.done, copy.progress.percent) == (copy.progress.names + 1, 100)
        _clear(place)


@_SETTINGS
@given(tree=folders(), old=folders())
def test_a_copy_over_another_tree_leaves_what_is_not_in_the_source(tree: Thing, old: Thing) -> None:
    with tempfile.TemporaryDirectory() as place:
        source, target = pathlib.Path(place, "source"), pathlib.Path(place, "target")
        make(os.fsencode(source), tree, os.fsencode(source))
        make(os.fsencode(target), old, os.fsencode(target))
        wanted, before = described(source), described(target)
        copied(source, target)
        after = described(target)
        assert {path: after[path] for path in wanted} == wanted
        # what goes stood in the place of a thing of another kind; other names of what is replaced stay as they were
        for path in after.keys() - wanted.keys():
            assert after[path][:-2] == before[path][:-2] or stat.S_ISDIR(after[path][0])
        for path in before.keys() - after.keys():
            assert any(path.startswith(one + b"/") for one in wanted if not stat.S_ISDIR(wanted[one][0]))
        _clear(place)


def _clear(place: str) -> None:
    """What is left is removed by the product's own hand."""
    folder = os.open(place, os.O_RDONLY)
    for name in os.listdir(place):
        remove(folder, name)
    os.close(folder)


def test_a_tree_deeper_than_descriptors_and_paths_go(tmp_path: pathlib.Path) -> None:
    depth, place = 2500, os.open(tmp_path, os.O_RDONLY)
    for name in ("source", "target"):
        os.mkdir(name, dir_fd=place)
    here = os.open("source", os.O_RDONLY, dir_fd=place)
    for number in range(depth):
        os.mkdir("d", 0o755, dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
        os.close(os.open(f"f{number}", os.O_CREAT, dir_fd=here))
    os.close(here)
    open_before = len(os.listdir("/proc/self/fd"))
    copy = copied(tmp_path / "source", tmp_path / "target")
    assert copy.progress.names == 2 * depth
    here = os.open("target", os.O_RDONLY, dir_fd=place)
    for number in range(depth):
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
        assert f"f{number}" in os.listdir(here)
    os.close(here)
    for name in ("source", "target"):
        remove(place, name)
        assert not (tmp_path / name).exists()
    assert len(os.listdir("/proc/self/fd")) == open_before
    os.close(place)


def test_a_socket_of_a_server(tmp_path: pathlib.Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "target").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "source" / "s"))
    copied(tmp_path / "source", tmp_path / "target")
    assert stat.S_ISSOCK((tmp_path / "target" / "s").stat().st_mode)


@pytest.mark.skipif(not ROOT, reason="setuid files of others need root")
def test_setuid_stays_with_its_owner(tmp_path: pathlib.Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "target").mkdir()
    program = tmp_path / "source" / "program"
    program.write_bytes(b"#!")
    os.chown(program, 1000, 1000)
    os.chmod(program, 0o6755)
    # a file capability, that a new owner would take away
    os.setxattr(program, "security.capability", bytes.fromhex("0100000200040000000000000000000000000000"))
    copied(tmp_path / "source", tmp_path / "target")
    assert described(tmp_path / "target") == described(tmp_path / "source")


def test_acls_stay_and_are_not_inherited(tmp_path: pathlib.Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    for folder in (source, target):
        (folder / "sub").mkdir(parents=True)
        (folder / "sub" / "file").touch()
    if shutil.which("setfacl") is None:
        for folder, entry in ((source, 1234), (target, 4321)):
            for name in ("system.posix_acl_access", "system.posix_acl_default"):
                os.setxattr(folder / "sub", name, _acl(entry))
        os.setxattr(source / "sub" / "file", "system.posix_acl_access", _acl(77))
    else:
        subprocess.run(["setfacl", "-m", "u:1234:rwx,d:u:1234:rwx", source / "sub"], check=True)
        subprocess.run(["setfacl", "-m", "u:4321:rwx,d:u:4321:rwx", target / "sub"], check=True)
        subprocess.run(["setfacl", "-m", "u:77:r", source / "sub" / "file"], check=True)
    copied(source, target)
    assert described(target) == described(source)


def _acl(user: int) -> bytes:
    """A POSIX ACL as the kernel shows it: version 2, then tag, rights and number of each entry."""
    none = 0xFFFFFFFF
    entries = ((1, 7, none), (2, 7, user), (4, 5, none), (0x10, 7, none), (0x20, 5, none))
    packed = b"".join(
        tag.to_bytes(2, "little") + rights.to_bytes(2, "little") + number.to_bytes(4, "little")
        for tag, rights, number in entries
    )
    return (2).to_bytes(4, "little") + packed


def test_zeros_that_were_written_need_no_room(tmp_path: pathlib.Path) -> None:
    """NFS before 4.2 shows holes as zeros."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    (source / "zeros").write_bytes(bytes(20 * CHUNK) + b"end" + bytes(10 * CHUNK))
    copied(source, target)
    assert described(target) == described(source)
    assert (target / "zeros").stat().st_blocks * 512 < CHUNK
