"""Bytes that are nearly requests, sent to a running API: no 500, no stuck connection, no growth of memory.

``python -m tests.hostile.fuzz [--seconds 60] [--seed 1] [--pause 0.01]``. Heads and bodies of real requests are
changed byte by byte, cut, doubled and joined, sent in parts, several on one connection. The seed is printed; the same
seed makes the same bytes. What is found is printed with the bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import pathlib
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field

from db import migrate
from db.embedded import EmbeddedPostgres
from tests.hostile.shares import TENANT_A, fill
from tests.hostile.target import Target, Wire, get, running

OWN = """
http_first_byte_timeout = 1
http_head_timeout = 1
http_body_timeout = 1
"""
STUCK_SECONDS = 60.0
"""Far beyond all deadlines: a connection without an answer and an end by then is stuck."""
GROWTH = 24 << 20
"""Bytes that memory may grow by after the first tenth of the time."""
HEAD = b"Host: api\r\nX-Auth-Token: member-a-token\r\nX-OpenStack-Manila-API-Version: 2.80\r\n"
JSON = b"Content-Type: application/json\r\n"
MARKS = (
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b"\xff", b"\xc3\x28", b"%00", b"%0d%0a", b"%", b"?", b"#", b"//",
    b"{", b"[", b'"', b"\\ud800", b"\\u0000", b"0\r\n\r\n", b"Host: b\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Content-Length: 5\r\n",
    b"Expect: 100-continue\r\n", b"Connection: close\r\n", b"Upgrade: h2c\r\nConnection: upgrade\r\n", b"HTTP/1.0",
    b"http://a/", b"99999999999999999999", b"-1", b"1e999", b"null", b"A" * 3000,
)  # fmt: skip


def seeds(share: str) -> list[bytes]:
    """Requests as clients send them."""
    paths = ["/", "/v2", "/v2/", "/healthcheck", f"/v2/shares/{share}", "/v2/shares/detail?limit=2&name~=a"]
    paths += ["/v2/types", "/v2/limits", "/v2/share-networks?status=x", f"/v2/shares/{share}/metadata"]
    paths.append("/v2/messages?limit=1")
    found = [get(path, more="X-OpenStack-Manila-API-Version: 2.80\r\n") for path in paths]
    bodies = [
        ("POST", "/v2/shares", b'{"share": {"share_proto": "NFS", "size": 1, "name": "a", "metadata": {"k": "v"}}}'),
        ("POST", f"/v2/shares/{share}/action", b'{"extend": {"new_size": 2}}'),
        ("PUT", f"/v2/shares/{share}", b'{"share": {"display_name": "b", "is_public": false}}'),
        ("POST", f"/v2/shares/{share}/metadata", b'{"metadata": {"a": "b"}}'),
        ("POST", "/v2/share-networks", b'{"share_network": {"name": "n", "description": "d"}}'),
        ("POST", "/", b"[]"),
    ]
    for method, path, body in bodies:
        line = f"{method} {path} HTTP/1.1\r\n".encode() + HEAD + JSON
        found.append(line + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        cut = len(body) // 2
        chunks = b"".join(b"%x\r\n%b\r\n" % (len(one), one) for one in (body[:cut], body[cut:]))
        found.append(line + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nX-Trailer: a\r\n\r\n")
    found.append(f"DELETE /v2/shares/{share}/metadata/a HTTP/1.1\r\n".encode() + HEAD + b"\r\n")
    found.append(b"HEAD /v2/shares HTTP/1.0\r\n" + HEAD + b"\r\n")
    found.append(b"OPTIONS /v2/shares HTTP/1.1\r\nOrigin: http://a\r\n" + HEAD + b"\r\n")
    return found


def changed(chance: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """A request with some bytes not as they were."""
    made = bytearray(data)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(made) + 1)
        what = chance.randrange(7)
        if what == 0 and at < len(made):
            made[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            made[at:at] = chance.choice(MARKS)
        elif what == 2:
            del made[at : at + chance.choice((1, 2, 20))]
        elif what == 3:
            made[at:at] = made[at : at + chance.choice((1, 5, 50))] * chance.choice((1, 2, 30))
        elif what == 4:
            other = chance.choice(others)
            made[at:] = other[chance.randrange(len(other)) :]
        elif what == 5:
            made[at:at] = chance.randbytes(chance.choice((1, 4, 40)))
        else:
            del made[at:]
    return bytes(made)


@dataclass(slots=True)
class Findings:
    """What was seen: statuses by how often, and each thing that must not be, with the bytes before it."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


