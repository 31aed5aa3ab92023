"""What docs/day-2.md says of back ends, passwords and a release that is made anew, done under a client that writes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any, Final

import psycopg
import pytest
import yaml

from deploy.helm import build as helm_build
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import ready
from tests.deploy.chart.rendered import CHART
from tests.kube.node.cloud import Bridges, Cloud, cloud, until
from tests.kube.node.release import Databases, Helm
from tests.kube.node.site import pumping
from tests.lab.cluster import Cluster
from tests.lab.storage import CLASS

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.allow_hosts(["10.88.0.0/16", "127.0.0.1"]),
    pytest.mark.skipif(helm_build.built() is None, reason=helm_build.MISSING),
]
RELEASE: Final = "days"
TENANT: Final = "tenant-a"
WORDS: Final = (RELEASE, str(CHART), "--namespace", RELEASE, "--wait", "--timeout", "5m")
OTHER: Final = {
    "share_driver": "ganesha-kubernetes",
    "driver_handles_share_servers": True,
    "kubernetes_storage_class": CLASS,
    "kubernetes_snapshot_class": CLASS,
}
"""The section of one more back end."""
Row = dict[str, Any]


@pytest.fixture(scope="module")
def owned(databases: Databases) -> str:
    """URL of a database whose owner the service is, as the installation page has it; by the name ``days``."""
    with psycopg.connect(databases["manila"], autocommit=True) as conn:
        conn.execute("CREATE ROLE days LOGIN PASSWORD 'first'")
        conn.execute("CREATE DATABASE days OWNER days")
    return databases["manila"].replace("manila:trial@", "days:first@").removesuffix("manila") + "days"


@pytest.fixture(scope="module")
async def days(lab: Cluster, helm: Helm, owned: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cloud]:
    async with cloud(lab, tmp_path_factory.mktemp("cloud"), helm, RELEASE, Bridges(), owned) as made:
        yield made


@pytest.fixture(scope="module")
async def place(days: Cloud) -> str:
    """Location of the share that the client writes to."""
    return await days.share(TENANT, "docs")


@contextlib.asynccontextmanager
async def writing(days: Cloud, place: str, what: str) -> AsyncIterator[None]:
    """A client writes meanwhile; it is kept from nothing, and nothing acknowledged is lost."""
    async with pumping(days.machine(TENANT), place) as end:
        await asyncio.sleep(1)
        yield
        seen = await end()
    print(f"{what}: gap {seen['gap']:.1f} s, {seen['writes']} writes, errors {seen['errors']}")
    assert seen["lost"] == 0 and set(seen["errors"]) <= {"NfsTimeoutError"}


async def _host(days: Cloud, name: str) -> Row | None:
    """The service of a back end."""
    found = await days.openstack("admin", "share service list")
    return next((one for one in found if one["Host"].endswith(f"@{name}")), None)


async def _until_host(days: Cloud, name: str, state: str | None) -> None:
    found: Row | None = None
    try:
        async with asyncio.timeout(150):
            while ((found := await _host(days, name)) and found["State"]) != state:
                await asyncio.sleep(1)
    except TimeoutError:
        pytest.fail(f"the service of {name} should be {state}, and is {found}")


async def test_a_back_end_is_added_and_goes_again(days: Cloud, place: str, helm: Helm, owned: str) -> None:
    first = _backends(days)
    async with writing(days, place, "another back end"):
        both = days.values(owned, backends={**first, "second": OTHER})
        await asyncio.to_thread(helm, "upgrade", *WORDS, text=both)
        await asyncio.to_thread(days.api_is_there)
        await _until_host(days, "second", "up")
        await days.openstack("admin", "share type create other true --extra-specs share_backend_name=second")
        made = await days.openstack(
            TENANT, "share create NFS 1 --share-type other --share-network net --name more --wait"
        )
        assert made["status"] == "available", await days.complaint(TENANT)
        await days.openstack(TENANT, "share delete more --wait")
        await _retire(days)
        await asyncio.to_thread(helm, "upgrade", *WORDS, text=days.values(owned))
        await asyncio.to_thread(days.api_is_there)
        await _until_host(days, "second", "stopped")
        days.in_pod("api", "manila-manage", "service", "cleanup")
        await days.openstack("admin", "share type delete other")
    assert await _host(days, "second") is None
    found = await _host(days, "ganesha")
    assert found is not None and found["State"] == "up"


async def _retire(days: Cloud) -> None:
    """Empty the second back end, as the page says, without waiting for the regular removal of its server."""
    service = await _host(days, "second")
    assert service is not None
    await days.openstack("admin", f"share service set --disable {service['Host']} manila-share")
    assert await days.openstack("admin", f"share list --all-projects --host {service['Host']}") == []
    for server in await days.openstack("admin", f"share server list --host {service['Host']}"):
        await days.openstack("admin", f"share server delete {server['ID']} --wait")
    orphans = json.loads(days.in_pod("share", "manila-manage", "backend", "orphans", "--json"))["orphans"]
    assert [one for one in orphans if one.get("backend") == "second"] == []


def _backends(days: Cloud) -> Row:
    """The sections of the back ends as the release has them."""
    found: Row = yaml.safe_load(days.values(None))["backends"]
    return found


async def test_the_password_of_the_database_is_changed(
    days: Cloud, place: str, helm: Helm, owned: str, databases: Databases
) -> None:
    new = owned.replace("days:first@", "days:second@")
    async with writing(days, place, "another password"):
        with psycopg.connect(databases["manila"], autocommit=True) as conn:
            conn.execute("ALTER ROLE days PASSWORD 'second'")
        await asyncio.to_thread(helm, "upgrade", *WORDS, text=days.values(new))
        await asyncio.to_thread(days.api_is_there)
        await days.answers()
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(owned).close()
        await days.openstack(TENANT, "share resize docs 2 --wait")
    assert (await days.openstack(TENANT, "share show docs"))["size"] == 2


async def test_a_release_made_anew_takes_over_what_is_there(days: Cloud, place: str, helm: Helm, owned: str) -> None:
    """Uninstalled with a share in use: its client goes on, and who installs again has what there was."""
    before = _gateway(days)
    async with writing(days, place, "uninstalled and installed again"):
        await asyncio.to_thread(helm, "uninstall", RELEASE, "--namespace", RELEASE, "--wait", "--timeout", "3m")
        await asyncio.sleep(5)
        assert _gateway(days) == before, "it is kept"
        text = days.values(owned.replace("days:first@", "days:second@"))
        await asyncio.to_thread(helm, "install", *WORDS, text=text)
        await asyncio.to_thread(days.api_is_there)
        await days.answers()
        await days.allow(TENANT, "docs", "10.0.0.77")
        await days.openstack(TENANT, "share resize docs 3 --wait")
        await days.share(TENANT, "later")
    assert _gateway(days) == before
    days.lab.kubectl("-n", days.gateways, "delete", "pod", before[0], "--wait=false")
    await until("the next gateway serves", lambda: _gateway(days) != before and _ready(days), 120)
    async with writing(days, place, "behind the next gateway"):
        await asyncio.sleep(12)


def _gateway(days: Cloud) -> tuple[str, str]:
    """Name and identity of the pod of the tenant's gateway."""
    (pod,) = days.objects("pods", f"{names.ROLE}=gateway")
    return pod["metadata"]["name"], pod["metadata"]["uid"]


def _ready(days: Cloud) -> bool:
    return all(map(ready, days.objects("pods", f"{names.ROLE}=gateway")))


async def test_nothing_is_left(days: Cloud) -> None:
    for share in ("later", "docs"):
        await days.openstack(TENANT, f"share delete {share} --wait")
    for tenant in ("tenant-a", "tenant-b"):
        await days.openstack(tenant, "share network delete net")
    took = await until("nothing is left", lambda: days.left() == [])
    print(f"nothing is left after {took:.1f} s")
