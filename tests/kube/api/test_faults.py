"""An API server that is busy, slow, cut off, or says it failed although it did what it was asked for."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest

from drivers.kubernetes.api import SHARE_EXPORT, Away, Cluster, Object
from tests.kube.api.conftest import CONFIG_MAP, Bench

FAULTS = [429, 500, 503, 504, "cut"]


def _map(bench: Bench, name: str = "one", **data: str) -> Object:
    return {"metadata": bench.metadata(name), "data": data}


@pytest.mark.parametrize("done", [False, True], ids=["not done", "done"])
@pytest.mark.parametrize("fault", FAULTS)
async def test_making_is_repeated_and_makes_one(bench: Bench, fault: int | str, done: bool) -> None:
    """Also when the object was made and the answer got lost: 504 though it was done."""
    bench.fault("POST", "configmaps", fault, done=done)
    made = await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))
    assert made["data"] == {"a": "1"}
    found = await bench.cluster.every(CONFIG_MAP, bench.namespace)
    own = [one for one in found if one["metadata"]["name"] == "one"]
    assert [one["metadata"]["uid"] for one in own] == [made["metadata"]["uid"]]
    assert bench.proxy.committed == 1


@pytest.mark.parametrize("done", [False, True], ids=["not done", "done"])
@pytest.mark.parametrize("fault", FAULTS)
async def test_changing_and_removing_are_repeated(bench: Bench, fault: int | str, done: bool) -> None:
    spec = {"server": "s1", "claim": "share-i1", "mounted": True, "exported": False}
    wanted = {"metadata": bench.metadata("share-i1"), "spec": spec}
    bench.fault("PATCH", "shareexports", fault, done=done)
    await bench.cluster.apply(SHARE_EXPORT, wanted)
    bench.fault("PATCH", "shareexports", fault, done=done)
    changed = await bench.cluster.merge(SHARE_EXPORT, "share-i1", bench.namespace, {"spec": {"exported": True}})
    assert changed is not None
    assert changed["metadata"]["generation"] == 2
    bench.fault("GET", "shareexports", fault)
    assert await bench.cluster.get(SHARE_EXPORT, "share-i1", bench.namespace)
    bench.fault("DELETE", "shareexports", fault, done=done)
    await bench.cluster.delete(SHARE_EXPORT, "share-i1", bench.namespace, grace=0)
    assert await bench.cluster.get(SHARE_EXPORT, "share-i1", bench.namespace) is None
    assert bench.proxy.committed == 4


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
async def test_no_request_is_without_a_timeout(bench: Bench, method: str) -> None:
    """An API server that takes the request and says nothing."""
    hasty = Cluster(str(bench.kubeconfig), timeout=0.3, patience=0.5)
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "GET": lambda: hasty.get(CONFIG_MAP, "one", bench.namespace),
        "POST": lambda: hasty.create(CONFIG_MAP, _map(bench)),
        "PATCH": lambda: hasty.apply(CONFIG_MAP, _map(bench)),
        "DELETE": lambda: hasty.delete(CONFIG_MAP, "one", bench.namespace),
    }
    bench.fault(method, "configmaps", "hang", times=99)
    begin = time.monotonic()
    try:
        with pytest.raises(Away, match=method):
            await calls[method]()
    finally:
        await hasty.close()
    assert time.monotonic() - begin < 15


async def test_a_watch_that_hangs_ends_with_the_wait(bench: Bench) -> None:
    bench.fault("WATCH", "configmaps", "hang")
    begin = time.monotonic()
    await bench.cluster.create(CONFIG_MAP, _map(bench))
    there = await bench.cluster.until(
        CONFIG_MAP, "one", bench.namespace, lambda one: one is not None, 15, "it is there"
    )
    assert there is not None
    assert time.monotonic() - begin < 15


async def test_patience_ends_with_a_word_about_what_was_asked(bench: Bench) -> None:
    bench.fault("GET", "configmaps", 503, times=10**6)
    impatient = Cluster(str(bench.kubeconfig), patience=3)
    try:
        with pytest.raises(Away, match="GET .*configmaps/one: 503 a planted fault"):
            await impatient.get(CONFIG_MAP, "one", bench.namespace)
    finally:
        await impatient.close()
    assert bench.proxy.committed > 1


async def test_making_gives_up_when_it_never_succeeds(bench: Bench) -> None:
    bench.fault("POST", "configmaps", 504, times=10**6)
    impatient = Cluster(str(bench.kubeconfig), patience=0.5)
    try:
        with pytest.raises(Away, match="504"):
            await impatient.create(CONFIG_MAP, _map(bench))
    finally:
        await impatient.close()
