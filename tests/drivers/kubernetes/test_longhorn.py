"""Room on Longhorn's nodes: which disks count, by which rule, and how replicas spread."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.kubernetes import copies, longhorn
from drivers.kubernetes.api import Object
from drivers.kubernetes.longhorn import DEFAULTS, Room, placed, rooms, wanted
from generated.errors import ShareBackendException

GOOD = [{"type": "Ready", "status": "True"}, {"type": "Schedulable", "status": "True"}]
PLAIN = wanted({}, DEFAULTS)


def node(name: str = "n1", *, available: int = 80, scheduled: int = 40, **changes: Any) -> dict[str, Any]:
    """A node of Longhorn with one disk of 100 bytes, 10 of them reserved."""
    disk = {
        "allowScheduling": True,
        "diskType": "filesystem",
        "evictionRequested": False,
        "path": "/var/lib/longhorn/",
        "storageReserved": 10,
        "tags": ["ssd"],
    }
    seen = {"storageMaximum": 100, "storageAvailable": available, "storageScheduled": scheduled, "conditions": GOOD}
    spec = {"allowScheduling": True, "evictionRequested": False, "name": name, "tags": ["fast"], "disks": {"d": disk}}
    return {
        "metadata": {"name": name, "namespace": "longhorn-system"},
        "spec": spec | changes,
        "status": {"conditions": GOOD, "diskStatus": {"d": seen}},
    }


def test_a_disk_has_what_is_not_promised_of_it() -> None:
    assert rooms([node()], PLAIN, DEFAULTS) == [Room(total=90, free=50, largest=50)]
    twice = {**DEFAULTS, longhorn.OVER: "200"}
    assert rooms([node()], PLAIN, twice) == [Room(total=180, free=140, largest=140)]


def test_a_disk_that_is_nearly_full_has_no_room_whatever_was_promised() -> None:
    assert rooms([node(available=25, scheduled=0)], PLAIN, DEFAULTS) == [Room(total=90, free=0, largest=0)]
    assert rooms([node(available=26, scheduled=0)], PLAIN, DEFAULTS) == [Room(total=90, free=90, largest=90)]


@pytest.mark.parametrize(
    "changes",
    [{"allowScheduling": False}, {"tags": []}, {"disks": {}}, {"disks": {"d": {"allowScheduling": False}}}],
)
def test_what_takes_no_replica_of_the_class_does_not_count(changes: dict[str, Any]) -> None:
    asked = wanted({"nodeSelector": "fast"}, DEFAULTS)
    assert rooms([node(**changes)], asked, DEFAULTS) == []
    assert len(rooms([node()], asked, DEFAULTS)) == 1


def test_conditions_evictions_tags_and_engines_are_looked_at() -> None:
    cordoned = node()
    cordoned["status"]["conditions"] = GOOD[:1]
    pressed = node()
    pressed["status"]["diskStatus"]["d"]["conditions"] = [GOOD[0], {"type": "Schedulable", "status": "False"}]
    leaving = node()
    leaving["spec"]["disks"]["d"]["evictionRequested"] = True
    assert rooms([cordoned, pressed, leaving], PLAIN, DEFAULTS) == []
    assert rooms([node()], wanted({"diskSelector": "ssd, nvme"}, DEFAULTS), DEFAULTS) == []
    assert rooms([node()], wanted({"dataEngine": "v2"}, DEFAULTS), DEFAULTS) == []


def test_the_class_says_how_many_replicas_else_the_setting() -> None:
    assert wanted({"numberOfReplicas": "2"}, DEFAULTS).replicas == 2
    assert PLAIN.replicas == 3
    assert wanted({}, {**DEFAULTS, longhorn.REPLICAS: '{"v1": "2", "v2": "1"}'}).replicas == 2
    assert wanted({"dataEngine": "v2"}, {**DEFAULTS, longhorn.REPLICAS: '{"v1": "2", "v2": "1"}'}).replicas == 1


def test_replicas_of_a_volume_are_on_different_nodes() -> None:
    two = wanted({"numberOfReplicas": "2"}, DEFAULTS)
    assert placed([100, 100, 100], two, DEFAULTS) == 150
    assert placed([1000, 10, 10], two, DEFAULTS) == 20, "the big node takes one replica of each volume only"
    shared = {**DEFAULTS, longhorn.SHARED_NODES: "true"}
    assert placed([1000, 10, 10], wanted({"numberOfReplicas": "2"}, shared), shared) == 510


def test_too_few_nodes_are_enough_only_where_degraded_volumes_may_be_made() -> None:
    assert placed([100, 100], PLAIN, DEFAULTS) == 100
    strict = {**DEFAULTS, longhorn.DEGRADED: "false"}
    assert placed([100, 100], PLAIN, strict) == 0
    assert placed([], PLAIN, DEFAULTS) == 0


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.integers(1, 3))
def test_the_formula_agrees_with_trying(sizes: list[int], replicas: int) -> None:
    asked = wanted({"numberOfReplicas": str(replicas)}, DEFAULTS)
    strict = {**DEFAULTS, longhorn.DEGRADED: "false"}
    assert int(placed(sizes, asked, strict)) == _tried(tuple(sizes), replicas)


def _tried(sizes: tuple[int, ...], replicas: int) -> int:
    """Volumes of one byte placed one after the other, each on the nodes that have most room."""
    left, made = list(sizes), 0
    while True:
        order = sorted(range(len(left)), key=lambda place: -left[place])[:replicas]
        if len(order) < replicas or any(left[place] == 0 for place in order):
            return made
        for place in order:
            left[place] -= 1
        made += 1


SNAP: Object = {"dataSource": "snap://pvc-1/snapshot-1"}
BAK: Object = {"fromBackup": "s3://backups?backup=b&volume=v"}


@pytest.mark.parametrize(
    ("spec", "status", "whole"),
    [
        (SNAP, {}, False),
        (SNAP, {"cloneStatus": {"state": ""}}, False),
        (SNAP, {"cloneStatus": {"state": "initiated"}}, False),
        (SNAP, {"cloneStatus": {"state": "failed", "attemptCount": 3}}, False),
        (SNAP, {"cloneStatus": {"state": "copy-completed-awaiting-healthy"}}, True),
        (SNAP, {"cloneStatus": {"state": "completed"}}, True),
        ({}, {"cloneStatus": {"state": "completed"}}, False),
        (BAK, {}, False),
        (BAK, {"restoreRequired": True, "restoreInitiated": True}, False),
        (BAK, {"restoreRequired": False}, False),
        (BAK, {"restoreRequired": False, "restoreInitiated": True}, True),
    ],
)
def test_a_copy_is_whole_when_longhorn_says_so(spec: Object, status: Object, whole: bool) -> None:
    assert longhorn.copied({"spec": spec, "status": status}) is whole
    assert longhorn.copied(None) is False


@pytest.mark.parametrize(
    ("spec", "status", "why"),
    [
        (SNAP, {"cloneStatus": {"state": "failed", "attemptCount": 10}}, "after 10 attempts"),
        (
            BAK,
            {
                "conditions": [
                    {"type": "Restore", "status": "False", "reason": "RestoreFailure", "message": "no target"}
                ]
            },
            "did not restore the backup: no target",
        ),
    ],
)
def test_a_copy_that_longhorn_has_given_up_is_an_error(spec: Object, status: Object, why: str) -> None:
    with pytest.raises(ShareBackendException, match=why):
        longhorn.copied({"spec": spec, "status": status})


@pytest.mark.parametrize(
    ("driver", "handle", "ready", "source", "lives"),
    [
        ("driver.longhorn.io", "snap://pvc-1/s", True, {"volumeHandle": "x"}, "pvc-1"),
        ("driver.longhorn.io", "bak://pvc-1/s", True, {"volumeHandle": "x"}, ""),
        # it goes to the backup target still
        ("driver.longhorn.io", "bak://pvc-1/s", False, {"volumeHandle": "x"}, "x"),
        ("driver.longhorn.io", "bak://pvc-1/s", None, {"volumeHandle": "x"}, "x"),
        ("driver.longhorn.io", "bak://pvc-1/s", True, {"snapshotHandle": "bak://pvc-1/s"}, ""),
        ("driver.longhorn.io", "bak://pvc-1/s", False, {"snapshotHandle": "bak://pvc-1/s"}, "pvc-1"),
        ("driver.longhorn.io", "", True, {"volumeHandle": "x"}, "x"),
        ("csi.example", "h", True, {"volumeHandle": "x"}, "x"),
        ("csi.example", "h", True, {"snapshotHandle": "h"}, None),
    ],
)
def test_where_a_snapshot_lives(
    driver: str, handle: str, ready: bool | None, source: Object, lives: str | None
) -> None:
    content: Object = {"metadata": {}, "spec": {"driver": driver, "source": source}}
    assert copies.lives_in({**content, "status": {"snapshotHandle": handle, "readyToUse": ready}}) == lives
