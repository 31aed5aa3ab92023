"""Request models: every body of the dispatch table has one, and they accept what the contract says."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from generated.models import MODULES, model
from generated.routes import ROUTES


def test_every_body_has_a_model() -> None:
    bodies = {route.body for route in ROUTES if route.body}
    assert bodies <= MODULES.keys()
    assert [name for name in sorted(MODULES) if model(name).__name__ != name] == []


def test_a_nullable_field_takes_null_and_a_missing_one_is_told() -> None:
    share = model("ShareCreateRequestV231")
    assert share.model_validate({"share": {"size": 1, "share_proto": "NFS", "name": None}})
    with pytest.raises(ValidationError, match="share_proto"):
        share.model_validate({"share": {"size": 1}})


def test_a_number_sent_as_text_is_accepted_where_the_contract_says_so() -> None:
    assert model("ShareCreateRequestV231").model_validate({"share": {"size": "1", "share_proto": "NFS"}})
