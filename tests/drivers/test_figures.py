"""Figures of what clients do: which are shown, under which names."""

from __future__ import annotations

import prometheus_client

from drivers.client_counts import Count, Counts, Seen, Statistics
from drivers.figures import ClientFigures


def did(number: int) -> Counts:
    """So many reads of 4 KiB, each in a millisecond; nothing else."""
    return Count(number, 1, number / 1000, number * 4096), Count(), Count()


def shown(figures: ClientFigures) -> dict[str, float]:
    """Sample as in a query -> value, reads only."""
    return {
        f"{sample.name} {sample.labels.get('share_instance') or sample.labels['client']}": sample.value
        for family in figures.collect()
        for sample in family.samples
        if sample.labels["kind"] == "read"
    }


def test_a_share_and_a_client_are_shown_with_whose_they_are() -> None:
    seen = [Seen("server", Statistics({"instance": did(7)}, {"10.0.0.5": did(7)}), "project", {"instance": "share"})]
    registry = prometheus_client.CollectorRegistry()
    registry.register(ClientFigures("manila_nfs", lambda: seen))
    labels = {
        "share": {"share": "share", "share_instance": "instance", "project": "project", "kind": "read"},
        "client": {"client": "10.0.0.5", "server": "server", "project": "project", "kind": "read"},
    }
    found = {
        f"{whose}_{what}": registry.get_sample_value(f"manila_nfs_{whose}_{what}_total", labels[whose])
        for whose in labels
        for what in ("operations", "bytes", "errors", "seconds")
    }
    assert found == {
        "share_operations": 7, "share_bytes": 28672, "share_errors": 1, "share_seconds": 0.007,
        "client_operations": 7, "client_bytes": 28672, "client_errors": 1, "client_seconds": None,
    }  # fmt: skip


def test_however_many_there_are_a_few_are_shown() -> None:
    many = {f"s{number:04}": did(number) for number in range(1000)}
    addresses = {f"10.0.{number // 250}.{number % 250}": did(number) for number in range(1000)}
    figures = ClientFigures("p", lambda: [Seen("server", Statistics(many, addresses))], top=3)
    found = shown(figures)
    assert {name for name in found if "operations" in name} == {
        "p_share_operations_total s0999", "p_share_operations_total s0998", "p_share_operations_total s0997",
        "p_client_operations_total 10.0.3.249", "p_client_operations_total 10.0.3.248",
        "p_client_operations_total 10.0.3.247",
    }  # fmt: skip
    figures.top = 0
    assert shown(figures) == {}


def test_who_begins_to_work_is_shown_and_who_rests_is_not() -> None:
    done = {"old": did(1000), "new": did(0)}
    figures = ClientFigures("p", lambda: [Seen("server", Statistics(dict(done)))], top=1)
    assert "p_share_operations_total old" in shown(figures)
    done["new"] = did(5)
    assert shown(figures)["p_share_operations_total new"] == 5
    done["old"] = did(1010)
    assert shown(figures)["p_share_operations_total old"] == 1010
    done["new"] = did(1)  # its Ganesha was started again, and counts from the beginning
    done["old"] = did(1011)
    assert "p_share_operations_total old" in shown(figures)
