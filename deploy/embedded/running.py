"""Bring an embedded installation up for the time of a block: stand-ins in this process, the service in another."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2
import uvicorn

from deploy import bootstrap
from deploy.bootstrap import ROOT
from deploy.embedded import accounts, claim, config, identity, machines, networks

START_SECONDS = 300.0
STOP_SECONDS = 60.0
"""Long, for a machine that has much else to do; a service that dies is noticed at once."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A running embedded installation."""

    places: config.Places
    accounts: list[accounts.Account]
    networks: networks.Networks
    identity: identity.Identity

    def network_of(self, project: str) -> dict[str, Any]:
        """The tenant network of a project, by the project's name."""
        account = next(one for one in self.accounts if one.project == project)
        rows = self.networks.tables["networks"].values()
        return next(row for row in rows if row["project_id"] == account.project_id)


def _listen() -> socket.socket:
    """A socket on a free port of the loopback address."""
    found = socket.socket()
    found.bind(("127.0.0.1", 0))
    return found


@contextlib.asynccontextmanager
async def serving(app: Any, on: socket.socket) -> AsyncIterator[None]:
    """Serve an ASGI application on a bound socket for the time of the block."""
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
    task = asyncio.create_task(server._serve(sockets=[on]))
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = server.force_exit = True
        await task


@contextlib.asynccontextmanager
async def installation(folder: pathlib.Path, *, dummy: bool, log_level: str = "INFO") -> AsyncIterator[Installation]:
    """Everything up, on a folder that is emptied first. The back end's parts go when the block ends.

    Args:
        dummy: the dummy driver instead of Ganesha; needs no root.
        log_level: of the service's log, ``manila.log`` in the folder.

    Raises:
        RuntimeError: the service ended or did not answer in time; its log's last lines are in the text.
    """
    await asyncio.to_thread(machines.sweep, folder)
    await asyncio.to_thread(claim.emptied, folder)
    people = accounts.standard()
    at_identity, at_neutron, at_api = _listen(), _listen(), _listen()
    ports = [one.getsockname()[1] for one in (at_identity, at_neutron, at_api)]
    at_api.close()
    local = "http://127.0.0.1"
    places = config.Places(folder, ports[2], f"{local}:{ports[0]}", f"{local}:{ports[1]}")
    api = f"{places.api}/v2"
    catalogue = {"sharev2": api, "shared-file-system": api, "network": places.neutron}
    keystone = identity.Identity(places.identity, people, catalogue)
    neutron = networks.Networks()
    for number, account in enumerate(people):
        if account.project.startswith("tenant"):
            neutron.add_network(f"{account.project}-net", account.project_id, 1000 + number)
    ganesha = None if dummy else await asyncio.to_thread(bootstrap.ganesha)
    config.write(places, people, dummy=dummy, log_level=log_level, ganesha=ganesha)
    async with (
        _swept(folder),
        serving(identity.application(keystone), at_identity),
        serving(networks.application(neutron, keystone), at_neutron),
        _service(places),
    ):
        yield Installation(places, people, neutron, keystone)


@contextlib.asynccontextmanager
async def _swept(folder: pathlib.Path) -> AsyncIterator[None]:
    """When the block and with it the service has ended, nothing of the back end is left."""
    try:
        yield
    finally:
        await asyncio.to_thread(machines.sweep, folder)


@contextlib.asynccontextmanager
async def _service(places: config.Places) -> AsyncIterator[None]:
    with places.log.open("w") as log:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", machines.SERVICE, "--config-file", str(places.conf)),
            stdout=log,
            stderr=log,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            start_new_session=True,  # Ctrl-C in a terminal is for this process, which needs the service to clean up
        )
    try:
        await _answers(child, places)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
        try:
            await asyncio.wait_for(child.wait(), STOP_SECONDS)
        except TimeoutError:
            child.kill()
            await child.wait()


async def _answers(child: asyncio.subprocess.Process, places: config.Places) -> None:
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with httpx2.AsyncClient() as client:
        while child.returncode is None and asyncio.get_running_loop().time() < deadline:
            with contextlib.suppress(httpx2.TransportError):
                await client.get(places.api)
                return
            await asyncio.sleep(0.1)
    tail = "\n".join(places.log.read_text().splitlines()[-15:])
    raise RuntimeError(f"the service did not start; the end of {places.log}:\n{tail}")
