"""Dispatch rows of ``handlers.share_transfers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_transfers.accept",
        "POST",
        "/share-transfers/{id}/accept",
        rules=("share_transfer:accept",),
        empty_json=True,
        variants=(Variant(77, LATEST, 202, body="TransferAcceptRequest"),),
    ),
    *rows(
        "share_transfers.create",
        "POST",
        "/share-transfers",
        rules=("share_transfer:create",),
        variants=(Variant(77, LATEST, 202, body="TransferCreateRequest", view="transfer_created"),),
    ),
    *rows(
        "share_transfers.delete",
        "DELETE",
        "/share-transfers/{id}",
        rules=("share_transfer:delete",),
        variants=(Variant(77, LATEST, 200),),
    ),
    *rows(
        "share_transfers.detail",
        "GET",
        "/share-transfers/detail",
        rules=("share_transfer:get_all",),
        presence_first=True,
        variants=(Variant(77, LATEST, 200),),
    ),
    *rows(
        "share_transfers.list",
        "GET",
        "/share-transfers",
        rules=("share_transfer:get_all",),
        presence_first=True,
        variants=(Variant(77, LATEST, 200),),
    ),
    *rows(
        "share_transfers.show", "GET", "/share-transfers/{id}", variants=(Variant(77, LATEST, 200, view="transfer"),)
    ),
)
