"""Request schemas of ``services``.

Generated from spec/request-schemas; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from typing import Any

SCHEMAS: dict[str, dict[str, Any]] = {
    "services.ensure_shares_request_body": {'type': 'object',
     'properties': {'ensure_shares': {'type': 'object',
                                      'properties': {'host': {'type': 'string'}},
                                      'required': ['host'],
                                      'additionalProperties': False}},
     'required': ['ensure_shares'],
     'additionalProperties': False},
}
