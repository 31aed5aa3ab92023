"""The product's copy between two NFS mounts of a real gateway, run by a Linux guest as the data host.

The mount commands are those that the data service runs. The other guest is a machine of the tenant.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from generated.runtime import Row
from generated.settings import DefaultSection
from tests.datapath.kernel.carried import carry
from tests.datapath.kernel.guest import Guest
from tests.datapath.lab import Lab
from worker.data.mounts import Place

pytestmark = [pytest.mark.kernel, pytest.mark.slow]


@pytest.fixture(scope="module")
async def host(guests: tuple[Guest, Guest]) -> Guest:
    """The data host, with the product's modules."""
    for guest in guests:
        await carry(guest, "tests.datapath.kernel.copies")
        await guest("from tests.datapath.kernel import copies")
    return guests[0]


@pytest.fixture
async def shares(yard: Lab, gateway: Row, host: Guest, guests: tuple[Guest, Guest]) -> AsyncIterator[list[Row]]:
    """Two shares, at /a and /b of the data host as it mounts them, and of the tenant's machine."""
    made = [await yard.share(gateway, 1, "rw 10.0.0.5", "rw 10.0.0.6") for _ in range(2)]
    for share, folder in zip(made, ("/a", "/b"), strict=True):
        await mount(host, share, folder)
        assert await guests[1].expression(
            f"sh('mkdir -p {folder}; mount -t nfs4 -o softerr,actimeo=0 {share['location']} {folder}')"
        ) == [0, ""]
    yield made
    for guest in guests:
        await guest.expression("sh('umount -f -l /a; umount -f -l /b')")
    for share in made:
        await yard.driver.delete_share(share, gateway)


async def mount(host: Guest, share: Row, folder: str, options: str = "") -> None:
    """As the data service mounts; asserts the outcome.

    The guest's mount is busybox, which keeps options from the helper; Debian's runs the helper like this.
    """
    template = DefaultSection().backup_share_mount_template
    words = Place(share["location"], Path(folder), template, "", "nfs", options).command(template)
    assert words[:4] == ["mount", "-vt", "nfs", "-o"] and words[5:] == [share["location"], folder]
    status, said = await host.expression(f"sh('mkdir -p {folder}; mount.nfs {words[5]} {folder} -v -o rw,{words[4]}')")
    assert status == 0, said
    flags = (await host.expression(f"sh('grep \" {folder} \" /proc/mounts')"))[1]
    print(flags)
    assert all(one in flags for one in ("nosuid", "nodev", "noexec", "softerr")), flags


async def call(guest: Guest, function: str, *arguments: object, seconds: float = 240) -> object:
    return await guest.expression(f"copies.{function}({', '.join(map(repr, arguments))})", seconds)


async def test_a_copy_equals_its_source(shares: list[Row], host: Guest, guests: tuple[Guest, Guest]) -> None:
    extended = await host.expression("tried(os.setxattr, '/a', 'user.x', b'') == 'ok'")
    assert await host.expression("tried(os.removexattr, '/a', 'user.x') == 'ok'") == extended
    print(f"extended attributes: {extended}")
    await call(host, "fill", "/a", extended)
    found = await call(host, "copied", "/a", "/b")
    assert isinstance(found, dict)
    assert (found["error"], found["notices"], found["lost"], found["percent"]) == (None, [], [], 100), found
    assert found["checked"] > 10
    assert await call(host, "differences", "/a", "/b") == []
    # the machines of the tenant see the same, from the server
    assert await call(guests[1], "differences", "/a", "/b") == []
    other = "os.seteuid(1234)\ntry:\n    r = tried(os.listdir, '/b')\nfinally:\n    os.seteuid(0)"
    assert await guests[1](other) == "EACCES"
    blocks = "os.stat('/b/sparse').st_blocks * 512"
    assert await host.expression(blocks) < 2**20


async def test_a_restore_leaves_further_names_alone(
    shares: list[Row], host: Guest, guests: tuple[Guest, Guest]
) -> None:
    await host("sh('echo content 1 > /a/one; echo content 2 > /a/two')")
    await guests[1]("sh('echo older > /b/one; cd /b && ln -f one two && ln one outside && ln -s /canary three')")
    found = await call(host, "copied", "/a", "/b")
    assert isinstance(found, dict) and found["error"] is None
    for guest in guests:
        assert await guest.expression("sh('cd /b; cat one two outside; readlink three')") == [
            0, "content 1\ncontent 2\nolder\n/canary",
        ]  # fmt: skip


async def test_a_copy_that_was_killed_is_done_again(shares: list[Row], host: Guest) -> None:
    await call(host, "fill", "/a", False)
    ends = [await call(host, "killed", "/a", "/b", seconds) for seconds in (1.2, 1.8, 2.6)]
    print(ends)
    found = await call(host, "copied", "/a", "/b")
    assert isinstance(found, dict) and found["error"] is None
    assert await call(host, "differences", "/a", "/b") == []
