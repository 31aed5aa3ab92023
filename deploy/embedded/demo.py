"""The main job, shown with ordinary clients: two tenants with one CIDR, a share for each, and who can reach what.

``python -m deploy.embedded.demo [--dummy] [--keep] [--folder FOLDER] [--log-level DEBUG]``. Every command and its
result is printed; exit status 1 when one did not do what it should. ``... demo [--folder FOLDER] shell tenant-a`` is a
shell in a tenant's machine, beside a demonstration that is kept.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends what is not begun yet without a traceback

import argparse
import asyncio
import json
import os
import pathlib
import shlex
import sys
from collections.abc import Callable
from typing import Any

from deploy.bootstrap import ROOT, VENV
from deploy.embedded import claim, machines, shell
from deploy.embedded.running import Installation, installation
from deploy.embedded.shell import TENANTS

CLIENT = "10.0.0.5"
"""Address of a machine in either tenant's network."""
SUPPORTED = ("snapshot", "create-share-from-snapshot", "revert-to-snapshot", "mount-snapshot")
"""What shares of the demonstration's type can do."""
FILE, TEXT = "hello.txt", "written over NFSv4.1"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends it: Ctrl-C, ``kill``, a terminal that is closed."""


class Failed(Exception):
    """A step of the demonstration did not do what it should."""


class Show:
    """Runs commands and prints them with their results."""

    def __init__(self, on: Installation, plugs: machines.Plugs | None) -> None:
        self.on, self.plugs = on, plugs

    async def openstack(self, cloud: str, command: str) -> Any:
        """Run an ``openstack`` command as a tenant; what it printed as JSON, None if nothing. Raises Failed."""
        print(f"\n[{cloud}] $ openstack {command}", flush=True)
        arguments = shlex.split(command)
        shown = {"list", "show", "create"} & set(arguments)
        status, out, err = await execute(
            str(VENV / "bin" / "openstack"), *arguments, *(["-f", "json"] if shown else []), cloud=cloud, on=self.on
        )
        if status:
            raise Failed(f"exit status {status}: {err.strip()}")
        answer = json.loads(out) if out.strip() else None
        for row in answer if isinstance(answer, list) else [answer] if answer else ["(done)"]:
            print("   ", machines.short(row), flush=True)
        return answer

    async def nfs(self, cloud: str, address: str, path: str, *what: str) -> dict[str, Any]:
        """Run the NFS client on the tenant's machine."""
        assert self.plugs is not None
        print(f"\n[{cloud}'s machine {CLIENT}] nfs {address}:{path} {' '.join(what)}", flush=True)
        program = [sys.executable, "-m", "deploy.embedded.nfs", address, path, *what]
        status, out, err = await execute(*self.plugs.inside(cloud, *program), on=self.on)
        if status:
            raise Failed(err)
        answer: dict[str, Any] = json.loads(out)
        print("   ", json.dumps(answer), flush=True)
        return answer


async def execute(*command: str, on: Installation, cloud: str | None = None) -> tuple[int, str, str]:
    """Run a program to its end: exit status, output, error output."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OS_CLIENT_CONFIG_FILE": str(on.places.clouds)}
    if cloud:
        env["OS_CLOUD"] = cloud
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=env)
    out, err = await child.communicate()
    return child.returncode or 0, out.decode(), err.decode()


def expect(holds: bool, sentence: str) -> None:
    """Print what was to be shown, or raise Failed."""
    if not holds:
        raise Failed(f"not so: {sentence}")
    print(f"    => {sentence}", flush=True)


async def tenant(show: Show, cloud: str) -> tuple[str, str]:
    """A tenant makes a share network, a share and a rule; the share's address and path."""
    network = show.on.network_of(cloud)
    subnet = network["subnets"][0]
    net = f"--neutron-net-id {network['id']} --neutron-subnet-id {subnet}"
    await show.openstack(cloud, f"share network create --name net {net}")
    share = await show.openstack(
        cloud, "share create NFS 1 --name docs --share-network net --share-type default --wait"
    )
    expect(share["status"] == "available", "the share is available")
    rule = await show.openstack(cloud, f"share access create docs ip {CLIENT} --access-level rw --wait")
    expect(rule["state"] == "active", "the rule is active")
    places = await show.openstack(cloud, "share export location list docs")
    address, _, path = places[0]["Path"].rpartition(":")
    shell.note(show.on.places.folder, cloud, shell.Share(address, path))
    return address, path


