"""The contract's exceptions say what the original says."""

from __future__ import annotations

import pytest

from generated import errors
from generated.faults import DEFAULT_TEXTS, FAULT_NAMES
from generated.runtime import ManilaError


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (errors.ShareNotFound(share_id="s1"), "ShareNotFound: Share s1 could not be found."),
        (errors.InvalidShare(reason="too small"), "Invalid share: too small."),
        (errors.InvalidShare(reason="too small."), "Invalid share: too small."),
        (errors.Conflict(err="busy"), None),
        (errors.ShareNotFound("gone"), "ShareNotFound: gone"),
    ],
)
def test_a_client_sees_of_an_uncaught_one_what_the_original_shows(error: ManilaError, shown: str | None) -> None:
    assert error.shown == shown


def test_a_template_without_its_values_is_shown_as_it_is() -> None:
    assert errors.ShareNotFound().msg == "Share %(share_id)s could not be found."


def test_every_exception_of_the_contract_has_a_class() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, ManilaError)]
    assert len(classes) - 1 == 194
    assert all(300 <= one.uncaught_status < 600 for one in classes)


def test_every_fault_has_a_text() -> None:
    assert FAULT_NAMES.keys() <= DEFAULT_TEXTS.keys()
