"""Storage that copies late, and a worker that dies at any request: the next one comes to the end, nothing is lost."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes.backups import KubernetesBackups
from drivers.kubernetes.api import CLAIM, POD, SHARE_EXPORT, SNAPSHOT, SNAPSHOT_CONTENT, VOLUME, Object
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.disks import Disks
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.installation import Installation, made
from tests.drivers.ganesha.kubernetes.test_driver import RULE, SHARE, SNAP
from tests.drivers.ganesha.kubernetes.test_late_copies import COPY, NEW, OLD, REVERTED, role, served
from tests.drivers.ganesha.kubernetes.wire import Wire
from tests.drivers.kubernetes.memory import Memory

WITH_BACKUPS: Final = replace(OPTIONS, kubernetes_backup_class="away")
BACKUP: Final[Row] = {"id": "b1"}
KEPT: Final = "written to handle-pv-share-i1 at taken-backup-b1"
BEGUN: Final[Row] = {**COPY, "status": "creating_from_snapshot"}


class Killed(BaseException):
    """The process ends: whatever it would ask for after that is not asked for."""


class Dying(Wire):
    """The process dies before its ``fail_at``-th request, or after it with ``heard``."""

    heard = False

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        if self.fail_at and len(self.calls) + 1 > self.fail_at - (not self.heard):
            raise Killed
        return await super()._once(method, path, body, content)


Do = Callable[[Dying, GaneshaDriver, Row], Awaitable[None]]


async def _revert(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    if await driver.revert_to_snapshot(SNAP, [RULE], [], server) == {"status": "reverting_to_snapshot"}:
        cluster.copy()
        await driver.get_share_status(REVERTED, server)


async def _finish(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    """As a worker does that finds a share being reverted in the background."""
    await driver.get_share_status(REVERTED, server)


async def _forget(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    await driver.delete_snapshot(SNAP, server)


async def _clone(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    if await driver.create_share_from_snapshot(COPY, SNAP, server) == {"status": "creating_from_snapshot"}:
        assert "share-i2" not in cluster.of(SHARE_EXPORT), "it is not shown before it is whole"
        cluster.copy()
        await _look(cluster, driver, server)


async def _look(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    """As a worker does that finds a share that is made in the background."""
    assert (await driver.get_share_status(BEGUN, server))["status"] == "available"


async def _remove(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    """A share whose copy is not made, the snapshot that it is made from, and the share that this was taken of."""
    if "snapshot-n1" in cluster.of(SNAPSHOT):
        with pytest.raises(ShareBackendException, match="are needed, and stay"):
            await driver.delete_share(SHARE, server)
    await driver.delete_share(COPY, server)
    await driver.delete_snapshot(SNAP, server)
    assert cluster.disks.lost == set()
    await driver.delete_share(SHARE, server)


async def _restore(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    await driver.restore_backup(BACKUP, SHARE, server)
    await _restored(cluster, driver, server)


async def _restored(cluster: Dying, driver: GaneshaDriver, server: Row) -> None:
    """Asked until it is done, as a worker does that finds a backup being restored."""
    for _ in range(3):
        if (await driver.restore_backup_continue(BACKUP, SHARE, server))["total_progress"] == "100":
            return
        cluster.copy()
    raise AssertionError("it is not restored")


@dataclass(frozen=True)
class Story:
    """What the first worker does, and what the next one does; ``share``: what becomes of it, and ``among`` which."""

    world: str
    first: Do
    second: Do
    share: str = "i1"
    ends: str = NEW
    among: tuple[str, ...] = (OLD, NEW)
    role: str | None = "former"


STORIES: Final[dict[str, Story]] = {
    "revert, and again": Story("served", _revert, _revert),
    "copied, and gone on with": Story("copied", _finish, _finish),
    "the snapshot goes": Story("swapped", _forget, _forget, role=None),
    "a share from it, and again": Story("served", _clone, _clone, "i2", role="share"),
    "a share from it, and gone on with": Story("cloned", _look, _look, "i2", role="share"),
    "all goes": Story("cloning", _remove, _remove, "", role=None),
    "restored, and again": Story("kept", _restore, _restore, ends=KEPT, among=(OLD, KEPT)),
    "restored, and gone on with": Story("restoring", _restored, _restored, ends=KEPT, among=(OLD, KEPT)),
}


def _made(cluster: Dying) -> GaneshaDriver:
    driver = made(cluster, WITH_BACKUPS)
    driver._kept = KubernetesBackups(WITH_BACKUPS, cluster)
    return driver


@functools.cache
def _worlds() -> dict[str, tuple[Memory, Disks, Row]]:
    return {}


async def _world(name: str) -> tuple[Dying, GaneshaDriver, Row]:
    """What is there before a story."""
    if not _worlds():
        await _begin()
    memory, disks, server = _worlds()[name]
    cluster = Dying()
    cluster.become(memory, disks)
    return cluster, _made(cluster), copy.deepcopy(server)


async def _begin() -> None:
    cluster, there = Dying(), Installation()
    there.cluster, there.driver = cluster, _made(cluster)
    await there.begin()
    (server,) = there.rows.servers
    cluster.disks.late = True

    def note(name: str) -> None:
        _worlds()[name] = copy.deepcopy((cluster.server, cluster.disks, server))

    note("served")
    await there.driver.create_share_from_snapshot(COPY, SNAP, server)
    note("cloning")
    cluster.copy()
    note("cloned")
    cluster.become(*_worlds()["served"][:2])
    await there.driver.create_backup(SHARE, BACKUP, server)
    await there.driver.create_backup_continue(SHARE, BACKUP, server)
    note("kept")
    await there.driver.restore_backup(BACKUP, SHARE, server)
    cluster.copy()
    note("restoring")
    cluster.become(*_worlds()["served"][:2])
    await there.driver.revert_to_snapshot(SNAP, [RULE], [], server)
    cluster.copy()
    note("copied")
    await there.driver.get_share_status(REVERTED, server)
    note("swapped")


@pytest.mark.parametrize("heard", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("name", STORIES)
async def test_a_worker_that_dies_at_any_request_loses_nothing(name: str, heard: bool) -> None:
    story = STORIES[name]
    cluster, driver, server = await _world(story.world)
    await story.first(cluster, driver, server)
    requests = len(cluster.calls)
    assert requests > 10
    for number in range(1, requests + 1):
        cluster, driver, server = await _world(story.world)
        cluster.fail_at, cluster.heard = number, heard
        with pytest.raises(Killed):
            await story.first(cluster, driver, server)
            raise Killed
        cluster.fail_at = 0
        where = f"request {number}: {cluster.calls[-1] if cluster.calls else ''}"
        assert cluster.disks.lost == set(), where
        if story.share:
            await _serves_what_is_whole(cluster, server, story, where)
        cluster.copy()
        await story.second(cluster, _made(cluster), server)
        assert cluster.disks.lost == set(), where
        if story.share:
            await _ended(cluster, story, where)
        else:
            left = [f"{kind} {one}" for kind, one in cluster.objects if one.endswith(("i1", "i2", "n1"))]
            assert left == [], where


async def _serves_what_is_whole(cluster: Dying, server: Row, story: Story, where: str) -> None:
    """Whoever puts the share right meanwhile serves what is whole."""
    current = await made(cluster)._volumes._claim_of("i1")  # type: ignore[attr-defined]
    assert current is not None, where
    content = cluster.content(current["metadata"]["name"])
    assert content in story.among, f"{where}: {content}"
    rows = [{**SHARE, "share_server": server, "access_rules": [{**RULE, "state": "active"}]}]
    assert "status" not in (await made(cluster).ensure_shares(rows))["i1"], where
    assert served(cluster) == content, where
    shown = cluster.of(SHARE_EXPORT).get("share-i2")
    assert shown is None or cluster.content(shown["spec"]["claim"]) == NEW, where


async def _ended(cluster: Dying, story: Story, where: str) -> None:
    claim = cluster.of(SHARE_EXPORT)[f"share-{story.share}"]["spec"]["claim"]
    assert cluster.content(claim) == story.ends, where
    if story.share == "i2":
        assert served(cluster) == OLD, where
        assert cluster.of(CLAIM)[claim]["spec"]["resources"]["requests"]["storage"] == "2Gi", where
        assert cluster.of(SHARE_EXPORT)["share-i2"]["status"]["exported"], where
        return
    assert served(cluster) == story.ends, where
    if story.role is None:
        assert "share-i1" not in cluster.of(CLAIM) and "pv-share-i1" not in cluster.of(VOLUME), where
    else:
        assert role(cluster, "share-i1") == story.role, where
        contents = cluster.of(SNAPSHOT_CONTENT).values()
        assert "taken-snapshot-n1" in {one["status"]["snapshotHandle"] for one in contents}, where
    assert "proof-i1" not in cluster.of(POD), where
    await made(cluster)._volumes.tidy("")
    shares = sorted(one for one in cluster.of(CLAIM) if one.startswith("share-"))
    assert len(shares) == (1 if story.role is None else 2), f"{where}: {shares}"


async def test_a_share_half_removed_stays_when_somebody_has_taken_a_snapshot_of_it_meanwhile() -> None:
    for number in range(1, 200):
        cluster, driver, server = await _world("served")
        await driver.delete_snapshot(SNAP, server)
        cluster.calls.clear()
        cluster.fail_at, cluster.heard = number, True
        with contextlib.suppress(Killed):
            await driver.delete_share(SHARE, server)
            break
        cluster.fail_at = 0
        if "share-i1" not in cluster.of(CLAIM):
            continue
        theirs: Object = {"metadata": {"name": "velero", "namespace": OPTIONS.kubernetes_namespace}}
        await cluster.create(SNAPSHOT, {**theirs, "spec": {"source": {"persistentVolumeClaimName": "share-i1"}}})
        with pytest.raises(ShareBackendException, match="stay: snapshot velero"):
            await _made(cluster).delete_share(SHARE, server)
        assert cluster.disks.lost == set(), f"request {number}: {cluster.calls[-1]}"
