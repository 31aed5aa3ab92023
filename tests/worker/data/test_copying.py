"""The copy keeps what belongs to a file, and never leaves the two trees."""

from __future__ import annotations

import asyncio
import os
import pathlib
import stat
import threading

import pytest

from generated.errors import ShareDataCopyCancelled, ShareDataCopyFailed
from worker.data.contents import CHUNK
from worker.data.copying import Copy
from worker.data.progress import Progress
from worker.data.transfer import transfer


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


def run(source: pathlib.Path, target: pathlib.Path, *ignore: str, check_hash: bool = False) -> Progress:
    copy = Copy(str(source), str(target), ignore, "all" if check_hash else "none")
    copy.run()
    return copy.progress


def test_contents_and_attributes(source: pathlib.Path, target: pathlib.Path) -> None:
    (source / "folder" / "below").mkdir(parents=True)
    (source / "folder" / "below" / "file").write_bytes(b"x" * (CHUNK + 5))
    (source / "folder" / "empty").touch()
    os.chmod(source / "folder" / "below" / "file", 0o640)
    os.chmod(source / "folder", 0o2750)
    for path in (source / "folder" / "below" / "file", source / "folder" / "below", source / "folder"):
        os.utime(path, ns=(1_000_000_007, 2_000_000_009))
    (source / "dangling").symlink_to("/nowhere")
    os.mkfifo(source / "pipe")
    progress = run(source, target, check_hash=True)
    copied = target / "folder" / "below" / "file"
    assert copied.read_bytes() == b"x" * (CHUNK + 5)
    assert stat.S_IMODE(copied.stat().st_mode) == 0o640
    assert stat.S_IMODE((target / "folder").stat().st_mode) == 0o2750
    assert {p.stat().st_mtime_ns for p in (copied, copied.parent, target / "folder")} == {2_000_000_009}
    assert os.readlink(target / "dangling") == "/nowhere"
    assert stat.S_ISFIFO(os.lstat(target / "pipe").st_mode)
    assert (progress.total, progress.copied, progress.percent) == (CHUNK + 5, CHUNK + 5, 100)


def test_holes_stay_holes(source: pathlib.Path, target: pathlib.Path) -> None:
    with (source / "sparse").open("wb") as file:
        file.seek(64 * CHUNK)
        file.write(b"end")
        file.truncate(100 * CHUNK)
    run(source, target, check_hash=True)
    found = (target / "sparse").stat()
    assert found.st_size == 100 * CHUNK
    assert (target / "sparse").read_bytes() == (source / "sparse").read_bytes()
    if (source / "sparse").stat().st_blocks * 512 < CHUNK:
        assert found.st_blocks * 512 < 2 * CHUNK


def test_names_of_one_file_stay_names_of_one_file(source: pathlib.Path, target: pathlib.Path) -> None:
    (source / "a").mkdir()
    (source / "a" / "one").write_text("same")
    os.link(source / "a" / "one", source / "two")
    progress = run(source, target)
    run(source, target)  # over itself
    assert os.path.samefile(target / "a" / "one", target / "two")
    assert progress.total == 4


def test_a_folder_whose_names_were_replaced_shows_another_time(tmp_path: pathlib.Path) -> None:
    """Ganesha keeps names while the folder's time stays: it would serve the files of before for ever."""
    source, target = tmp_path / "source", tmp_path / "target"
    times = list[int]()
    for folder in (source, target):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "f").write_text(folder.name)
        for one in (folder / "inner", folder):
            os.utime(one, ns=(2_000_000_009, 2_000_000_009))
    for _ in range(2):
        Copy(str(source), str(target)).run()
        assert (target / "inner" / "f").read_text() == "source"
        assert target.stat().st_mtime_ns == (target / "inner").stat().st_mtime_ns
        times.append(target.stat().st_mtime_ns)
    assert times == [2_000_000_010, 2_000_000_009], "a nanosecond apart from the time that it had"


def test_what_the_target_had_is_replaced_or_stays(source: pathlib.Path, target: pathlib.Path) -> None:
    (source / "file").write_text("new")
    (source / "folder").mkdir()
    (source / "link").symlink_to("file")
    (target / "file").write_text("older and longer")
    (target / "own").write_text("stays")
    (target / "folder").write_text("a file where a folder comes")
    (target / "link").mkdir()
    (target / "link" / "inside").touch()
    run(source, target)
    assert (target / "file").read_text() == "new"
    assert (target / "own").read_text() == "stays"
    assert (target / "folder").is_dir()
    assert os.readlink(target / "link") == "file"


