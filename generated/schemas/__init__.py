"""Every request schema by its name.

Generated from spec/request-schemas; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from typing import Any

from generated.schemas import (
    availability_zones,
    messages,
    quota_class_sets,
    resource_locks,
    services,
    share_export_locations,
    share_snapshots,
    shares,
)

SCHEMAS: dict[str, dict[str, Any]] = {
    **availability_zones.SCHEMAS,
    **messages.SCHEMAS,
    **quota_class_sets.SCHEMAS,
    **resource_locks.SCHEMAS,
    **services.SCHEMAS,
    **share_export_locations.SCHEMAS,
    **share_snapshots.SCHEMAS,
    **shares.SCHEMAS,
}
