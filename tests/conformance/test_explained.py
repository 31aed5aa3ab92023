"""What explains a difference of a random sequence, and what does not."""

from __future__ import annotations

from tests.conformance.explained import Judge, read

CRASH = [
    'body.computeFault: missing (oracle {"code": 500})',
    'body.badRequest: not in the recording (got {"code": 400})',
    "status: oracle 500, got 400",
]


def test_an_error_of_the_original_is_explained_and_ours_is_not() -> None:
    judge = Judge(read())
    assert str(judge.judge({"op": "shares.create", "do": "POST /v2/shares"}, CRASH)).startswith("listed")
    ours = ["body.share: missing (oracle {})", "status: oracle 200, got 500"]
    assert judge.judge({"op": "shares.create", "do": "POST /v2/shares"}, ours) is None


def test_one_unexplained_line_makes_the_difference_unexplained() -> None:
    lines = [*CRASH, "body.share.size: oracle 1, got 2"]
    assert Judge(read()).judge({"op": "shares.create", "do": "POST /v2/shares"}, lines) is None


def test_what_names_a_thing_that_differs_follows() -> None:
    judge = Judge(read())
    other = ["body.metadata.a: oracle 1, got 2"]
    read_it = {"op": "shares.show", "do": "GET /v2/shares/${share1}"}
    assert judge.judge(read_it, other) is None
    written = [*CRASH[:1], 'body.metadata: not in the recording (got {"a": 2})', "status: oracle 500, got 200"]
    judge.judge({"op": "shares.metadata.update_item", "do": "POST /v2/shares/${share1}/metadata/a"}, written)
    assert judge.judge(read_it, other) == "follows"
    assert judge.judge({"op": "shares.detail", "do": "GET /v2/shares/detail"}, other) == "follows"
    assert judge.judge({"op": "shares.show", "do": "GET /v2/shares/${share2}"}, other) is None


def test_what_was_read_from_a_thing_differs_with_it() -> None:
    judge = Judge(read())
    judge.answered({"op": "a", "do": "GET /v2/snapshots/${snapshot1}/x", "save": {"instance2": "id"}})
    gone = ['body: oracle {"itemNotFound": {}}, got null', "status: oracle 404, got 202"]
    judge.judge({"op": "snapshots.delete", "do": "DELETE /v2/snapshots/${snapshot1}"}, gone)
    step = {"op": "share_instances.show", "do": "GET /v2/share-instances/${instance2}"}
    assert judge.judge(step, ["status: oracle 200, got 404"]) == "follows"


def test_what_a_list_shows_to_be_part_of_a_thing_differs_with_it() -> None:
    judge = Judge(read())
    body = {"snapshot_instances": [{"id": "i1", "snapshot_id": "s1"}, {"id": "i2", "snapshot_id": "s2"}]}
    save = {"instance1": "snapshot_instances.0.id", "instance2": "snapshot_instances.1.id"}
    step = {"op": "snapshot_instances.detail", "do": "GET /v2/snapshot-instances/detail", "save": save}
    judge.answered(step, body, {"snapshot1": "s1", "snapshot2": "s2"})
    gone = ['body: oracle {"itemNotFound": {}}, got null', "status: oracle 404, got 202"]
    judge.judge({"op": "snapshots.delete", "do": "DELETE /v2/snapshots/${snapshot1}"}, gone)
    lines = ["body.x: not in the recording", "status: oracle 202, got 404"]
    reset = {"op": "snapshot_instances.action.reset_status", "do": "POST /v2/snapshot-instances/${instance1}/action"}
    assert judge.judge(reset, lines) == "follows"
    assert judge.judge({**reset, "do": "POST /v2/snapshot-instances/${instance2}/action"}, lines) is None


def test_usage_may_differ_only_after_the_limits_were_removed() -> None:
    lines = ["body.quota_set.shares.in_use: oracle 0, got 1"]
    judge = Judge(read())
    step = {"op": "quota_sets.detail", "do": "GET /v2/quota-sets/p/detail"}
    assert judge.judge(step, lines) is None
    judge.answered({"op": "quota_sets.delete"})
    assert str(judge.judge(step, lines)).startswith("listed")


def test_a_content_type_alone_is_no_error_of_the_original() -> None:
    step = {"op": "shares.create", "do": "POST /v2/shares"}
    assert Judge(read()).judge(step, ["headers.Content-Type: oracle a, got b"]) is None
    assert Judge(read()).judge(step, ["body.more: not in the recording (got 1)"]) is None


def test_a_count_follows_only_what_it_may_count() -> None:
    lines = ["body.quota_set.shares.in_use: oracle 3, got 400"]
    count = {"op": "quota_sets.detail", "do": "GET /v2/quota-sets/p/detail"}
    judge = Judge(read())
    judge.judge({"op": "resource_locks.create", "do": "POST /v2/resource-locks"}, CRASH)
    assert judge.judge(count, lines) is None
    judge.judge({"op": "snapshots.create", "do": "POST /v2/snapshots"}, CRASH)
    assert judge.judge(count, lines) == "follows"
