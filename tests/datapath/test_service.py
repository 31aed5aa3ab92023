"""The whole service on Ganesha, over HTTP: from a share type to a clone that a client reads."""

from __future__ import annotations

import asyncio
import os
import pathlib
import shutil
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from deploy.embedded import machines
from deploy.embedded.accounts import Account
from deploy.embedded.running import Installation, installation
from tests.datapath.lab import AGENT, Client, restored

pytestmark = [pytest.mark.datapath, pytest.mark.slow]

SPECS = {"driver_handles_share_servers": "True"} | {
    f"{name}_support": "True"
    for name in ("snapshot", "create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot")
}
GIB = 2**30


class Api:
    """Requests of one project to the share service."""

    def __init__(self, on: Installation, project: str) -> None:
        self._account: Account = next(one for one in on.accounts if one.project == project)
        self._on = on
        self._client = httpx2.AsyncClient(base_url=f"{on.places.api}/v2", timeout=20)

    async def log_in(self) -> None:
        """Get a token."""
        account = self._account
        user = {"name": account.user, "domain": {"id": "default"}, "password": account.password}
        project = {"name": account.project, "domain": {"id": "default"}}
        body = {"identity": {"methods": ["password"], "password": {"user": user}}, "scope": {"project": project}}
        answer = await self._client.post(f"{self._on.places.identity}/v3/auth/tokens", json={"auth": body})
        headers = {"X-Auth-Token": answer.headers["X-Subject-Token"], "X-OpenStack-Manila-API-Version": "2.99"}
        headers["X-OpenStack-Manila-API-Experimental"] = "true"
        self._client.headers.update(headers)

    async def __call__(self, method: str, path: str, body: Any = None) -> Any:
        """The decoded answer; fails on an error."""
        answer = await self._client.request(method, path, json=body)
        assert answer.status_code < 400, answer.text
        return answer.json() if answer.content else None

    async def until(self, path: str, key: str, *wanted: str, field: str = "status") -> Any:
        """Poll until the row's status is one of ``wanted``; "gone" stands for 404."""
        end = time.monotonic() + 30
        while True:
            answer = await self._client.get(path)
            found = "gone" if answer.status_code == 404 else answer.json()[key][field]
            if found in wanted:
                return None if found == "gone" else answer.json()[key]
            assert "error" not in found and time.monotonic() < end, answer.text
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


@pytest.fixture(scope="module")
async def on() -> AsyncIterator[Installation]:
    """The service with its stand-ins."""
    folder = pathlib.Path(f"/var/tmp/okm-{os.getpid()}")
    try:
        async with installation(folder, dummy=False, log_level="DEBUG") as running:
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def tenant(on: Installation) -> AsyncIterator[Api]:
    """tenant-a with a share type to use."""
    admin, own = Api(on, "admin"), Api(on, "tenant-a")
    await admin.log_in()
    await own.log_in()
    await admin("POST", "/types", {"share_type": {"name": "default", "extra_specs": SPECS}})
    yield own
    await admin.close()
    await own.close()


async def test_the_life_of_a_share(on: Installation, tenant: Api) -> None:
    net = on.network_of("tenant-a")
    body = {"neutron_net_id": net["id"], "neutron_subnet_id": net["subnets"][0]}
    network = (await tenant("POST", "/share-networks", {"share_network": body}))["share_network"]["id"]
    plugs = machines.Plugs(on.places.folder)
    await plugs.add("tenant-a", net["id"], "10.0.0.5")
    process = await asyncio.create_subprocess_exec(
        *plugs.inside("tenant-a", sys.executable, str(AGENT)), stdin=-1, stdout=-1
    )
    client = Client(process)
    try:
        share, location = await _make(tenant, network)
        await client.mount(location)
        await client("write", name="f", text="old")

        snapshot = (await tenant("POST", "/snapshots", {"snapshot": {"share_id": share}}))["snapshot"]["id"]
        await tenant.until(f"/snapshots/{snapshot}", "snapshot", "available")
        await client("write", name="f", text="new")
        await client.mount(await _open(tenant, snapshot))
        assert await client("read", name="f") == "old"
        assert await client.outcome("write", name="g", text="x") == "NFS4ERR_ROFS"
        clone, clone_location = await _make(tenant, network, snapshot_id=snapshot)
        await client.mount(clone_location)
        assert await client("read", name="f") == "old"

        await client.mount(location)
        assert await client("read", name="f") == "new"
        await tenant("POST", f"/shares/{share}/action", {"revert": {"snapshot_id": snapshot}})
        await tenant.until(f"/shares/{share}", "share", "available")
        assert await client("read", name="f") == "old"

        await tenant("POST", f"/shares/{share}/action", {"extend": {"new_size": 2}})
        assert (await tenant.until(f"/shares/{share}", "share", "available"))["size"] == 2
        total, _ = await client("df")
        assert 2 * GIB <= total < 2.02 * GIB
        await tenant("POST", f"/shares/{share}/action", {"shrink": {"new_size": 1}})
        assert (await tenant.until(f"/shares/{share}", "share", "available"))["size"] == 2

        await tenant("DELETE", f"/snapshots/{snapshot}")
        await tenant.until(f"/snapshots/{snapshot}", "snapshot", "gone")
        for one in (share, clone):
            await tenant("DELETE", f"/shares/{one}")
            await tenant.until(f"/shares/{one}", "share", "gone")
        assert await client.outcome("read", name="f") == "NFS4ERR_STALE"
        await tenant("DELETE", f"/share-networks/{network}")
    finally:
        await client.close()
        await plugs.remove()


