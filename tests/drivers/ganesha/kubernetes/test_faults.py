"""Every request of every flow fails once in each way; the step is repeated, and just the same objects are there."""

from __future__ import annotations

import copy
import functools
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from drivers.base import Transient
from drivers.ganesha.driver import GaneshaDriver
from drivers.kubernetes.api import NETWORK_ATTACHMENT, NODE, POD
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.disks import Disks
from tests.drivers.ganesha.kubernetes.installation import made
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP
from tests.drivers.ganesha.kubernetes.wire import Wire
from tests.drivers.kubernetes.memory import Memory

FAULTS: Final = ("409", "410", "429", "504", "504 though made", "403")
STAYS: Final = (NODE.plural, NETWORK_ATTACHMENT.plural)
COPY: Final[Row] = {**SHARE, "id": "i2", "size": 2}
Step = Callable[[GaneshaDriver, Row], Awaitable[object]]


async def set_up(driver: GaneshaDriver, server: Row) -> None:
    server["backend_details"] = await driver.setup_server(NETWORK)


STEPS: Final[dict[str, Step]] = {
    "setup": set_up,
    "create": lambda driver, server: driver.create_share(SHARE, server),
    "access": lambda driver, server: driver.update_access(SHARE, [RULE], [RULE], [], [], server),
    "extend": lambda driver, server: driver.extend_share(SHARE, 3, server),
    "snapshot": lambda driver, server: driver.create_snapshot(SNAP, server),
    "show": lambda driver, server: driver.snapshot_update_access(SNAP, [RULE], [RULE], [], server),
    "copy": lambda driver, server: driver.create_share_from_snapshot(COPY, SNAP, server),
    "revert": lambda driver, server: driver.revert_to_snapshot({**SNAP, "share": SHARE}, [RULE], [], server),
    "forget": lambda driver, server: driver.delete_snapshot(SNAP, server),
    "delete copy": lambda driver, server: driver.delete_share(COPY, server),
    "delete": lambda driver, server: driver.delete_share(SHARE, server),
    "tear down": lambda driver, server: driver.teardown_server(server["backend_details"]),
}
"""A life of a share server and of what is on it, in order."""


@functools.cache
def _before() -> dict[str, tuple[Memory, Disks, Row]]:
    return {}


async def _until(step: str) -> tuple[Wire, GaneshaDriver, Row]:
    """The world before a step."""
    wire = Wire()
    driver = made(wire)
    await driver.do_setup()
    if not _before():
        server: Row = {"id": "s1", "backend_details": {"server_id": "s1"}}
        for name, do in STEPS.items():
            _before()[name] = copy.deepcopy((wire.server, wire.disks, server))
            await do(driver, server)
    memory, disks, server = _before()[step]
    wire.become(memory, disks)
    return wire, driver, copy.deepcopy(server)


@functools.cache
def _expected() -> dict[str, tuple[str, int]]:
    return {}


async def _without_fault(step: str) -> tuple[str, int]:
    """What is there after a step, and how many requests it took."""
    known = _expected()
    if step not in known:
        wire, driver, server = await _until(step)
        await STEPS[step](driver, server)
        known[step] = wire.picture(), len(wire.calls)
    return known[step]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("step", STEPS)
async def test_a_step_that_is_repeated_ends_as_if_nothing_had_failed(step: str, fault: str) -> None:
    expected, requests = await _without_fault(step)
    raised = 0
    for number in range(1, requests + 1):
        wire, driver, server = await _until(step)
        wire.fail_at, wire.fault = number, fault
        try:
            await STEPS[step](driver, server)
        except (ShareBackendException, Transient):
            raised += 1
            await STEPS[step](driver, server)
        if step == "revert":
            # what is left of a volume that was replaced goes with a look of the reconciler
            await driver._volumes.tidy("i1")
        assert wire.picture() == expected, f"request {number} of {step}: {wire.calls[number - 1]}"
    if fault in ("409", "429", "504", "504 though made"):
        assert raised == 0, "what may pass is not told to anybody"


@pytest.mark.parametrize("fault", ["403", "504 though made"])
@pytest.mark.parametrize("step", ["setup", "create", "copy", "snapshot"])
async def test_what_failed_half_way_is_removed_without_a_trace(step: str, fault: str) -> None:
    _, requests = await _without_fault(step)
    for number in range(1, requests + 1):
        wire, driver, server = await _until(step)
        wire.fail_at, wire.fault = number, fault
        try:
            await STEPS[step](driver, server)
        except ShareBackendException as error:
            server["backend_details"] |= error.detail_data.get("server_details", {})
        # a snapshot stays while a copy that nobody has proven is made from it
        for name in ("delete copy", "forget", "delete", "tear down"):
            await STEPS[name](driver, server)
        # the definition of the tenant's network is there for all its gateways, and stays
        left = [f"{kind} {name}" for kind, name in wire.objects if name.endswith(("1", "2")) and kind not in STAYS]
        assert left == [], f"request {number} of {step}: {wire.calls[number - 1]}"
        assert wire.of(POD) == {}