async def perform(show: Show) -> None:
    """The whole demonstration. Raises Failed at the first step that does not do what it should."""
    able = " ".join(f"--{name}-support true" for name in SUPPORTED)
    described = "--description 'one gateway per share network'"
    await show.openstack("admin", f"share type create default true {able} {described}")
    address, path = await tenant(show, "tenant-a")
    listed = await show.openstack("tenant-b", "share list")
    expect(not listed, "tenant-b sees no share of tenant-a")
    other_address, other_path = await tenant(show, "tenant-b")
    if show.plugs is None:
        print("\n(the NFS part is left out: it needs root and the Debian packages of the data path)")
    else:
        for cloud in TENANTS:
            await show.plugs.add(cloud, show.on.network_of(cloud)["id"], CLIENT)
        wrote = await show.nfs("tenant-a", address, path, "write", FILE, TEXT)
        expect(wrote["ok"] and wrote["version"].startswith("4.1"), "tenant-a wrote a file over NFSv4.1")
        read = await show.nfs("tenant-a", address, path, "read", FILE)
        expect(read.get("text") == TEXT, "and reads it back")
        foreign = await show.nfs("tenant-b", address, path, "read", FILE)
        expect(not foreign["ok"], f"tenant-b, whose machine has the same address {CLIENT}, does not reach it")
        own = await show.nfs("tenant-b", other_address, other_path, "see")
        expect(own["ok"], "but does reach its own share")
    await show.openstack("tenant-a", "share show docs")


async def clean(show: Show, *, anyway: bool = False) -> None:
    """Take everything away again, with the same clients.

    Args:
        anyway: somebody has worked with it meanwhile: what is gone, or can't go, holds nothing up. All of it ends with
            the installation.
    """
    for cloud in TENANTS:
        for command in ("share delete docs --wait", "share network delete net"):
            try:
                await show.openstack(cloud, command)
            except Failed as error:
                if not anyway:
                    raise
                print(f"    (left to the installation's end: {str(error).splitlines()[-1]})", flush=True)


async def run(arguments: argparse.Namespace) -> int:
    """Bring up, show, take down; the exit status."""
    dummy = arguments.dummy
    folder = arguments.folder.resolve()
    plugs = None if dummy else machines.Plugs(folder)
    async with installation(folder, dummy=dummy, log_level=arguments.log_level) as on:
        show = Show(on, plugs)
        print(f"up: API {on.places.api}/v2, Keystone {on.places.identity}/v3, {'dummy driver' if dummy else 'Ganesha'}")
        status = 0
        try:
            await perform(show)
            print("\nIt works.")
            if arguments.keep:
                await kept(on, with_machines=plugs is not None)
            await clean(show, anyway=arguments.keep)
        except Failed as error:
            print(f"\nFAILED: {error}\n(the service's log: {on.places.log})")
            status = 1
        finally:
            if plugs is not None:
                await plugs.remove()
    return status


async def kept(on: Installation, *, with_machines: bool) -> None:
    """Tell how to use the installation, and wait for Ctrl-C.

    Args:
        with_machines: tenants have machines; what runs there is ended then.
    """
    print(f"\nexport OS_CLIENT_CONFIG_FILE={on.places.clouds}\n{VENV}/bin/openstack --os-cloud tenant-a share list")
    if with_machines:
        print("python3 noxfile.py demo -- shell tenant-a    # a shell in the tenant's machine, with its share")
    stop = asyncio.Event()
    at_signals(stop.set)
    print("Ctrl-C ends it.", flush=True)
    await stop.wait()
    if with_machines:
        await asyncio.to_thread(machines.vacate, on.places.folder)


async def ended_early(arguments: argparse.Namespace) -> int:
    """``run``, which a signal ends at any moment with nothing left; the exit status, 130 then."""
    work = asyncio.ensure_future(run(arguments))

    def cancel() -> None:
        at_signals(lambda: None)  # what is already being taken down is not disturbed by a second signal
        work.cancel()

    at_signals(cancel)
    try:
        return await work
    except asyncio.CancelledError:
        print("\nended before its time; everything is down", flush=True)
        return 130


def at_signals(act: Callable[[], None]) -> None:
    """From now on ``act`` when a signal arrives that ends the demonstration; one that is ignored (nohup) stays so."""
    for number in SIGNALS:
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, act)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dummy", action="store_true", help="the dummy driver, without the NFS part; needs no root")
    parser.add_argument("--keep", action="store_true", help="stay up at the end, for your own commands")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".embedded", help="where it keeps its files")
    parser.add_argument("--log-level", default="INFO", help="of the service's log in the folder")
    parser.add_argument("words", nargs="*", metavar="shell TENANT", help="a shell in the machine of a tenant")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if arguments.words:
        if len(arguments.words) != 2 or arguments.words[0] != "shell":
            parser.error(f"not understood: {' '.join(arguments.words)}")
        return shell.run(folder, arguments.words[1])
    try:
        with claim.claimed(folder):
            return asyncio.run(ended_early(arguments))
    except claim.Taken as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
