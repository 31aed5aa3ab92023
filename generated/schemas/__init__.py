"""The JSON schemas of requests; the files beside this module hold them per resource.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from generated.runtime import Json


@cache
def schema(name: str) -> Json:
    """The JSON schema ``name`` of the dispatch table (``shares.extend_request_body_v27``).

    Raises KeyError for a name that is not in the contract.
    """
    resource, _, _ = name.partition(".")
    return _file(resource)[name]


@cache
def _file(resource: str) -> dict[str, Json]:
    path = files(__package__) / f"{resource}.json"
    if not path.is_file():
        raise KeyError(resource)
    loaded: dict[str, Json] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
