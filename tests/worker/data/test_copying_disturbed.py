"""Copies while somebody else works in the trees, without room, after a death, and with a target that lies."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from generated.errors import ShareDataCopyFailed
from tests.worker.data.trees import ROOT, described
from worker.data import attributes, contents
from worker.data.contents import CHUNK
from worker.data.copying import BESIDE, Copy
from worker.data.progress import MOST_NOTICES


@pytest.fixture
def source(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "source"
    made.mkdir()
    return made


@pytest.fixture
def target(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "target"
    made.mkdir()
    return made


class Meanwhile:
    """Does something in the middle of a copy: when a system call comes that a test names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def before(self, call: str, do: Callable[[], object], times: int = 1, when: object = None) -> None:
        """Before the first ``times`` calls, or those with ``when`` as an argument."""
        real, left = getattr(os, call), [times]

        def called(*arguments: Any, **more: Any) -> Any:
            if left[0] and (when is None or when in arguments):
                left[0] -= 1
                do()
            return real(*arguments, **more)

        self._patch.setattr(os, call, called)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    return Meanwhile(monkeypatch)


def copied(source: pathlib.Path, target: pathlib.Path) -> Copy:
    copy = Copy(str(source), str(target), verify="all")
    copy.run()
    return copy


def beside(target: pathlib.Path) -> list[pathlib.Path]:
    return [one for one in target.rglob("*") if one.name.startswith(BESIDE)]


# ---- the source changes


def test_a_file_that_grows_is_as_it_was_and_is_named(
    source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile
) -> None:
    (source / "log").write_bytes(b"x" * 3 * CHUNK)

    def grow() -> None:
        with (source / "log").open("ab") as file:
            file.write(b"y" * CHUNK)

    meanwhile.before("pwrite", grow, times=2)
    copy = copied(source, target)
    assert (target / "log").read_bytes() == b"x" * 3 * CHUNK
    assert (copy.progress.changed, copy.progress.notices) == (1, ["log changed while it was copied"])


def test_a_file_that_shrinks_is_as_short(source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile) -> None:
    (source / "log").write_bytes(b"x" * 3 * CHUNK)
    meanwhile.before("pwrite", lambda: os.truncate(source / "log", CHUNK + 3))
    copy = copied(source, target)
    assert (target / "log").read_bytes() == b"x" * (CHUNK + 3)
    assert (copy.progress.changed, copy.progress.percent) == (1, 100)


def test_a_file_that_is_replaced_while_it_is_read(
    source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile
) -> None:
    (source / "f").write_bytes(b"x" * 3 * CHUNK)
    (source / "new").write_text("new")
    meanwhile.before("pwrite", lambda: os.replace(source / "new", source / "f"))
    copy = copied(source, target)
    assert (target / "f").read_bytes() == b"x" * 3 * CHUNK
    assert copy.progress.changed == 1
    # it was counted and is gone: no reason to fail
    assert not (target / "new").exists()
    assert copy.progress.left_out == 1


def test_what_goes_before_it_is_reached(source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile) -> None:
    for name in ("a", "b"):
        (source / name).write_text(name)
    (source / "c" / "below").mkdir(parents=True)

    def go() -> None:
        os.unlink(source / "b")
        os.rename(source / "c", source / "d")

    meanwhile.before("pwrite", go)
    copy = copied(source, target)
    assert sorted(os.listdir(target)) == ["a"]
    assert copy.progress.left_out == 2


@pytest.mark.parametrize("what", ["symlink", "pipe", "folder", "nothing"])
def test_a_file_that_becomes_another_thing(
    what: str, source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path, meanwhile: Meanwhile
) -> None:
    """Between the look and the opening: no link is followed, no pipe waited for."""
    (tmp_path / "secret").write_text("of the host")
    (source / "f").write_text("mine")

    def swap() -> None:
        os.unlink(source / "f")
        {
            "symlink": lambda: os.symlink(tmp_path / "secret", source / "f"),
            "pipe": lambda: os.mkfifo(source / "f"),
            "folder": lambda: os.mkdir(source / "f"),
            "nothing": lambda: None,
        }[what]()

    meanwhile.before("open", swap, when="f")
    copied(source, target)
    assert os.path.lexists(target / "f") == (what != "nothing")
    if what != "nothing":
        assert (target / "f").lstat().st_mode == (source / "f").lstat().st_mode


