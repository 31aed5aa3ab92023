"""A process of the API with a real PostgreSQL, and raw connections to it: what attackers and their victims have."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import resource
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import psutil

ROOT = pathlib.Path(__file__).parent.parent.parent
TOKENS = ROOT / "tests" / "conformance" / "vendored" / "tokens.json"
CEILING = 320 << 20
"""Bytes of memory that no attack may bring an API process above; the chart allows 512 MiB."""
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, head in lower case and body; status 0 when the connection ended without one."""

    status: int
    head: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Target:
    """A running API process."""

    port: int
    metrics: int
    pid: int
    folder: pathlib.Path

    @property
    def memory(self) -> int:
        """Bytes of resident memory."""
        return int(psutil.Process(self.pid).memory_info().rss)

    @property
    def peak(self) -> int:
        """Bytes of resident memory, the most there were."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024

    @property
    def descriptors(self) -> int:
        return int(psutil.Process(self.pid).num_fds())

    @property
    def log(self) -> str:
        """What the process wrote."""
        return (self.folder / "err").read_text(errors="replace")

    async def connect(self) -> Wire:
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=1 << 20)
        return Wire(reader, writer)

    async def ask(self, data: bytes, *, seconds: float = 60) -> Answer:
        """The answer to bytes on a new connection."""
        async with contextlib.aclosing(await self.connect()) as wire:
            await wire.send(data)
            return await wire.answer(seconds)

    async def get(self, path: str, token: str = "member-a-token", *, more: str = "") -> Answer:
        return await self.ask(get(path, token, more=more))


class Wire:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> bool:
        """Whether it could be sent."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except ConnectionError:
            return False
        return True

    async def answer(self, seconds: float = 60) -> Answer:
        """The next answer; status 0 when the connection ended instead. Raises TimeoutError: it is stuck."""
        async with asyncio.timeout(seconds):
            try:
                head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
                status = int(head.split(b" ", 2)[1])
                length = [line for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
                body = await self.reader.readexactly(int(length[0].partition(b":")[2]) if length else 0)
            except (asyncio.IncompleteReadError, ConnectionError):
                return Answer(0, b"", b"")
        return Answer(status, head, body)

    async def closed(self, seconds: float = 60) -> bool:
        """Whether the other side ends the connection in time."""
        try:
            async with asyncio.timeout(seconds):
                while await self.reader.read(1 << 16):
                    pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True

    async def aclose(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


def get(path: str, token: str = "member-a-token", *, more: str = "") -> bytes:
    """A whole GET; ``more``: further header lines, each with its end."""
    known = f"X-Auth-Token: {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: api\r\n{known}{more}\r\n".encode()


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [int(one.getsockname()[1]) for one in made]


@contextlib.asynccontextmanager
async def running(
    folder: pathlib.Path, database: str, *, own: str = "", default: str = "", more: str = "", descriptors: int = 0
) -> AsyncIterator[Target]:
    """The API with a configuration; ended with SIGTERM, which must succeed and leave no trace of a stack in its log.

    Args:
        own: lines of section ``openkeel``; ``static_tokens`` says where tokens come from unless it is given there.
        descriptors: its limit of file descriptors, soft and hard; 0 leaves that of the tests.
    """
    port, metrics = free_ports(2)
    tokens = "" if "static_tokens" in own else f"static_tokens = {TOKENS}\n"
    file = folder / "manila.conf"
    file.write_text(
        f"[DEFAULT]\nosapi_share_listen = {HOST}\nosapi_share_listen_port = {port}\n{default}\n"
        f"[database]\nconnection = {database}\n[openkeel]\n{tokens}metrics_port = {metrics}\n{own}\n{more}\n"
    )

    def limit() -> None:
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    with (folder / "err").open("wb") as errors:
        command = [sys.executable, "-m", "cli.api", "--config-file", str(file)]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=errors, preexec_fn=limit)
        target = Target(port, metrics, process.pid, folder)
        try:
            await _wait(target, process)
            yield target
        finally:
            if process.returncode is None:
                process.terminate()
            async with asyncio.timeout(60):
                code = await process.wait()
    assert code == 0, target.log
    assert "Traceback" not in target.log, target.log


async def _wait(target: Target, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(90):
        while process.returncode is None:
            with contextlib.suppress(OSError):
                if (await target.get("/healthcheck")).status == 200:
                    return
            await asyncio.sleep(0.1)
    raise RuntimeError(target.log)