async def session(target: Target, chance: random.Random, seeds: list[bytes], found: Findings) -> None:
    """Some requests on one connection, and its end."""
    sent = b""
    async with contextlib.aclosing(await target.connect()) as wire:
        for _ in range(chance.choice((1, 1, 2, 4))):
            data = changed(chance, chance.choice(seeds), seeds)
            sent += data
            if not await _send(wire, chance, data):
                break
        if chance.random() < 0.2:
            with contextlib.suppress(OSError):
                wire.writer.write_eof()
        try:
            while (answer := await wire.answer(STUCK_SECONDS)).status:
                found.statuses[answer.status] += 1
                if answer.status >= 500 and answer.status not in (501, 505):
                    found.wrong.append(f"status {answer.status} {answer.body[:200]!r} for {sent!r}")
        except TimeoutError:
            found.wrong.append(f"no answer and no end after {sent!r}")
        except (ValueError, asyncio.LimitOverrunError) as error:
            found.wrong.append(f"an answer that is none ({error}) for {sent!r}")


async def _send(wire: Wire, chance: random.Random, data: bytes) -> bool:
    if chance.random() < 0.7:
        return await wire.send(data)
    cut = chance.randrange(len(data) + 1)
    first = await wire.send(data[:cut])
    await asyncio.sleep(chance.random() * 0.02)
    return first and await wire.send(data[cut:])


async def fuzz(target: Target, share: str, seed: int, seconds: float, pause: float) -> Findings:
    """Send for so long, sixteen connections at a time; ``pause``: seconds between two of each."""
    found, begin, given = Findings(), time.monotonic(), seeds(share)
    base = 0

    async def one(number: int) -> None:
        chance = random.Random(f"{seed}:{number}")
        while time.monotonic() - begin < seconds and len(found.wrong) < 10:
            await session(target, chance, given, found)
            await asyncio.sleep(pause)

    async def watch() -> None:
        nonlocal base
        while time.monotonic() - begin < seconds:
            if not base and time.monotonic() - begin > seconds / 10:
                base = target.memory
            if (await target.get("/healthcheck")).status != 200:
                found.wrong.append("/healthcheck does not answer")
            await asyncio.sleep(1)

    await asyncio.gather(watch(), *(one(number) for number in range(16)))
    grown = target.memory - base
    print(f"seed {seed}: {dict(found.statuses.most_common())}, memory {base >> 20} MiB and {grown >> 20} more")
    if base and grown > GROWTH:
        found.wrong.append(f"memory grew by {grown >> 20} MiB")
    return found


async def run(arguments: argparse.Namespace) -> Findings:
    """The findings on an API of its own."""
    with tempfile.TemporaryDirectory(prefix="manila-fuzz-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres = EmbeddedPostgres(folder / "data", durable=False)
        try:
            url = postgres.create("manila")
            migrate.sync(url)
            share = fill(url, TENANT_A, 20)
            async with running(folder, url, own=OWN, default="client_socket_timeout = 1") as target:
                return await fuzz(target, share, arguments.seed, arguments.seconds, arguments.pause)
        finally:
            postgres.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.0)
    found = asyncio.run(run(parser.parse_args()))
    print(*found.wrong, sep="\n", file=sys.stderr)
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