def test_a_folder_that_is_moved_while_its_files_are_copied(
    source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile
) -> None:
    deep = source / "top"
    for _ in range(40):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "f").write_text("deep")
    (source / "zz").write_text("after")
    meanwhile.before("pwrite", lambda: os.rename(source / "top", source / "moved"))
    copy = copied(source, target)
    assert (target / "zz").read_text() == "after"
    assert next(target.joinpath("top").rglob("f")).read_text() == "deep"
    assert copy.progress.percent == 100


def test_a_share_that_is_gone_is_no_empty_backup(
    source: pathlib.Path, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An NFS server answers ESTALE for all files of a share that was deleted: they are not "left out"."""
    for number in range(5):
        (source / f"f{number}").write_text("x")
    real, gone = os.stat, [False]

    def stat(path: Any, **more: Any) -> os.stat_result:
        if gone[0]:
            raise OSError(116, os.strerror(116), path)
        gone[0] = path == "f2" and real(path, **more) is not None and bool(list(target.iterdir()))
        return real(path, **more)

    monkeypatch.setattr(os, "stat", stat)
    with pytest.raises(ShareDataCopyFailed, match="gone"):
        copied(source, target)


def test_notices_are_few(source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile) -> None:
    for number in range(100):
        (source / f"{number:03}").write_text("x")

    def clear() -> None:
        for one in source.iterdir():
            one.unlink()

    meanwhile.before("pwrite", clear)
    copy = copied(source, target)
    assert len(copy.progress.notices) == MOST_NOTICES
    assert copy.progress.left_out == 99


# ---- the target changes


def test_what_is_planted_at_the_target_while_it_is_copied(
    source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is not whole yet becomes a link out of the share: neither owner nor mode nor time of that changes."""
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    secret.chmod(0o600)
    before = described(tmp_path / "secret")
    os.mkfifo(source / "pipe")
    os.chmod(source / "pipe", 0o777)
    real, planted = os.mknod, [0]

    def mknod(name: str, *arguments: Any, dir_fd: int) -> None:
        real(name, *arguments, dir_fd=dir_fd)
        if planted[0] < 2:
            planted[0] += 1
            os.unlink(name, dir_fd=dir_fd)
            os.symlink(secret, name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mknod", mknod)
    copied(source, target)
    assert described(tmp_path / "secret") == before
    assert (target / "pipe").lstat().st_mode == (source / "pipe").lstat().st_mode
    assert planted == [2]


def test_somebody_who_goes_on_replacing_ends_the_copy(
    source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile
) -> None:
    (source / "f").write_text("x")

    def remove() -> None:
        for one in beside(target):
            one.unlink()

    meanwhile.before("rename", remove, times=100)
    with pytest.raises(ShareDataCopyFailed, match="somebody goes on replacing it at the target"):
        copied(source, target)


def test_a_folder_of_the_target_that_is_removed(
    source: pathlib.Path, target: pathlib.Path, meanwhile: Meanwhile
) -> None:
    (source / "d").mkdir()
    (source / "d" / "f").write_text("x")
    meanwhile.before("open", lambda: (target / "d").rmdir(), when="f")
    with pytest.raises(ShareDataCopyFailed, match="d/f: somebody removed the folder at the target"):
        copied(source, target)


def test_a_folder_of_the_target_becomes_a_link(
    source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path, meanwhile: Meanwhile
) -> None:
    (tmp_path / "host").mkdir()
    (source / "d").mkdir()
    (source / "d" / "f").write_text("x")

    def swap() -> None:
        with contextlib.suppress(FileNotFoundError):
            (target / "d").rmdir()
            (target / "d").symlink_to(tmp_path / "host")

    meanwhile.before("open", swap, times=2, when="d")
    copied(source, target)
    assert list((tmp_path / "host").iterdir()) == []
    assert (target / "d" / "f").read_text() == "x"


@pytest.fixture
def torn(source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path) -> Iterator[list[str]]:
    """Somebody who renames, links and removes in both trees without a pause."""
    ended, seen = threading.Event(), list[str]()
    (tmp_path / "canary").write_text("alive")

    def tear() -> None:
        dice = random.Random(7)
        while not ended.is_set():
            place = dice.choice((source, target))
            one, other = place / f"{dice.randrange(4)}", place / f"{dice.randrange(4)}" / f"{dice.randrange(4)}"
            deeds: list[tuple[Callable[..., object], tuple[object, ...]]] = [
                (one.mkdir, ()), (one.unlink, ()), (one.rmdir, ()), (other.unlink, ()), (other.mkdir, ()),
                (one.rename, (other,)), (other.rename, (one,)), (one.symlink_to, (tmp_path,)),
                (other.symlink_to, (tmp_path / "canary",)), (os.link, (one, other)), (_write, (other,)),
            ]  # fmt: skip
            deed, arguments = dice.choice(deeds)
            with contextlib.suppress(OSError):
                deed(*arguments)
                seen.append("done")

    thread = threading.Thread(target=tear)
    thread.start()
    yield seen
    ended.set()
    thread.join()


def _write(place: pathlib.Path) -> None:
    with open(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "w") as file:
        file.write("x" * 5000)


def test_trees_that_are_torn(source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path, torn: Any) -> None:
    ends = []
    while len(torn) < 6_000:
        copy = Copy(str(source), str(target), verify="all")
        try:
            copy.run()
            ends.append("")
        except ShareDataCopyFailed as error:
            ends.append(str(error))
    assert "" in ends
    assert all(one == "" or "somebody" in one or "moved" in one or "gone" in one for one in ends), set(ends)
    assert (tmp_path / "canary").read_text() == "alive"
    assert (tmp_path / "canary").stat().st_nlink == 1


# ---- death, room, lies

KILL = """
import os, signal, sys
from worker.data.copying import Copy
call, left = sys.argv[3], int(sys.argv[4])
real = getattr(os, call)
def called(*arguments, **more):
    global left
    left -= 1
    if left < 0: os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **more)
setattr(os, call, called)
Copy(sys.argv[1], sys.argv[2], verify="all", mark="b1").run()
"""


@pytest.mark.parametrize(("call", "number"), [("pwrite", 0), ("rename", 2), ("fchmod", 3), ("mkdir", 1), ("utime", 6)])
def test_a_copy_that_was_killed_is_done_again(
    call: str, number: int, source: pathlib.Path, target: pathlib.Path
) -> None:
    for name in ("a", "b", "d/c", "d/e/f"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(os.urandom(1000))
    os.link(source / "a", source / "d" / "link")
    (source / "d").chmod(0o750)
    source.chmod(0o711)
    (target / "a").write_text("before")
    os.link(target / "a", target / "own")
    (target / f"{BESIDE}of-the-tenant").write_text("stays")
    command = [sys.executable, "-c", KILL, str(source), str(target), call, str(number)]
    assert subprocess.run(command, check=False, timeout=60).returncode == -9
    assert described(target) != described(source)
    Copy(str(source), str(target), verify="all", mark="b1").run()
    assert (target / "own").read_text() == "before"
    (target / "own").unlink()
    assert beside(target) == [target / f"{BESIDE}of-the-tenant"]
    beside(target)[0].unlink()
    after, wanted = described(target), described(source)
    # its time is that of the removals just now
    assert after.pop(b"")[:3] == wanted.pop(b"")[:3]
    assert after == wanted


@pytest.mark.skipif(not ROOT, reason="a file system of a known size needs root")
def test_a_full_target(source: pathlib.Path, target: pathlib.Path) -> None:
    (source / "a").write_text("small")
    (source / "b").write_bytes(os.urandom(5 * CHUNK))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", target], check=True)
    try:
        copy = Copy(str(source), str(target), verify="all")
        with pytest.raises(ShareDataCopyFailed, match="b: the target is full"):
            copy.run()
        assert os.listdir(target) == ["a"]
        assert (copy.progress.completed, copy.progress.percent < 100) == (False, True)
    finally:
        subprocess.run(["umount", target], check=True)


@pytest.mark.parametrize("verify", ["none", "sample", "all"])
def test_a_target_that_keeps_other_bytes(
    verify: contents.Verify, source: pathlib.Path, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The original of such a target answered reads with zeros. A sample finds it among many files."""
    for number in range(300):
        (source / str(number)).write_text("x" * number)
    real = os.pwrite

    def lying(descriptor: int, data: bytes, offset: int) -> int:
        return real(descriptor, b"X" * len(data), offset)

    monkeypatch.setattr(os, "pwrite", lying)
    copy = Copy(str(source), str(target), verify=verify)
    if verify == "none":
        copy.run()
        return
    with pytest.raises(ShareDataCopyFailed, match="is not what was written"):
        copy.run()
    assert beside(target) == []


def test_one_lie_is_mended(source: pathlib.Path, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source / "f").write_text("right")
    real, lies = os.pwrite, [1]

    def lying(descriptor: int, data: bytes, offset: int) -> int:
        lies[0] -= 1
        return real(descriptor, b"X" * len(data) if lies[0] >= 0 else data, offset)

    monkeypatch.setattr(os, "pwrite", lying)
    copy = copied(source, target)
    assert (target / "f").read_text() == "right"
    assert (copy.progress.copied, copy.progress.checked) == (5, 1)


def test_a_sample_is_a_part() -> None:
    small = [contents.chosen(1000, "sample") for _ in range(4000)]
    assert 100 < len([one for one in small if one is not None]) < 500
    large = contents.chosen(1000 * CHUNK, "sample")
    assert large is not None
    numbers = [number for number in range(1000) if number in large]
    assert len(numbers) == contents.SAMPLES and {0, 999} <= set(numbers)
    assert contents.chosen(1000 * CHUNK, "none") is None


@pytest.mark.skipif(not ROOT, reason="only root is refused what root may do elsewhere")
def test_a_server_that_squashes_root_is_named(
    source: pathlib.Path, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "f").write_text("x")
    os.chown(source / "f", 1000, 1000)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fchown", lambda *arguments: (_ for _ in ()).throw(PermissionError(1, "no")))
        with pytest.raises(ShareDataCopyFailed, match="f: the target takes no owners from us; is root squashed there"):
            copied(source, target)
    monkeypatch.setattr(os, "fchown", lambda *arguments: None)
    with pytest.raises(ShareDataCopyFailed, match="shows owner 0:0 instead of 1000:1000"):
        copied(source, target)


def test_attributes_that_the_target_does_not_keep_are_said(
    source: pathlib.Path, target: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "f").write_text("x")
    os.setxattr(source / "f", "user.a", b"1")

    def unsupported(*arguments: Any) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr(os, "setxattr", unsupported)
    assert copied(source, target).progress.lost == {"user"}


def test_an_acl_that_says_what_the_mode_says_is_no_loss() -> None:
    def acl(*whom: bytes) -> bytes:
        entries = b"".join(bytes(12) + len(one).to_bytes(4, "big") + one + bytes(-len(one) % 4) for one in whom)
        return len(whom).to_bytes(4, "big") + entries

    assert attributes._is_mode("system.nfs4_acl", acl(b"OWNER@", b"GROUP@", b"EVERYONE@"))
    assert not attributes._is_mode("system.nfs4_acl", acl(b"OWNER@", b"alice@example", b"EVERYONE@"))
    assert not attributes._is_mode("user.x", acl(b"OWNER@"))


def test_memory_does_not_grow_with_the_tree(source: pathlib.Path, target: pathlib.Path) -> None:
    """Of a folder its names are held; of files with several names those that are still to come."""

    def peak(folders: int) -> int:
        root = source / str(folders)
        for number in range(folders):
            (root / f"d{number}").mkdir(parents=True)
            for one in range(30):
                (root / f"d{number}" / f"f{one}").touch()
        os.mkdir(target / str(folders))
        copy = Copy(str(root), str(target / str(folders)))
        tracemalloc.start()
        copy.run()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert copy.progress.done == folders * 31 + 1
        return most

    few, many = peak(3), peak(24)
    assert many < few + 100_000, (few, many)
