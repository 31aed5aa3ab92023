"""A running guest: a tap device in a tenant's switch, Python sent to its agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway.command import run

BOOT_SECONDS = 300
# emulation on purpose: a /dev/kvm that opens says nothing about whether a guest gets past its first instructions
MACHINE = "-M q35 -accel tcg,tb-size=32 -cpu max -smp 1 -nodefaults -no-user-config -display none -no-reboot"
KERNEL = "console=ttyS0 quiet loglevel=4 panic=-1 tsc=reliable no_timer_check random.trust_cpu=on net.ifnames=0"


class Guest:
    """One virtual machine at ``address`` (with prefix length) in the switch namespace ``switch``.

    Args:
        memory: MiB.
        disks: files that are its disks: /dev/vda, /dev/vdb, ...
    """

    def __init__(
        self,
        image: Path,
        folder: Path,
        name: str,
        switch: str,
        address: str,
        *,
        memory: int = 256,
        disks: Sequence[Path] = (),
    ) -> None:
        self.folder = folder
        self._memory = memory
        self._disks = disks
        self._image = image
        self._name = name
        self._switch = switch
        self._address = address
        self._tap = f"t{name}"[:15]
        self._number = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def start(self) -> None:
        """Plug in, boot, wait for the agent."""
        for command in (
            ("tuntap", "add", "dev", self._tap, "mode", "tap"),
            ("link", "set", self._tap, "master", "br0", "up"),
        ):
            await run(*inside(self._switch, "ip", *command))
        ready = self._answers[0] = asyncio.get_running_loop().create_future()
        self._process = await asyncio.create_subprocess_exec(*inside(self._switch, *self._command()))
        reader, self._writer = await self._connect(self.folder / "agent")
        self._reader = asyncio.create_task(self._listen(reader))
        try:
            await asyncio.wait_for(ready, BOOT_SECONDS)
        except TimeoutError as error:
            raise RuntimeError("guest did not boot: " + self.console()[-1500:]) from error

    async def _connect(self, socket: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect as soon as the machine listens, which is a moment after the socket's name is there."""
        async with asyncio.timeout(10):
            while True:
                try:
                    return await asyncio.open_unix_connection(socket)
                except (FileNotFoundError, ConnectionRefusedError):
                    await asyncio.sleep(0.01)

    def _command(self) -> list[str]:
        last = int(self._address.split("/")[0].rsplit(".", 1)[1])
        return [
            "qemu-system-x86_64",
            *MACHINE.split(),
            *("-m", str(self._memory)),
            *("-kernel", str(self._image / "vmlinuz"), "-initrd", str(self._image / "initrd.gz")),
            *("-append", f"{KERNEL} vmname={self._name} ip={self._address} rdinit=/init"),
            *("-serial", f"file:{self.folder / 'console'}"),
            *("-netdev", f"tap,id=n0,ifname={self._tap},script=no,downscript=no"),
            *("-device", f"virtio-net-pci,netdev=n0,mac=52:54:00:00:00:{last:02x},romfile="),
            *("-chardev", f"socket,id=c0,path={self.folder / 'agent'},server=on,wait=off"),
            *("-device", "virtio-serial-pci", "-device", "virtserialport,chardev=c0,name=agent"),
            *(word for number, disk in enumerate(self._disks) for word in _disk(number, disk)),
        ]

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            message = json.loads(line)
            if (future := self._answers.pop(message["id"], None)) is not None and not future.done():
                future.set_result(message)

    def post(self, code: str) -> asyncio.Future[dict[str, Any]]:
        """Send Python and do not wait."""
        assert self._writer is not None
        self._number += 1
        future = self._answers[self._number] = asyncio.get_running_loop().create_future()
        self._writer.write((json.dumps({"id": self._number, "code": code}) + "\n").encode())
        return future

    async def __call__(self, code: str, seconds: float = 60) -> Any:
        """Run Python in the guest; answers what it left in ``r``."""
        return result(await asyncio.wait_for(self.post(code), seconds))

    async def expression(self, code: str, seconds: float = 60) -> Any:
        """The value of an expression."""
        return await self(f"r = {code}", seconds)

    def console(self) -> str:
        """What the guest printed."""
        place = self.folder / "console"
        return place.read_text(errors="replace") if place.exists() else ""

    async def stop(self) -> None:
        """End the machine and unplug it."""
        if self._reader is not None:
            self._reader.cancel()
        if self._writer is not None:
            self._writer.close()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
            await run(*inside(self._switch, "ip", "link", "del", self._tap))


def _disk(number: int, file: Path) -> tuple[str, ...]:
    # nobody but the guest uses the file, and it is thrown away: nothing needs to reach this machine's disk
    drive = f"id=d{number},if=none,format=raw,cache=unsafe,discard=unmap,file={file}"
    return "-drive", drive, "-device", f"virtio-blk-pci,drive=d{number}"


def result(message: dict[str, Any]) -> Any:
    """The value of an answer; raises what went wrong in the guest."""
    if "error" in message:
        raise RuntimeError(message["error"])
    return message["r"]
