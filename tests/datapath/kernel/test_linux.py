"""What only a Linux kernel's client shows: locks and open files over a restart, errors at once, df after growth.

Mind: close() of any descriptor of a file drops the process's POSIX locks on it, so whether a lock is held is asked in
the other guest. Reads and writes go past the guest's cache (fsync, dropped pages), which would answer for a while.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from deploy.embedded.shell import OPTIONS
from generated.runtime import Row
from tests.datapath.kernel.guest import Guest, result
from tests.datapath.lab import Lab

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

GIB = 2**30
LOCK = """
fd = os.open('/mnt/lock', os.O_RDWR | os.O_CREAT, 0o666)
r = tried(fcntl.lockf, fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
"""
ASK = """
g = os.open('/mnt/lock', os.O_RDWR)
r = tried(fcntl.lockf, g, fcntl.LOCK_EX | fcntl.LOCK_NB)
os.close(g)
"""
UNLINKED = """
gone = os.open('/mnt/gone', os.O_RDWR | os.O_CREAT, 0o644)
os.write(gone, b'still here'); os.fsync(gone); os.unlink('/mnt/gone')
"""
LOAD = """
count, wrong, stop = [0], [], threading.Event()
def load():
    d = os.open('/mnt/load', os.O_RDWR | os.O_CREAT, 0o644)
    while not stop.is_set():
        outcome = written(d, b'x' * 65536)
        if outcome != 'ok': wrong.append(outcome); time.sleep(.3)
        count[0] += 1
    os.close(d)
loader = threading.Thread(target=load, daemon=True); loader.start()
"""


@pytest.fixture
async def share(yard: Lab, gateway: Row, guests: tuple[Guest, Guest]) -> AsyncIterator[Row]:
    """A share of its own, mounted in both guests."""
    made = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    for guest in guests:
        assert await guest.expression(f"sh('mount -t nfs4 -o vers=4.1 {made['location']} /mnt')") == [0, ""]
    yield made
    for guest in guests:
        await guest.expression("sh('umount -f -l /mnt')")
    await yard.driver.delete_share(made, gateway)


async def test_mount_write_read(share: Row, guests: tuple[Guest, Guest]) -> None:
    one, other = guests
    assert await one.expression("sh('echo hello > /mnt/f')") == [0, ""]
    assert await other.expression("sh('cat /mnt/f')") == [0, "hello"]
    assert "vers=4.1" in (await one.expression("sh('grep /mnt /proc/mounts')"))[1]


async def test_lock_and_open_files_survive_a_restart(
    yard: Lab, gateway: Row, share: Row, guests: tuple[Guest, Guest]
) -> None:
    one, other = guests
    assert await one(LOCK) == "ok"
    assert await other(ASK) == "EAGAIN"
    await one(UNLINKED)
    await one(LOAD)
    await yard.kill(yard.ganesha(gateway))
    # counted only now: until it is dead the server goes on answering
    before = await one.expression("count[0]")
    started = time.monotonic()
    while await one.expression("count[0]") < before + 3:
        assert time.monotonic() - started < 40
        await asyncio.sleep(0.2)
    print(f"load goes on {time.monotonic() - started:.1f} s after the kill")
    assert await one.expression("wrong") == []
    assert await other(ASK) == "EAGAIN"
    assert await one.expression("written(fd, b'locked')") == "ok"
    assert await one.expression("os.pread(gone, 20, 0).decode()") == "still here"
    assert await one.expression("written(gone, b'more')") == "ok"
    assert "lost" not in (await one.expression("sh('dmesg')"))[1]
    await one("stop.set(); loader.join(); os.close(fd); os.close(gone)")


async def test_rules_change_without_a_gap(yard: Lab, share: Row, guests: tuple[Guest, Guest]) -> None:
    """Rules of others come and go, one's own changes its form: writes and reads never fail."""
    one, _ = guests
    await one("h = os.open('/mnt/h', os.O_RDWR | os.O_CREAT, 0o644); os.write(h, b'x' * 64); os.fsync(h)")
    await one(LOAD)
    before = await one.expression("count[0]")
    for number in range(30):
        await yard.allow(share, "rw 10.0.0.0/24" if number % 2 else "rw 10.0.0.5", f"ro 10.0.7.{number}")
        assert await one.expression("[written(h, b'y'), fetched(h)]") == ["ok", "ok"]
    assert await one.expression("count[0]") > before
    assert await one.expression("wrong") == []
    await one("stop.set(); loader.join(); os.close(h)")


async def test_errors_at_once_when_a_rule_goes(yard: Lab, share: Row, guests: tuple[Guest, Guest]) -> None:
    one, _ = guests
    await one("h = os.open('/mnt/h', os.O_RDWR | os.O_CREAT, 0o644); os.write(h, b'x' * 64); os.fsync(h)")
    await yard.allow(share, "rw 10.0.0.99")
    started = time.monotonic()
    assert await one.expression("[written(h, b'y'), fetched(h)]") == ["EACCES", "EACCES"]
    assert await one.expression("tried(os.open, '/mnt/new', os.O_CREAT | os.O_WRONLY)") == "EACCES"
    assert time.monotonic() - started < 15
    await yard.allow(share, "ro 10.0.0.5")
    assert await one.expression("[written(h, b'y'), fetched(h)]") == ["EROFS", "ok"]
    await yard.allow(share, "rw 10.0.0.5")
    assert await one.expression("[written(h, b'y'), fetched(h)]") == ["ok", "ok"]
    await one("os.close(h)")


async def test_errors_at_once_when_the_share_goes(
    yard: Lab, gateway: Row, share: Row, guests: tuple[Guest, Guest]
) -> None:
    one, _ = guests
    await one("h = os.open('/mnt/h', os.O_RDWR | os.O_CREAT, 0o644); os.write(h, b'x' * 64); os.fsync(h)")
    await yard.driver.delete_share(share, gateway)
    started = time.monotonic()
    assert await one.expression("[written(h, b'y'), fetched(h), tried(os.listdir, '/mnt')]") == ["ESTALE"] * 3
    assert await one.expression("tried(os.statvfs, '/mnt')") == "ESTALE"
    assert time.monotonic() - started < 15
    await one("tried(os.close, h)")
    status, text = await one.expression(f"sh('mkdir -p /m2; mount -t nfs4 -o {OPTIONS} {share['location']} /m2')")
    assert status == 32 and "No such file or directory" in text


async def test_df_after_extend(yard: Lab, gateway: Row, share: Row, guests: tuple[Guest, Guest]) -> None:
    one, _ = guests
    total = "(lambda s: s.f_blocks * s.f_frsize)(os.statvfs('/mnt'))"
    assert GIB <= await one.expression(total) < 1.01 * GIB
    await yard.driver.extend_share(share, 3, gateway)
    assert 3 * GIB <= await one.expression(total) < 3.03 * GIB


async def test_hard_mount_waits_for_the_gateway(
    yard: Lab, gateway: Row, share: Row, guests: tuple[Guest, Guest]
) -> None:
    one, _ = guests
    await one("h = os.open('/mnt/h', os.O_RDWR | os.O_CREAT, 0o644); os.write(h, b'x'); os.fsync(h)")
    supervisor = yard.supervisor(gateway)
    assert supervisor is not None
    await yard.kill(supervisor)
    waiting = one.post("r = written(h, b'y')")
    await asyncio.sleep(2)
    assert not waiting.done()
    await yard.driver.get_share_stats(refresh=True)
    assert result(await asyncio.wait_for(waiting, 40)) == "ok"
    await one("os.close(h)")