def test_a_tenants_links_lead_nowhere(source: pathlib.Path, target: pathlib.Path, tmp_path: pathlib.Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "passwd").write_text("untouched")
    (source / "folder").mkdir()
    (source / "folder" / "passwd").write_text("overwritten")
    (source / "passwd").write_text("overwritten")
    (source / "way_in").symlink_to(secret)
    (target / "folder").symlink_to(secret)
    (target / "passwd").symlink_to(secret / "passwd")
    run(source, target)
    assert (secret / "passwd").read_text() == "untouched"
    assert not (target / "folder").is_symlink()
    assert (target / "way_in").is_symlink()


def test_ignored_names(source: pathlib.Path, target: pathlib.Path) -> None:
    for name in ("lost+found", "kept/lost+found"):
        (source / name).mkdir(parents=True)
        (source / name / "x").write_text("12345")
    progress = run(source, target, "lost+found")
    assert sorted(str(path.relative_to(target)) for path in target.rglob("*")) == ["kept"]
    assert progress.total == 0
    assert progress.percent == 100


def test_what_cannot_be_copied_is_named(source: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ShareDataCopyFailed, match="No such file"):
        run(source, tmp_path / "nothing")


async def test_a_copy_nobody_wants_ends(source: pathlib.Path, target: pathlib.Path) -> None:
    for number in range(400):
        (source / str(number)).write_bytes(b"x" * 1000)
    seen: list[int] = []

    async def unwanted(progress: Progress) -> bool:
        seen.append(progress.percent)
        return False

    with pytest.raises(ShareDataCopyCancelled):
        await transfer(Copy(str(source), str(target)), unwanted, every=0.001)
    assert max(seen) < 100
    assert len(list(target.iterdir())) < 400


async def test_a_cancelled_task_leaves_no_thread_at_work(source: pathlib.Path, target: pathlib.Path) -> None:
    for number in range(400):
        (source / str(number)).write_bytes(b"x" * 1000)

    async def wanted(progress: Progress) -> bool:
        return True

    running = asyncio.create_task(transfer(Copy(str(source), str(target)), wanted, every=0.001))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises((asyncio.CancelledError, ShareDataCopyCancelled)):
        await running
    left = len(list(target.iterdir()))
    await asyncio.sleep(0.05)
    assert len(list(target.iterdir())) == left < 400


async def test_many_copies_leave_threads_to_the_others(tmp_path: pathlib.Path) -> None:
    """More copies at once than the event loop's pool has threads: what else needs one gets it."""
    held = threading.Event()

    class Slow(Copy):
        def run(self) -> None:
            held.wait(20)

    async def wanted(progress: Progress) -> bool:
        return True

    copies = [asyncio.create_task(transfer(Slow("", ""), wanted, every=0.05)) for _ in range(40)]
    await asyncio.sleep(0.1)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "at once"), 5) == "at once"
    held.set()
    await asyncio.gather(*copies)


def test_a_link_that_the_tenant_made_is_not_written_through(source: pathlib.Path, target: pathlib.Path) -> None:
    """Names of one file at the target, of which the source knows one or two, or both as files of their own."""
    for name in ("one", "two"):
        (source / name).write_text(f"content of {name}")
    (target / "one").write_text("older")
    os.link(target / "one", target / "two")
    os.link(target / "one", target / "outside")
    run(source, target)
    assert (target / "one").read_text() == "content of one"
    assert (target / "two").read_text() == "content of two"
    assert (target / "outside").read_text() == "older"


def test_the_root_folder_keeps_owner_mode_and_times(source: pathlib.Path, target: pathlib.Path) -> None:
    (source / "file").touch()
    os.chmod(source, 0o2710)
    if os.geteuid() == 0:
        os.chown(source, 1000, 1001)
        os.chmod(source, 0o2710)
    os.utime(source, ns=(1_000_000_007, 2_000_000_009))
    os.chmod(target, 0o777)
    run(source, target)
    found, wanted = target.stat(), source.stat()
    assert stat.S_IMODE(found.st_mode) == 0o2710
    assert (found.st_uid, found.st_gid, found.st_mtime_ns) == (wanted.st_uid, wanted.st_gid, 2_000_000_009)
