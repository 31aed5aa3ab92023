"""The back end on the lab: images, agents on every node, two tenants with one CIDR and one address."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from deploy.images.build import build
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.prepare import IMAGES, PROGRAMS
from tests.kube.node.release import Databases, Helm, usual_kubelet_folders
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
    # the next build, of another state of the sources, would remove them, and an import takes its time
    for own in [_kept(archive, lab.place.base) for archive in archives.values()]:
        lab.import_image(own)
        own.unlink()
    print(f"\nimages built {built - begin:.1f} s, on all nodes {time.monotonic() - built:.1f} s")
    return lab


def _kept(archive: Path, folder: Path) -> Path:
    own = folder / archive.name
    try:
        os.link(archive, own)
    except OSError:
        shutil.copy(archive, own)
    return own


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


@pytest.fixture(scope="session")
def helm(images: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Helm:
    """helm, on a lab that has all images."""
    begin = time.monotonic()
    for archive in build(PROGRAMS).values():
        images.import_image(archive)
    usual_kubelet_folders(images)
    print(f"{len(PROGRAMS)} images on {len(images.nodes)} nodes after {time.monotonic() - begin:.0f} s")
    return Helm(images, tmp_path_factory.mktemp("helm"))


@pytest.fixture(scope="session")
def databases(lab: Cluster, helm: Helm) -> Iterator[Databases]:
    """A PostgreSQL from its image."""
    made = Databases(lab)
    made.start()
    yield made
    made.remove()
