"""The benchmark of the data path itself: that it runs, and what its table says."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from deploy.bootstrap import ROOT
from tests.perf.nfs import table
from tests.perf.nfs.sides import Measured, changed
from tests.perf.nfs.works import QUICK, Work, works

READ, STAT = (next(one for one in works(8) if one.name == name and one.clients == 1) for name in ("read", "stat"))
RESULTS: dict[Work, dict[str, list[Measured]]] = {
    READ: {
        "gateway": [Measured(100, 1, 0.2, 0.5), Measured(300, 1, 0.6, 1.5), Measured(200, 1, 0.4, 1.0)],
        "local": [Measured(400, 1, 0, 0.1), Measured(300, 1, 0, 0.1), Measured(400, 1, 0, 0.1)],
    },
    STAT: {
        "gateway": [Measured(10, 2, 0.1, 1.0)] * 3,
        "local": [Measured(100, 2, 0, 1.0)] * 3,
    },
}


def test_medians_ranges_and_ratios_of_each_round() -> None:
    head, _, read, stat = table.lines(RESULTS, "gateway", ["local"])
    assert head.startswith("| work | gateway | local | gateway : local |")
    assert "| 200 (100-300) | 400 (300-400) | 0.50 (0.25-1.00) |" in read
    assert "| 5 (5-5) | 50 (50-50) | 0.10 (0.10-0.10) |" in stat


def test_cpu_time_is_for_a_gib_or_a_thousand_operations() -> None:
    assert table.cpu(READ, RESULTS[READ]["gateway"], "server") == pytest.approx(0.002 * 1024)
    assert table.cpu(STAT, RESULTS[STAT]["gateway"], "clients") == pytest.approx(100)
    assert table.busy(RESULTS[STAT]["gateway"], "clients") == pytest.approx(0.5)


def test_all_that_was_measured_is_in_the_document() -> None:
    found = table.document(RESULTS)
    assert len(found) == 12
    assert found[1] == {
        "work": READ.title, "clients": 1, "side": "gateway", "round": 1, "amount": 300, "seconds": 1,
        "server_cpu": 0.6, "client_cpu": 1.5,
    }  # fmt: skip


def test_a_setting_is_put_into_its_block_or_one_of_its_own() -> None:
    text = changed("NFS_CORE_PARAM {\n  A = 1;\n}\n", "NFS_CORE_PARAM: B = 2; / MDCACHE: C = 3;")
    assert text == "NFS_CORE_PARAM { B = 2; \n  A = 1;\n}\nMDCACHE { C = 3; }\n"


@pytest.mark.datapath
def test_the_short_form_measures_every_work_on_every_side(tmp_path: pathlib.Path) -> None:
    words = [sys.executable, "-m", "tests.perf.nfs.run", "--quick", "--json", str(tmp_path / "out")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads((tmp_path / "out").read_text())
    sides = {one["side"] for one in found}
    assert {"gateway", "gateway, 3 shares", "local"} < sides
    assert any(one.startswith("plain ") for one in sides)
    measured = {(one["work"], one["side"]) for one in found}
    assert measured == {(work.title, side) for work in works(2) for side in sides}
    for one in found:
        assert one["amount"] > 0 and one["seconds"] > 0, one
        assert (one["server_cpu"] > 0) == (one["side"] != "local"), one
    reads = [one for one in found if one["work"].startswith("sequential read") and one["clients"] == 1]
    assert {one["amount"] for one in reads} == {QUICK.one / 2**20}
    assert done.stdout.count("\n| ") == len(works(2)) + 2