async def test_a_share_is_backed_up_and_restored(on: Installation, tenant: Api) -> None:
    """By the data service and by the back end; the other tenant's, so that its network is nobody else's."""
    other, net = Api(on, "tenant-b"), on.network_of("tenant-b")
    await other.log_in()
    body = {"neutron_net_id": net["id"], "neutron_subnet_id": net["subnets"][0]}
    network = (await other("POST", "/share-networks", {"share_network": body}))["share_network"]["id"]
    plugs = machines.Plugs(on.places.folder)
    await plugs.add("tenant-b", net["id"], "10.0.0.5")
    process = await asyncio.create_subprocess_exec(
        *plugs.inside("tenant-b", sys.executable, str(AGENT)), stdin=-1, stdout=-1
    )
    client = Client(process)
    try:
        share, location = await _make(other, network)
        for options in ({}, {"backup_options": {"backup_type": "image"}}):
            await client.mount(location)
            await client("write", name="f", text="old")
            wanted = {"share_backup": {"share_id": share, **options}}
            backup = (await other("POST", "/share-backups", wanted))["share_backup"]["id"]
            shown = await other.until(f"/share-backups/{backup}", "share_backup", "available")
            assert shown["progress"] == "100"
            await client("write", name="f", text="new")
            await other("POST", f"/share-backups/{backup}/action", {"restore": None})
            await other.until(f"/shares/{share}", "share", "available")
            await client.mount(location)
            await restored(client, "f", "old")
            rules = (await other("GET", f"/share-access-rules?share_id={share}"))["access_list"]
            assert [rule["access_to"] for rule in rules] == ["10.0.0.5"]
            await other("DELETE", f"/share-backups/{backup}")
            await other.until(f"/share-backups/{backup}", "share_backup", "gone")
        await other("DELETE", f"/shares/{share}")
        await other.until(f"/shares/{share}", "share", "gone")
        assert not list((on.places.folder / "data").iterdir())
    finally:
        await client.close()
        await plugs.remove()
        await other.close()


async def _open(tenant: Api, snapshot: str) -> str:
    """Let 10.0.0.5 read a snapshot; where to mount it."""
    rule = {"access_type": "ip", "access_to": "10.0.0.5"}
    await tenant("POST", f"/snapshots/{snapshot}/action", {"allow_access": rule})
    end = time.monotonic() + 30
    while (await tenant("GET", f"/snapshots/{snapshot}/access-list"))["snapshot_access_list"][0]["state"] != "active":
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    locations = (await tenant("GET", f"/snapshots/{snapshot}/export-locations"))["share_snapshot_export_locations"]
    return str(locations[0]["path"])


async def _make(tenant: Api, network: str, **more: str) -> tuple[str, str]:
    """A share with a rule for 10.0.0.5; its id and where to mount it."""
    body = {"share_proto": "NFS", "size": 1, "share_network_id": network} | more
    share = (await tenant("POST", "/shares", {"share": body}))["share"]["id"]
    await tenant.until(f"/shares/{share}", "share", "available")
    rule = {"access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
    made = await tenant("POST", f"/shares/{share}/action", {"allow_access": rule})
    await tenant.until(f"/share-access-rules/{made['access']['id']}", "access", "active", field="state")
    locations = await tenant("GET", f"/shares/{share}/export_locations")
    return share, locations["export_locations"][0]["path"]
