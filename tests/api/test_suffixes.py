"""``.json`` and ``.xml`` at the end of a path; creations and removals that a resource with actions does not have."""

from __future__ import annotations

import pytest

from api.index import Index
from generated.routes import ROUTES
from generated.routes.suffixes import WITHOUT

INDEX = Index(ROUTES)


@pytest.mark.parametrize(
    ("path", "operation", "values"),
    [
        ("shares.json", "shares.list", {}),
        ("shares/detail.xml", "shares.detail", {}),
        ("shares/x.json", "shares.show", {"id": "x"}),
        ("shares/x.xml.json", "shares.show", {"id": "x.xml"}),
        ("shares/x.txt", "shares.show", {"id": "x.txt"}),
        ("messages/.json", "messages.show", {"id": ".json"}),
        ("types/x/extra_specs/a.json", "share_type_extra_specs.show", {"type_id": "x", "id": "a"}),
        ("shares/x/metadata/a.json", "shares.metadata.show_item", {"resource_id": "x", "key": "a.json"}),
        (
            "share-networks/x/subnets/y.xml",
            "share_network_subnets.show",
            {"share_network_id": "x", "share_network_subnet_id": "y.xml"},
        ),
    ],
)
def test_a_suffix_says_nothing_where_it_may_stand(path: str, operation: str, values: dict[str, str]) -> None:
    found = INDEX.find("GET", path.split("/"))
    assert found is not None
    assert (found[0].variants[0].operation, found[1]) == (operation, values)


@pytest.mark.parametrize("path", [one for one in WITHOUT if not one.endswith(("}", "manage", "ensure-shares"))])
@pytest.mark.parametrize("suffix", [".json", ".xml"])
def test_other_paths_are_not_found_with_it(path: str, suffix: str) -> None:
    for end, expected in (("", True), (suffix, False)):
        segments = (path + end).strip("/").split("/")
        assert any(INDEX.find(method, segments) for method in ("GET", "POST", "PUT")) is expected, end


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        ("POST", "messages", 400, "There is no such action: create"),
        ("DELETE", "snapshot-instances/x", 400, "There is no such action: delete"),
        ("POST", "limits", 404, None),
        ("PUT", "share_instances/x", 404, None),
    ],
)
def test_what_is_declared_and_not_there(method: str, path: str, status: int, text: str | None) -> None:
    found = INDEX.find(method, path.split("/"))
    assert found is not None
    assert (found[0].absent, found[0].text) == (status, text)
