"""What Ganesha answers on the wire: minor versions, locks that meet, and what it keeps to itself."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from deploy import bootstrap
from drivers.ganesha.embedded import programs
from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway import config, files
from drivers.ganesha.gateway.command import run, succeeds
from generated.runtime import Row
from tests.datapath import wire
from tests.datapath.lab import Client, Lab

pytestmark = pytest.mark.datapath
MISMATCH, NOTSUPP, NOXATTR = 10021, 10004, 10095
GET, SET, LIST, REMOVE = 72, 73, 74, 75


@pytest.fixture(scope="module")
async def share(lab: Lab, server: Row) -> Row:
    return await lab.share(server, 1, "rw 10.0.0.0/24")


@pytest.fixture(scope="module")
async def raw(lab: Lab, share: Row) -> Client:
    """A client that sees bytes; ``share`` is open to it."""
    return await lab.raw("a", "10.0.0.8")


async def meets(raw: Client, share: Row, kind: int, name: str) -> dict[str, Any]:
    """What a lock gets that meets a held one."""
    host, _, instance = share["location"].rpartition(":/")
    client = await raw("attach", server=host, name=name)
    for owner in ("one", "two"):
        await raw("open", share=instance, name=name, owner=owner)
    assert await raw("lock", owner="one") == {"status": wire.OK}
    answer: dict[str, Any] = await raw("lock", owner="two", kind=kind)
    answer["right"] = answer == {
        "status": wire.DENIED,
        "offset": wire.RANGE[0],
        "length": wire.RANGE[1],
        "kind": wire.WRITE,
        "client": client,
        "owner": "lock one",
        "left": 0,
    }
    return answer


@pytest.mark.parametrize("kind", [wire.WRITE, wire.WRITE_WAITS, wire.READ_WAITS])
async def test_a_lock_that_meets_another_is_told_whose_it_is(raw: Client, share: Row, kind: int) -> None:
    for number in range(3):
        answer = await meets(raw, share, kind, f"kind-{kind}-{number}")
        assert answer["right"], answer


@pytest.mark.parametrize(("minor", "status"), [(0, MISMATCH), (1, 0), (2, 0), (3, MISMATCH)])
async def test_minor_versions(raw: Client, share: Row, minor: int, status: int) -> None:
    await raw("connect", server=share["location"].partition(":")[0])
    assert await raw("status", minor=minor) == status


@pytest.fixture(scope="module")
async def opened(raw: Client, share: Row) -> Client:
    """A client of NFS 4.2 with an open file ``f`` in which are 12 bytes."""
    host, _, instance = share["location"].rpartition(":/")
    await raw("attach", server=host, name="newer", minor=2)
    await raw("open", share=instance, name="f", owner="o")
    durable, size = 2, len(TEXT)
    wrote = await raw("ask", owner="o", operation=38, state=True, words=f"{0:016x}{durable:08x}{size:08x}" + TEXT.hex())
    assert wrote["status"] == 0
    return raw


TEXT = b"twelve bytes"


async def test_a_read_with_holes_is_refused_or_right(opened: Client) -> None:
    """READ_PLUS of Linux from 6.6 on: 4.3 answered zeros."""
    answer = await opened("ask", owner="o", operation=68, state=True, words=f"{0:016x}{4096:08x}")
    assert answer["status"] == NOTSUPP or TEXT.hex() in answer["answer"], answer


async def test_a_folder_s_delegation_is_refused_in_a_way_that_clients_take(opened: Client) -> None:
    """GET_DIR_DELEGATION of Linux from 6.19 on: 4.3 called it illegal, which the client makes EREMOTEIO of."""
    none, never = "00000000", "00" * 12
    words = none + none + never + never + none + none
    answer = await opened("ask", owner="o", operation=46, state=False, words=words)
    unavailable = answer["status"] == 0 and answer["answer"].startswith("00000001")
    assert unavailable or answer["status"] == NOTSUPP, answer


async def test_extended_attributes(lab: Lab, opened: Client, share: Row) -> None:
    """They are those of the user's name space on the share, whatever the client calls them. What docs/ganesha.md says.

    When the part on empty values fails, Ganesha has been mended and the page is to be changed.
    """

    async def ask(operation: int, *parts: bytes) -> dict[str, Any]:
        words = b"".join(parts).hex()
        found: dict[str, Any] = await opened("ask", owner="o", operation=operation, state=False, words=words)
        return found

    either = (0).to_bytes(4, "big")
    file = lab.layout.mount(share["id"]) / "f"
    big = bytes(range(256)) * 16
    for name, value in ((b"colour", b"green"), ("Größe".encode(), b"1"), (b"big", big)):
        assert (await ask(SET, either, wire.opaque(name), wire.opaque(value)))["status"] == 0, name
        got = await ask(GET, wire.opaque(name))
        assert (got["status"], got["answer"]) == (0, wire.opaque(value).hex()), name
        assert os.getxattr(file, b"user." + name) == value
    for name in (b"trusted.x", b"security.capability", b"system.posix_acl_access"):
        await ask(SET, either, wire.opaque(name), wire.opaque(b"x"))
        assert (await ask(GET, wire.opaque(b"../" + name)))["status"] != 0
    assert all(name.startswith("user.") for name in os.listxattr(file)), os.listxattr(file)
    assert (await ask(LIST, (0).to_bytes(8, "big"), (4096).to_bytes(4, "big")))["status"] == 0
    assert (await ask(REMOVE, wire.opaque(b"colour")))["status"] == 0
    assert (await ask(GET, wire.opaque(b"colour")))["status"] == NOXATTR
    assert (await ask(SET, either, wire.opaque(b"x" * 300), wire.opaque(b"")))["status"] != 0
    assert (await ask(SET, either, wire.opaque(b"huge"), wire.opaque(b"x" * 65536)))["status"] != 0
    assert (await ask(SET, either, wire.opaque(b"empty"), wire.opaque(b"")))["status"] == 0
    assert os.getxattr(file, b"user.empty") == b"\0"


@pytest.mark.parametrize("operation", [60, 71], ids=["copy", "clone"])
async def test_copies_on_the_server_are_refused_in_a_way_that_clients_take(opened: Client, operation: int) -> None:
    """Linux reads and writes then: cp works, cp --reflink=always says ENOTSUP."""
    answer = await opened("ask", owner="o", operation=operation, state=True, words="00" * 64)
    assert answer["status"] == NOTSUPP


@dataclasses.dataclass(frozen=True, slots=True)
class Blocking(config.Serving):
    """With blocking locks, as Ganesha has them unless told."""

    def nfs4(self) -> str:
        return "\n  Blocking_Locks = true;"


@pytest.fixture
async def apart() -> AsyncIterator[Any]:
    """A function that makes another back end with a share and a client that sees bytes."""
    made: list[Lab] = []

    async def make(**options: Any) -> tuple[Lab, Row, Client]:
        lab = Lab(**options)
        made.append(lab)
        await lab.driver.do_setup()
        share = await lab.share(await lab.server("b"), 1, "rw 10.0.0.0/24")
        return lab, share, await lab.raw("b", "10.0.0.8")

    yield make
    for lab in made:
        await lab.down()


async def test_whether_blocking_locks_are_still_answered_wrongly(apart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When this fails, Ganesha has been mended: Blocking_Locks and this test may go."""
    monkeypatch.setattr(programs, "Serving", Blocking)
    _, share, raw = await apart()
    answers = [await meets(raw, share, wire.WRITE_WAITS, f"file-{number}") for number in range(5)]
    print(*answers, sep="\n")
    assert not all(one["right"] for one in answers), "Blocking_Locks = false is not needed any more"


