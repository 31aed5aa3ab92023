"""Which tests of the functional suite run, and how their results are judged."""

from __future__ import annotations

import re

import pytest

from tests.tempest import chosen, conf, run


@pytest.mark.parametrize(("profile", "count"), [("nodhss", 1092 + 19), ("dhss", 634)])
def test_the_lists_hold_what_was_promised(profile: str, count: int) -> None:
    names = chosen.listed(profile)
    assert len(names) == len(set(names)) == count


@pytest.mark.parametrize("profile", conf.PROFILES)
def test_parts_are_whole_classes_of_about_the_same_size_and_make_up_the_suite(profile: str) -> None:
    names = chosen.listed(profile)
    parts = [chosen.part(names, number, 4) for number in (1, 2, 3, 4)]
    assert sorted(name for one in parts for name in one) == names
    owners = [{name.rpartition(".")[0] for name in one} for one in parts]
    assert sum(len(one) for one in owners) == len(set.union(*owners))
    assert max(map(len, parts)) < 2 * min(map(len, parts))


def test_an_expression_finds_its_test_alone_with_or_without_attributes() -> None:
    line = chosen.expressions(["a.b.test_c"]).strip()
    assert re.search(line, "a.b.test_c") and re.search(line, "a.b.test_c[id-1,negative]")
    assert not re.search(line, "a.b.test_c_d") and not re.search(line, "x.a.b.test_c")


def test_what_did_not_pass_is_reported_with_its_reason() -> None:
    broken = {"status": "failed", "reason": "no projects"}
    results = {"m.A.test_a": {"status": "passed"}, "m.A.test_b": {"status": "skipped", "reason": "off"}}
    results |= {"m.B.setUpClass": broken}
    lines = run.judge(["m.A.test_a", "m.A.test_b", "m.B.test_c", "m.C.test_d"], results)
    assert [line.split()[:2] for line in lines[:2]] == [["skipped", "m.A.test_b"], ["failed", "m.B.test_c"]]
    assert "no projects" in lines[1]
    assert lines[2].startswith("not run")
    assert run.judge(["m.A.test_a"], results) == []
