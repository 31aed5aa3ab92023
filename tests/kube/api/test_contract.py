"""What the driver relies on of the client and of the API server, on the real one and on the one in memory."""

from __future__ import annotations

import asyncio

import pytest

from drivers.kubernetes.api import (
    CLAIM,
    NODE,
    SHARE_EXPORT,
    SNAPSHOT,
    STATEFUL_SET,
    Cluster,
    Foreign,
    Late,
    Object,
    Refused,
)
from drivers.kubernetes.labels import labels
from tests.kube.api.conftest import CONFIG_MAP, QUOTA, Bench


def _map(bench: Bench, name: str = "one", **data: str) -> Object:
    return {"metadata": bench.metadata(name), "data": data}


def _export(bench: Bench, name: str = "share-i1", **more: object) -> Object:
    spec: Object = {"server": "s1", "claim": "share-i1", "mounted": True, "exported": False}
    return {"metadata": bench.metadata(name), "spec": {**spec, **more}}


def _claim(bench: Bench, name: str = "share-i1", size: str = "2Gi") -> Object:
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "grows",
        "resources": {"requests": {"storage": size}},
    }
    return {"metadata": bench.metadata(name), "spec": spec}


def _grown(size: str) -> Object:
    return {"spec": {"resources": {"requests": {"storage": size}}}}


async def test_what_is_there_is_left_as_it_is_by_create(bench: Bench) -> None:
    made = await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))
    again = await bench.cluster.create(CONFIG_MAP, _map(bench, a="2"))
    assert (again["metadata"]["uid"], again["data"]) == (made["metadata"]["uid"], {"a": "1"})


async def test_somebody_elses_is_neither_taken_nor_changed_by_create(bench: Bench) -> None:
    made = await bench.cluster.create(CONFIG_MAP, _map(bench, a="theirs"))
    wanted = {"metadata": bench.metadata("one", labels=labels("kube", "share")), "data": {"a": "ours"}}
    with pytest.raises(Foreign, match=r"ConfigMap one in the namespace .* is not this back end's"):
        await bench.cluster.create(CONFIG_MAP, wanted)
    assert await bench.cluster.get(CONFIG_MAP, "one", bench.namespace) == made


async def test_ours_get_the_labels_back_that_they_lost(bench: Bench) -> None:
    wanted = {"metadata": bench.metadata("one", labels=labels("kube", "share", extra="1")), "data": {"a": "ours"}}
    bench.cluster.owner = "this"
    try:
        made = await bench.cluster.create(CONFIG_MAP, wanted)
        lost = {"metadata": {"labels": {**dict.fromkeys(made["metadata"]["labels"]), "more": "theirs"}}}
        await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, lost)
        again = await bench.cluster.create(CONFIG_MAP, wanted)
    finally:
        bench.cluster.owner = ""
    assert again["metadata"]["uid"] == made["metadata"]["uid"]
    assert again["metadata"]["labels"] == {**made["metadata"]["labels"], "more": "theirs"}


async def test_nothing_is_made_in_a_namespace_that_is_not_there(bench: Bench) -> None:
    wanted = {"metadata": {"name": "one", "namespace": "nowhere"}, "data": {"a": "1"}}
    with pytest.raises(Refused, match="nowhere") as refused:
        await bench.cluster.create(CONFIG_MAP, wanted)
    assert (refused.value.status, refused.value.reason) == (404, "NotFound")


async def test_a_name_that_cannot_be_is_refused(bench: Bench) -> None:
    with pytest.raises(Refused, match="S_1") as refused:
        await bench.cluster.create(CONFIG_MAP, _map(bench, "S_1"))
    assert (refused.value.status, refused.value.reason) == (422, "Invalid")


async def test_what_is_applied_again_changes_nothing(bench: Bench) -> None:
    made = await bench.cluster.apply(SHARE_EXPORT, _export(bench))
    again = await bench.cluster.apply(SHARE_EXPORT, _export(bench))
    assert again["metadata"]["resourceVersion"] == made["metadata"]["resourceVersion"]
    assert again["metadata"]["generation"] == 1


async def test_apply_takes_away_what_it_gave_and_leaves_what_others_gave(bench: Bench) -> None:
    await bench.cluster.apply(CONFIG_MAP, _map(bench, a="1", b="1"))
    assert (await bench.other_applies(CONFIG_MAP, _map(bench, c="1")))[0] == 200
    changed = await bench.cluster.apply(CONFIG_MAP, _map(bench, a="2"))
    assert changed["data"] == {"a": "2", "c": "1"}


