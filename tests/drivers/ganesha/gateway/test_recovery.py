"""Records of clients that are found again by a newer Ganesha."""

from __future__ import annotations

import pathlib

from drivers.ganesha.gateway.recovery import carry_over


def made(root: pathlib.Path, *folders: str) -> pathlib.Path:
    for name in folders:
        (root / name).mkdir(parents=True)
    return root


def listed(root: pathlib.Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_records_of_4_are_where_9_looks(tmp_path: pathlib.Path) -> None:
    long = "v4recov/node0/beginning-of-a-long-name/the-rest-of-it"
    made(tmp_path, "v4recov/node0/::ffff:10.0.0.5-(6:holder)", long, "v4old/node0/::ffff:10.0.0.6-(5:other)")
    assert carry_over(tmp_path, (9, 14)) == 3
    after = listed(tmp_path)
    assert after == [
        "v4old",
        "v4old/::ffff:10.0.0.6-(5:other)",
        "v4old/::ffff:10.0.0.6-(5:other)/reclaim_complete",
        "v4recov",
        "v4recov/::ffff:10.0.0.5-(6:holder)",
        "v4recov/::ffff:10.0.0.5-(6:holder)/reclaim_complete",
        "v4recov/beginning-of-a-long-name",
        "v4recov/beginning-of-a-long-name/the-rest-of-it",
        "v4recov/beginning-of-a-long-name/the-rest-of-it/reclaim_complete",
    ]
    assert carry_over(tmp_path, (9, 14)) == 0
    assert listed(tmp_path) == after


def test_what_is_right_already_stays(tmp_path: pathlib.Path) -> None:
    assert carry_over(tmp_path / "nothing", (9, 14)) == 0
    made(tmp_path, "v4recov/::ffff:10.0.0.5-(6:holder)", "v4recov/node0/a")
    assert carry_over(tmp_path, (4, 3)) == 0
    made(tmp_path, "v4recov/a")
    before = listed(tmp_path)
    assert carry_over(tmp_path, (9, 14)) == 0
    assert listed(tmp_path) == before, "a record of the newer release was replaced"
