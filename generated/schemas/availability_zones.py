"""Request schemas of ``availability_zones``.

Generated from spec/request-schemas; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from typing import Any

SCHEMAS: dict[str, dict[str, Any]] = {
    "availability_zones.index_request_query": {'type': 'object', 'properties': {}, 'additionalProperties': True},
}
