"""Snapshots of claims, whose storage may refuse for a while."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

from drivers.kubernetes import claims
from drivers.kubernetes.api import SNAPSHOT, Cluster, Kind, Object, Refused
from drivers.kubernetes.claims import COMPLAINED, Claims
from drivers.kubernetes.labels import labels, metadata
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster

NAME, HOME = "snapshot-n1", OPTIONS.kubernetes_namespace
BUSY = {"error": {"message": "the storage is busy"}, "readyToUse": False}


class Busy(FakeCluster):
    """``then``: what a snapshot is like when somebody has waited for it after the storage had complained."""

    def __init__(self, then: Object) -> None:
        super().__init__()
        self.stuck.add(NAME)
        self.then = then

    async def create(self, kind: Kind, wanted: Object) -> Object:
        made = await super().create(kind, wanted)
        self.objects[SNAPSHOT.plural, NAME]["status"] = BUSY
        return made

    async def until(
        self,
        kind: Kind,
        name: str,
        namespace: str | None,
        good: Callable[[Object | None], bool],
        seconds: float,
        what: str,
    ) -> Object | None:
        found = self.objects[SNAPSHOT.plural, NAME]
        if not good(found):
            assert seconds <= 30, "a complaint is not waited for as long as a snapshot"
            found["status"] = self.then
        return await super().until(kind, name, namespace, good, seconds, what)


async def _taken(cluster: Cluster) -> Object:
    own = labels("kube", "snapshot")
    spec = {"volumeSnapshotClassName": "fast", "source": {"persistentVolumeClaimName": "share-i1"}}
    return await Claims(OPTIONS, cluster).take({"metadata": metadata(NAME, HOME, own), "spec": spec})


async def test_a_complaint_that_passes_is_no_failure() -> None:
    found = await _taken(Busy({"readyToUse": True, "restoreSize": "1Gi"}))
    assert claims.usable(found)


@pytest.mark.parametrize("then", [BUSY, {**BUSY, "readyToUse": None}])
async def test_a_complaint_that_stands_is_told(then: Object) -> None:
    with pytest.raises(ShareBackendException, match="the storage is busy"):
        await _taken(Busy(then))


def test_what_is_ready_counts_whatever_was_complained_of_before() -> None:
    assert claims.usable({"status": {**BUSY, "readyToUse": True}})


async def _looked(cluster: FakeCluster, status: Object) -> bool:
    found = cluster.objects[SNAPSHOT.plural, NAME]
    found["status"] = status
    return await Claims(OPTIONS, cluster).taken(found)


async def test_who_asks_now_and_then_is_told_of_a_complaint_that_stands() -> None:
    cluster = FakeCluster()
    cluster._put(SNAPSHOT, {"metadata": metadata(NAME, HOME, labels("kube", "backup")), "spec": {}})
    assert not await _looked(cluster, BUSY)
    assert not await _looked(cluster, BUSY)
    noted = cluster.objects[SNAPSHOT.plural, NAME]["metadata"]["annotations"]
    long_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=40)
    noted[COMPLAINED] = long_ago.isoformat()
    with pytest.raises(ShareBackendException, match="the storage is busy"):
        await _looked(cluster, BUSY)
    assert not await _looked(cluster, {"readyToUse": False}), "it was taken back"
    assert COMPLAINED not in cluster.objects[SNAPSHOT.plural, NAME]["metadata"]["annotations"]
    assert not await _looked(cluster, BUSY), "a new one counts from now"
    assert await _looked(cluster, {"readyToUse": True})


LONGHORN = (
    'admission webhook "validator.longhorn.io" denied the request: cannot schedule 1073741824 more bytes to disk d-1',
    'admission webhook "validator.longhorn.io" denied the request: disk d-1 on node n does not have sufficient '
    "physical space for expansion",
)


@pytest.mark.parametrize(
    ("status", "message", "says"),
    [
        *((403, message, "the storage has no room to grow claim share-i1 to 2 GiB: ") for message in LONGHORN),
        (403, 'persistentvolumeclaims "share-i1" is forbidden: exceeded quota: q, requested: requests.storage=1Gi',
         "a ResourceQuota of the namespace has no room to grow claim share-i1 to 2 GiB: "),
        (403, 'persistentvolumeclaims "share-i1" is forbidden: only dynamically provisioned pvc can be resized',
         "Kubernetes refused it (403 Forbidden)"),
        (403, 'admission webhook "validator.longhorn.io" denied the request: it is faulted', "Kubernetes refused"),
        (422, LONGHORN[0], "Kubernetes refused it (422 Forbidden)"),
    ],
)  # fmt: skip
async def test_growth_that_is_refused_for_want_of_room_says_so(
    status: int, message: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = FakeCluster()
    kept = Claims(OPTIONS, cluster)
    made = await kept.make(claims.claim(OPTIONS, "share-i1", "1Gi", labels("kube", "share")))

    async def refuse(*_: object, **__: object) -> Object | None:
        raise Refused(status, "Forbidden", message)

    monkeypatch.setattr(cluster, "merge", refuse)
    with pytest.raises(ShareBackendException) as refused:
        await kept.grow(made, 2)
    assert says in str(refused.value) and message in str(refused.value)
