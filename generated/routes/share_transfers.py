"""Routes of ``share_transfers``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_transfers.list", "GET", "/share-transfers", None, 77, 99, False, None, None, None, "TransfersResponse", 200, ("share_transfer:get_all",), False),
    Route("share_transfers.create", "POST", "/share-transfers", None, 77, 99, False, "TransferCreateRequest", None, None, "TransferCreatedResponse", 202, ("share_transfer:create",), False),
    Route("share_transfers.detail", "GET", "/share-transfers/detail", None, 77, 99, False, None, None, None, "TransfersDetailResponse", 200, ("share_transfer:get_all",), False),
    Route("share_transfers.delete", "DELETE", "/share-transfers/{id}", None, 77, 99, False, None, None, None, None, 200, ("share_transfer:delete",), False),
    Route("share_transfers.show", "GET", "/share-transfers/{id}", None, 77, 99, False, None, None, None, "TransferResponse", 200, (), False),
    Route("share_transfers.accept", "POST", "/share-transfers/{id}/accept", None, 77, 99, False, "TransferAcceptRequest", None, None, None, 202, ("share_transfer:accept",), False),
)
