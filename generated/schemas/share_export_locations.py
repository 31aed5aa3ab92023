"""Request schemas of ``share_export_locations``.

Generated from spec/request-schemas; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from typing import Any

SCHEMAS: dict[str, dict[str, Any]] = {
    "share_export_locations.create_metadata_response_body": {'type': 'object',
     'properties': {'metadata': {'type': ['object', 'null'],
                                 'patternProperties': {'^[a-zA-Z0-9-_:. ]{1,255}$': {'type': 'string'}},
                                 'additionalProperties': False}},
     'required': ['metadata'],
     'additionalProperties': False},
    "share_export_locations.empty_query_schema": {},
    "share_export_locations.update_metadata_request_body": {'type': 'object',
     'properties': {'metadata': {'type': ['object', 'null'],
                                 'patternProperties': {'^[a-zA-Z0-9-_:. ]{1,255}$': {'type': 'string'}},
                                 'additionalProperties': False}},
     'required': ['metadata'],
     'additionalProperties': True},
}