async def test_a_field_of_another_manager_is_a_conflict_unless_taken(bench: Bench) -> None:
    await bench.other_applies(CONFIG_MAP, _map(bench, a="theirs"))
    with pytest.raises(Refused, match='conflict with "other"') as refused:
        await bench.cluster.apply(CONFIG_MAP, _map(bench, a="ours"), force=False)
    assert (refused.value.status, refused.value.reason) == (409, "Conflict")
    await bench.cluster.apply(CONFIG_MAP, _map(bench, a="ours"))
    status, document = await bench.other_applies(CONFIG_MAP, _map(bench, a="theirs"))
    assert (status, document["reason"]) == (409, "Conflict")
    assert "openkeel-manila" in document["message"]


async def test_merge_changes_some_fields_and_takes_away_others(bench: Bench) -> None:
    await bench.cluster.create(CONFIG_MAP, _map(bench, a="1", b="1"))
    changed = await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, {"data": {"a": "2", "b": None, "c": "3"}})
    assert changed is not None
    assert changed["data"] == {"a": "2", "c": "3"}
    assert await bench.cluster.merge(CONFIG_MAP, "none", bench.namespace, {"data": {"a": "2"}}) is None


async def test_a_change_of_an_older_version_is_refused_once(bench: Bench) -> None:
    made = await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))
    old = {"resourceVersion": made["metadata"]["resourceVersion"]}
    assert await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, {"metadata": old, "data": {"a": "2"}})
    before = bench.proxy.seen["PATCH"]
    with pytest.raises(Refused) as refused:
        await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, {"metadata": old, "data": {"a": "3"}})
    assert (refused.value.status, refused.value.reason) == (409, "Conflict")
    assert bench.proxy.seen["PATCH"] == before + 1


async def test_status_is_written_on_a_path_of_its_own(bench: Bench) -> None:
    name, where = "share-i1", bench.namespace
    await bench.cluster.create(SHARE_EXPORT, _export(bench))
    both = {"spec": {"exported": True}, "status": {"node": "n1"}}
    changed = await bench.cluster.merge(SHARE_EXPORT, name, where, both)
    assert changed is not None
    assert (changed["spec"]["exported"], changed.get("status")) == (True, None)
    both = {"spec": {"exported": False}, "status": {"node": "n1", "observedGeneration": 2}}
    changed = await bench.cluster.merge(SHARE_EXPORT, name, where, both, "status")
    assert changed is not None
    assert (changed["spec"]["exported"], changed["status"]["node"]) == (True, "n1")


async def test_generation_grows_with_what_is_wanted_only(bench: Bench) -> None:
    name, where, merge = "share-i1", bench.namespace, bench.cluster.merge
    await bench.cluster.create(SHARE_EXPORT, _export(bench))
    seen = []
    changes: list[tuple[Object, str]] = [
        ({"metadata": {"labels": {"a": "b"}}}, ""),
        ({"status": {"node": "n1"}}, "status"),
        ({"spec": {"exported": True}}, ""),
        ({"spec": {"exported": True}}, ""),
        ({"spec": {"clients": [{"network": "10.0.0.5/32", "access": "RW"}]}}, ""),
    ]
    for change, part in changes:
        found = await merge(SHARE_EXPORT, name, where, change, part)
        seen.append((found or {})["metadata"]["generation"])
    assert seen == [1, 1, 2, 2, 3]


async def test_labels_select_and_pages_are_put_together(bench: Bench) -> None:
    for number in range(7):
        metadata = bench.metadata(f"m{number}", labels={"set": "odd" if number % 2 else "even", "all": "yes"})
        await bench.cluster.create(CONFIG_MAP, {"metadata": metadata})
    paged = Cluster(str(bench.kubeconfig), page=3)
    try:
        before = bench.proxy.seen["GET"]
        found = await paged.every(CONFIG_MAP, bench.namespace, {"all": "yes"})
        assert [one["metadata"]["name"] for one in found] == [f"m{number}" for number in range(7)]
        assert bench.proxy.seen["GET"] == before + 3
        assert len(await paged.every(CONFIG_MAP, bench.namespace, {"all": "yes", "set": "odd"})) == 3
        assert await paged.every(CONFIG_MAP, bench.namespace, {"set": "none"}) == []
        everywhere = await paged.every(CONFIG_MAP, labels={"set": "odd"})
        assert len([one for one in everywhere if one["metadata"]["namespace"] == bench.namespace]) == 3
        bench.fault("GET", "continue=", 410)
        assert len(await paged.every(CONFIG_MAP, bench.namespace, {"all": "yes"})) == 7
        assert bench.proxy.committed == 1
    finally:
        await paged.close()


