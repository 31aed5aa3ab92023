"""The vendored folder is complete, and what is kept beside it fits it."""

from __future__ import annotations

import json

from tests.conformance import launch, replay


def test_every_promised_scenario_has_its_recording() -> None:
    for name in replay.VISIBLE:
        if (replay.OWN / f"{name}.json").exists():
            continue
        assert (launch.VENDORED / "scenarios" / f"{name}.yaml").exists()
        assert (launch.VENDORED / "recordings" / f"{name}.json").exists()


def test_known_differences_name_exchanges_that_exist() -> None:
    for name, numbers in replay.known().items():
        recording = json.loads((launch.VENDORED / "recordings" / f"{name}.json").read_text())
        exchanges = [number for number in numbers if number != "notifications"]
        assert all(1 <= number <= len(recording["exchanges"]) for number in exchanges)


def test_known_differences_are_explained_in_the_documentation() -> None:
    page = (launch.HERE.parent.parent / "docs" / "CONFORMANCE.md").read_text()
    for name in replay.known():
        assert f"`{name}`" in page, f"docs/CONFORMANCE.md does not mention {name}"


def test_every_difference_on_the_page_is_of_a_kind_that_the_page_explains() -> None:
    page = (launch.HERE.parent.parent / "docs" / "CONFORMANCE.md").read_text()
    rows = [[one.strip() for one in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    explained = {row[0] for row in rows if len(row) == 2} - {"kind", "---"}
    used = [row[0] for row in rows if len(row) > 2 and row[0] not in ("kind", "---")]
    assert len(used) > 100
    assert set(used) == explained
    titles = [row for row in rows if row[0] == "kind"][1:]
    assert all(row[-2:] == ["original", "here"] for row in titles)
    width = 0
    for row in rows:
        width = len(row) if row[0] == "kind" else width
        assert len(row) == width, row


def test_the_contract_is_beside_the_vendored_tools() -> None:
    assert (launch.HERE / "contract" / "openapi_stable-2026.2.json").exists()


def test_a_difference_that_is_not_explained_is_reported() -> None:
    outcome = replay.Outcome("x", 1, 2, {2: ["   #2 GET /", "        status: recorded 200, got 500"]}, [])
    assert outcome.judge({}) == ["   #2 GET /", "        status: recorded 200, got 500"]
    assert outcome.judge({2: "a defect"}) == []
    assert outcome.judge({1: "a defect", 2: "a defect"}) == ["   #1 is listed as differing, but agrees"]
