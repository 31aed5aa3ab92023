"""The back end on the lab: images, agents on every node, two tenants with one CIDR and one address."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest

from deploy.images.build import build
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.prepare import IMAGES
from tests.kube.node.site import Site
from tests.lab.cluster import Cluster


@pytest.fixture(scope="session")
def images(lab: Cluster) -> Cluster:
    """The lab with the images of gateways and nodes' agents."""
    begin = time.monotonic()
    try:
        archives = build(IMAGES)
    except (SystemExit, OSError) as error:
        pytest.skip(f"no images, and the lab has no way to Debian's archive: {error}")
    built = time.monotonic()
    for archive in archives.values():
        lab.import_image(archive)
    print(f"\nimages built {built - begin:.1f} s, on all nodes {time.monotonic() - built:.1f} s")
    return lab


@pytest.fixture(scope="session")
async def site(images: Cluster) -> AsyncIterator[Site]:
    """An installation."""
    made = Site(images, "gateways")
    begin = time.monotonic()
    made.install()
    print(f"agents run after {time.monotonic() - begin:.1f} s")
    await made.driver.do_setup()
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture(scope="session")
async def server(site: Site) -> Row:
    """The share server of tenant a."""
    return await site.server("a")


@pytest.fixture(scope="session")
async def five(site: Site, server: Row) -> Client:
    """The client 10.7.0.5 of tenant a."""
    return await site.client("a", "10.7.0.5")