async def test_waiting_sees_each_change_and_the_end(bench: Bench) -> None:
    where = bench.namespace

    async def live() -> None:
        await asyncio.sleep(0.2)
        await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))
        await bench.cluster.merge(CONFIG_MAP, "one", where, {"data": {"a": "2"}})
        await bench.cluster.delete(CONFIG_MAP, "one", where, grace=0)

    def two(found: Object | None) -> bool:
        return found is not None and found["data"]["a"] == "2"

    before = bench.proxy.seen["GET"]
    life = asyncio.create_task(live())
    found = await bench.cluster.until(CONFIG_MAP, "one", where, two, 10, "it is 2")
    assert two(found)
    assert await bench.cluster.until(CONFIG_MAP, "one", where, lambda one: one is None, 10, "it is gone") is None
    await life
    assert bench.proxy.seen["GET"] <= before + 3, "it is watched, not asked for again and again"


async def test_waiting_ends_in_time_with_what_was_seen_last(bench: Bench) -> None:
    await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))
    begin = asyncio.get_running_loop().time()
    with pytest.raises(Late, match="it grows: not within 1 s") as late:
        await bench.cluster.until(CONFIG_MAP, "one", bench.namespace, lambda _: False, 1.0, "it grows")
    assert 0.9 < asyncio.get_running_loop().time() - begin < 6
    assert late.value.last is not None
    assert late.value.last["data"] == {"a": "1"}


@pytest.mark.parametrize("fault", ["cut", 410, 429, 503])
async def test_waiting_goes_on_after_a_watch_that_failed(bench: Bench, fault: int | str) -> None:
    bench.fault("WATCH", "configmaps", fault, times=2)

    async def live() -> None:
        await asyncio.sleep(0.5)
        await bench.cluster.create(CONFIG_MAP, _map(bench, a="1"))

    life = asyncio.create_task(live())
    found = await bench.cluster.until(
        CONFIG_MAP, "one", bench.namespace, lambda one: one is not None, 10, "it is there"
    )
    await life
    assert found is not None
    assert bench.proxy.committed == 2


async def test_a_version_too_old_to_be_watched_is_said_to_be_so(bench: Bench) -> None:
    """A real one has nothing of the time before a resource was defined; the one in memory is told to forget."""
    await bench.cluster.create(SHARE_EXPORT, _export(bench))
    bench.forget_history()
    with pytest.raises(Refused) as refused:
        async for _ in bench.cluster.watch(SHARE_EXPORT, bench.namespace, "1"):
            raise AssertionError("nothing can be told from there")
    assert refused.value.status == 410


async def test_a_removal_in_the_foreground_waits_for_what_is_owned(bench: Bench) -> None:
    await bench.cluster.create(CONFIG_MAP, _map(bench))
    await bench.cluster.delete(CONFIG_MAP, "one", bench.namespace)
    found = await bench.cluster.get(CONFIG_MAP, "one", bench.namespace)
    assert found is not None
    assert "deletionTimestamp" in found["metadata"]
    assert found["metadata"]["finalizers"] == ["foregroundDeletion"]
    await bench.cluster.delete(CONFIG_MAP, "one", bench.namespace)
    await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, {"metadata": {"finalizers": None}})
    assert await bench.cluster.get(CONFIG_MAP, "one", bench.namespace) is None
    await bench.cluster.delete(CONFIG_MAP, "one", bench.namespace)


async def test_a_removal_of_another_object_of_that_name_does_nothing(bench: Bench) -> None:
    made = await bench.cluster.create(CONFIG_MAP, _map(bench))
    await bench.cluster.delete(CONFIG_MAP, "one", bench.namespace, grace=0, uid="00000000-0000-4000-8000-000000000000")
    assert await bench.cluster.get(CONFIG_MAP, "one", bench.namespace) is not None
    await bench.cluster.delete(CONFIG_MAP, "one", bench.namespace, grace=0, uid=made["metadata"]["uid"])
    assert await bench.cluster.get(CONFIG_MAP, "one", bench.namespace) is None


