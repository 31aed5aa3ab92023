"""Our list is put into the original's order, by what is known of its items."""

from __future__ import annotations

from typing import Any

from tests.conformance.unordered import Likeness, arrange


def _marks(numbers: dict[str, int]) -> Any:
    def item(one: dict[str, str]) -> dict[str, str]:
        return {key: f"<uuid:{numbers[value]}>" if value in numbers else value for key, value in one.items()}

    return item


def test_items_are_matched_by_their_fields() -> None:
    theirs = {"share_instances": [{"id": "a", "status": "error"}, {"id": "b", "status": "available"}]}
    ours = {"share_instances": [{"id": "x", "status": "available"}, {"id": "y", "status": "error"}]}
    arrange(theirs, ours, Likeness(_marks({"a": 1, "b": 2}), _marks({"x": 1, "y": 2}), {}))
    assert [one["id"] for one in ours["share_instances"]] == ["y", "x"]


def test_an_id_that_is_known_weighs_more_than_fields() -> None:
    theirs = {"share_instances": [{"id": "a", "status": "error"}, {"id": "b", "status": "available"}]}
    ours = {"share_instances": [{"id": "x", "status": "available"}, {"id": "y", "status": "error"}]}
    same = {"1": "1", "2": "2"}
    arrange(theirs, ours, Likeness(_marks({"a": 1, "b": 2}), _marks({"x": 1, "y": 2}), same))
    assert [one["id"] for one in ours["share_instances"]] == ["x", "y"]


def test_what_one_side_has_more_stays_to_be_told() -> None:
    theirs: dict[str, list[dict[str, str]]] = {"share_instances": []}
    ours = {"share_instances": [{"id": "x"}]}
    arrange(theirs, ours, Likeness(_marks({}), _marks({}), {}))
    assert ours == {"share_instances": [{"id": "x"}]}
    arrange({"itemNotFound": {}}, ours, Likeness(_marks({}), _marks({}), {}))
    assert len(ours["share_instances"]) == 1
