"""The back end on the lab: images, agents on every node, two tenants with one CIDR and one address."""

from __future__ import annotations

import os
import pathlib
import shutil
import time
from collections.abc import AsyncIterator, Iterable, Iterator

import pytest

from deploy.images.build import build
from tests.datapath import fixtures
from tests.kube.node.prepare import IMAGES, PROGRAMS
from tests.kube.node.release import Databases, Helm, usual_kubelet_folders
from tests.kube.node.site import Site
from tests.lab.cluster import Cluster


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What installs the chart comes first: helm takes over no definition that an installation by hand has made."""
    items.sort(key=lambda item: "helm" not in getattr(item, "fixturenames", ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How long each file took, with what was made for it."""
    took: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                file = one.nodeid.partition("::")[0]
                took[file] = took.get(file, 0.0) + one.duration
    terminalreporter.section("time of each file")
    for file, seconds in sorted(took.items(), key=lambda pair: -pair[1]):
        terminalreporter.line(f"{seconds:7.0f} s  {file}")


def give(lab: Cluster, archives: Iterable[pathlib.Path]) -> None:
    """Give all nodes images; kept first, since the next build, of another state of the sources, would remove them."""
    kept = []
    for archive in archives:
        kept.append(lab.place.base / archive.name)
        try:
            os.link(archive, kept[-1])
        except OSError:
            shutil.copy(archive, kept[-1])
    for archive in kept:
        lab.import_image(archive)
        archive.unlink()


@pytest.fixture(scope="session")
def images(lab: Cluster) -> Cluster:
    """The lab with the images of gateways and nodes' agents."""
    begin = time.monotonic()
    try:
        archives = build(IMAGES)
    except (SystemExit, OSError) as error:
        pytest.skip(f"no images, and the lab has no way to Debian's archive: {error}")
    built = time.monotonic()
    give(lab, archives.values())
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
async def driven(site: Site) -> Site:
    """What the fixtures of tenants work on."""
    return site


server = fixtures.server("session")
five = fixtures.client("five", 5, "session")


@pytest.fixture(scope="session")
def helm(images: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Helm:
    """helm, on a lab that has all images."""
    begin = time.monotonic()
    give(images, build(PROGRAMS).values())
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
