"""What a namespace per project costs in requests: a few for each operation, however many projects there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import NAMESPACE
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.spaces.stage import MANY, Stage, share, snapshot
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE

MORE = {False: 2, True: 5}
"""Requests that an operation may take more than in one namespace, in a process that knows nothing yet and otherwise."""


class Counted(Stage):
    """``costs``: requests of each operation."""

    def __init__(self) -> None:
        super().__init__()
        self.costs: dict[str, int] = {}
        self._handle, self._count = self.cluster.server.handle, 0
        self.cluster.server.handle = self._counted  # type: ignore[method-assign, assignment]

    def _counted(self, *request: Any) -> Any:
        self._count += 1
        return self._handle(*request)

    @contextmanager
    def counting(self, what: str) -> Iterator[None]:
        """Meanwhile."""
        before = self._count
        yield
        self.costs[what] = self._count - before


async def _costs(options: KubernetesOptions, others: int, *, anew: bool) -> dict[str, int]:
    """Requests of what a tenant does beside some other projects; ``anew``: each time by another worker."""
    stage = Counted()
    driver = await stage.driver(options)
    for number in range(others):
        network = [{**NETWORK[0], "server_id": f"o{number}", "project_id": f"other-{number}"}]
        await driver.setup_server(network)
    server = await stage.server(driver, "1")
    one = share("1")

    async def worker() -> GaneshaDriver:
        return await stage.driver(options) if anew else driver

    now = await worker()
    with stage.counting("create"):
        await now.create_share(one, server)
    now = await worker()
    with stage.counting("rule"):
        await now.update_access(one, [RULE], [RULE], [], [], server)
    now = await worker()
    with stage.counting("extend"):
        await now.extend_share(one, 3, server)
    now = await worker()
    with stage.counting("snapshot"):
        await now.create_snapshot(snapshot("1"), server)
    now = await worker()
    with stage.counting("snapshot delete"):
        await now.delete_snapshot(snapshot("1"), server)
    now = await worker()
    with stage.counting("delete"):
        await now.delete_share(one, server)
    return stage.costs


async def test_an_operation_takes_a_few_requests_more_and_no_more_with_many_projects() -> None:
    for anew, more in MORE.items():
        single = await _costs(OPTIONS, 0, anew=anew)
        few, many = await _costs(MANY, 0, anew=anew), await _costs(MANY, 12, anew=anew)
        print(f"another worker each time: {anew}; one namespace {single}, a project's {few}, beside 12 others {many}")
        assert many == few
        assert {what: few[what] - single[what] for what in few if few[what] - single[what] > more} == {}


async def test_what_was_removed_is_looked_for_again() -> None:
    """What a process remembers of a share is no more than where to look first."""
    stage = Stage()
    one, other = await stage.driver(), await stage.driver()
    server: Row = await stage.server(one, "1")
    await one.create_share(share("1"), server)
    await other.delete_share(share("1"), server)
    await one.delete_share(share("1"), server)
    await other.teardown_server(server["backend_details"])
    assert set(stage.cluster.of(NAMESPACE)) == {MANY.kubernetes_namespace}