async def test_a_claim_is_kept_while_it_is_used(bench: Bench) -> None:
    made = await bench.cluster.create(CLAIM, _claim(bench))
    assert made["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]
    await bench.cluster.delete(CLAIM, "share-i1", bench.namespace, grace=0)
    found = await bench.cluster.get(CLAIM, "share-i1", bench.namespace)
    assert found is not None
    assert "deletionTimestamp" in found["metadata"]


async def test_a_claim_grows_when_bound_and_never_shrinks(bench: Bench) -> None:
    where, merge = bench.namespace, bench.cluster.merge
    await bench.cluster.create(CLAIM, _claim(bench))
    with pytest.raises(Refused) as refused:
        await merge(CLAIM, "share-i1", where, _grown("3Gi"))
    assert (refused.value.status, refused.value.reason) == (422, "Invalid")
    await merge(CLAIM, "share-i1", where, {"status": {"phase": "Bound", "capacity": {"storage": "2Gi"}}}, "status")
    changed = await merge(CLAIM, "share-i1", where, _grown("3Gi"))
    assert changed is not None
    assert changed["spec"]["resources"]["requests"]["storage"] == "3Gi"
    with pytest.raises(Refused, match="less than") as refused:
        await merge(CLAIM, "share-i1", where, _grown("1Gi"))
    assert refused.value.status == 422


async def test_a_quota_that_is_used_up_is_refused_once(bench: Bench) -> None:
    hard = {"persistentvolumeclaims": "1"}
    await bench.cluster.create(QUOTA, {"metadata": bench.metadata("q"), "spec": {"hard": hard}})
    used = {"status": {"hard": hard, "used": {"persistentvolumeclaims": "0"}}}
    await bench.cluster.merge(QUOTA, "q", bench.namespace, used, "status")
    await asyncio.sleep(0.3)  # admission has its own copy
    await bench.cluster.create(CLAIM, _claim(bench))
    before = bench.proxy.seen["POST"]
    with pytest.raises(Refused, match="exceeded quota") as refused:
        await bench.cluster.create(CLAIM, _claim(bench, "another"))
    assert (refused.value.status, refused.value.reason) == (403, "Forbidden")
    assert bench.proxy.seen["POST"] == before + 1
    found = await bench.cluster.create(CLAIM, _claim(bench))
    assert found["metadata"]["name"] == "share-i1", "it refuses also what is there, which may be asked for again"


async def test_snapshots_have_one_source(bench: Bench) -> None:
    def wanted(**source: str) -> Object:
        spec = {"volumeSnapshotClassName": "fast", "source": source}
        return {"metadata": bench.metadata("snapshot-n1"), "spec": spec}

    with pytest.raises(Refused) as refused:
        await bench.cluster.create(SNAPSHOT, wanted(persistentVolumeClaimName="a", volumeSnapshotContentName="b"))
    assert (refused.value.status, refused.value.reason) == (422, "Invalid")
    made = await bench.cluster.create(SNAPSHOT, wanted(persistentVolumeClaimName="a"))
    assert made["spec"]["source"] == {"persistentVolumeClaimName": "a"}


async def test_what_a_set_selects_is_for_life(bench: Bench) -> None:
    own = {"app": "gateway"}
    pod = {"metadata": {"labels": own}, "spec": {"containers": [{"name": "c", "image": "localhost/x:1"}]}}
    spec = {"replicas": 1, "serviceName": "g", "selector": {"matchLabels": own}, "template": pod}
    await bench.cluster.apply(STATEFUL_SET, {"metadata": bench.metadata("g"), "spec": spec})
    with pytest.raises(Refused) as refused:
        await bench.cluster.apply(STATEFUL_SET, {"metadata": bench.metadata("g"), "spec": {**spec, "serviceName": "x"}})
    assert (refused.value.status, refused.value.reason) == (422, "Invalid")


async def test_what_is_not_there_is_none(bench: Bench) -> None:
    assert await bench.cluster.get(CONFIG_MAP, "none", bench.namespace) is None
    assert await bench.cluster.get(NODE, "none") is None
    assert await bench.cluster.every(SHARE_EXPORT, bench.namespace) == []