@pytest.mark.parametrize(("attribute", "of"), [(36, "st_uid"), (37, "st_gid")])
async def test_owners_and_groups_are_numbers(lab: Lab, opened: Client, share: Row, attribute: int, of: str) -> None:
    """Linux sends numbers as text (RFC 8881, 5.9), of users and of groups."""
    file = lab.layout.mount(share["id"]) / "f"
    mask = (2).to_bytes(4, "big") + (0).to_bytes(4, "big") + (1 << (attribute - 32)).to_bytes(4, "big")
    for number in (1000, 4294967294, 1):
        words = (bytes(16) + mask + wire.opaque(wire.opaque(str(number).encode()))).hex()
        answer = await opened("ask", owner="o", operation=34, state=False, words=words)
        assert (answer["status"], getattr(file.stat(), of)) == (0, number)


async def test_ganesha_runs_on_nothing_else_of_the_machine(lab: Lab, server: Row, share: Row) -> None:
    """Every library that it has loaded is in its folder, but for what looks users up, whose place is fixed."""
    root = bootstrap.ganesha()
    if root is None:
        pytest.skip("the machine's own Ganesha is new enough and is what gateways run here")
    lines = (files.read(pathlib.Path(f"/proc/{lab.ganesha(server)}/maps")) or "").splitlines()
    mapped = {line.split()[5] for line in lines if len(line.split()) > 5 and ".so" in line}
    assert len(mapped) > 15
    users = ("/libnfsidmap/", "/libnss_")
    assert not [name for name in mapped if not name.startswith(f"{root}/") and not any(one in name for one in users)]


async def listening(lab: Lab, server: Row) -> set[str]:
    """Addresses at which somebody listens in a gateway's network namespace."""
    text = await run(*inside(lab.fabric.gateway(server["id"]), "ss", "-Htuln"))
    return {line.split()[4].replace("[::ffff:", "").replace("]", "") for line in text.splitlines()}


async def test_a_gateway_listens_at_one_port(lab: Lab, server: Row, share: Row) -> None:
    assert await listening(lab, server) == {"0.0.0.0:2049"}


async def test_figures_are_shown_to_the_gateway_s_own_namespace_alone(apart: Any) -> None:
    lab, share, raw = await apart(ganesha_metrics_port=9587)
    host, _, instance = share["location"].rpartition(":/")
    await raw("attach", server=host, name="x")
    await raw("open", share=instance, name="x", owner="x")
    assert await listening(lab, share["server"]) == {"0.0.0.0:2049", "127.0.0.1:9587"}
    gateway = lab.fabric.gateway(share["server"]["id"])
    ask = "import urllib.request as u, sys; print(u.urlopen(sys.argv[1], timeout=5).read().decode())"
    text = await run(*inside(gateway, sys.executable, "-c", ask, "http://127.0.0.1:9587/metrics"))
    assert "nfs_requests_total" in text or "nfs" in text, text[:2000]
    print("\n".join(line for line in text.splitlines() if not line.startswith("#") and not line.endswith(" 0")))
    for name in (gateway, lab.fabric.client("b-10.0.0.8")):
        assert not await succeeds(*inside(name, sys.executable, "-c", ask, f"http://{host}:9587/metrics")), name
