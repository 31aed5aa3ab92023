"""From the rows of back ends to the pools that the scheduler weighs."""

from __future__ import annotations

from collections.abc import Sequence

from generated.runtime import Row
from scheduler.request import Pool
from services import capabilities


def pools_of(backends: Sequence[Row]) -> list[Pool]:
    """The pools of the rows that ``db.reports.backends`` gives, in their order."""
    found = []
    for row in backends:
        for one in capabilities.pools(row["host"], row["capabilities"], row["reported_at"]):
            placed = row["placed"].get(one["name"], {})
            found.append(
                Pool(
                    host=one["name"],
                    zone_id=row["zone_id"],
                    zone=row["zone"],
                    capabilities=one["capabilities"],
                    consumed=float(placed.get("consumed", 0)),
                    provisioned=float(placed.get("provisioned", 0)),
                )
            )
    return found
