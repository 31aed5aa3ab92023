"""OVN with two chassis, and a Neutron in front, for the tests of session ``ovn``."""

from __future__ import annotations

import os
import pathlib
from collections.abc import AsyncIterator, Iterator

import pytest

from network.client import Client, NeutronOptions
from network.neutron import NeutronPlugin
from network.tokens import fixed, known
from tests.lab.ovn.accounts import SERVICE
from tests.lab.ovn.lab import OvnLab
from tests.lab.ovn.neutron import OvnNeutron
from tests.ovn.stage import Stage

FOLDER, ROOT = "OPENKEEL_OVN", "OPENKEEL_OVN_ROOT"


@pytest.fixture(scope="session")
def ovn() -> Iterator[OvnLab]:
    """Two chassis, c1 and c2."""
    folder, root = os.environ.get(FOLDER), os.environ.get(ROOT)
    if not folder or not root:
        pytest.skip("no OVN: `python3 noxfile.py ovn` runs these tests")
    with OvnLab(pathlib.Path(folder), pathlib.Path(root)) as lab:
        lab.up("c1", "c2")
        yield lab
        assert not lab.ended()


@pytest.fixture(scope="session")
def neutron(ovn: OvnLab) -> Iterator[OvnNeutron]:
    """Neutron, with default groups as a real one has them."""
    server = OvnNeutron(ovn.northbound, default_groups=True).start()
    server.state.hosts = frozenset(ovn.chassis)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def plugin(neutron: OvnNeutron) -> AsyncIterator[NeutronPlugin]:
    """The product's network plugin, whose groups follow the rules."""
    one = NeutronPlugin(Client(NeutronOptions(neutron.url), fixed("t"), owner=known(SERVICE)), guard="rules")
    yield one
    await one.close()


@pytest.fixture
async def stage(ovn: OvnLab, neutron: OvnNeutron, plugin: NeutronPlugin) -> AsyncIterator[Stage]:
    """Where a test puts its servers and clients; all of them are gone after it."""
    made = Stage(ovn, neutron, plugin)
    yield made
    await made.clear()
