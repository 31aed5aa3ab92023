"""The contract as a plain OpenAPI document for one microversion, as schemathesis reads it."""

from __future__ import annotations

import copy
import functools
import json
import pathlib
from typing import Any

CONTRACT = pathlib.Path(__file__).resolve().parent.parent.parent / "spec" / "openapi_stable-2026.2.json"
METHODS = ("get", "put", "post", "delete")
Json = dict[str, Any]


@functools.cache
def contract() -> Json:
    """The contract's own document, which covers every microversion at once."""
    found: Json = json.loads(CONTRACT.read_text())
    return found


def minor(version: str) -> int:
    """``2.65`` -> 65."""
    return int(version.partition(".")[2])


def _holds(ranges: Json, at: int) -> bool:
    low = ranges.get("min_version") or ranges.get("min") or "2.0"
    high = ranges.get("max_version") or ranges.get("max") or "2.99"
    return minor(low) <= at <= minor(high)


def _selected(choices: list[Json], at: int) -> str | None:
    return next((one["schema"] for one in choices if _holds(one, at)), None)


def _parameters(operation: Json, at: int) -> list[Json]:
    """Path and query parameters of that version; the version headers are sent by the tests."""
    kept = []
    for one in operation.get("parameters", []):
        low, high = one.get("x-min-version", "2.0"), one.get("x-max-version", "2.99")
        if "$ref" not in one and minor(low) <= at <= minor(high):
            kept.append(one)
    return kept


def _operation(operation: Json, at: int) -> Json:
    made: Json = {key: operation[key] for key in ("operationId", "x-operation-id", "x-action-key") if key in operation}
    made["x-experimental"] = all(v["experimental"] for v in operation["x-microversions"] if _holds(v, at))
    made["parameters"] = _parameters(operation, at)
    body = _selected(operation["x-schema-selection"], at)
    if body is not None:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{body}"}}}
        made["requestBody"] = {"required": True, "content": content}
    answer = _selected(operation["x-response-schema-selection"], at)
    responses = copy.deepcopy(operation["responses"])
    for status, response in responses.items():
        if status.startswith("2") and "content" in response and answer is not None:
            response["content"]["application/json"]["schema"] = {"$ref": f"#/components/schemas/{answer}"}
    made["responses"] = responses
    return made


def at(version: int) -> Json:
    """The document of microversion ``2.version``."""
    whole = contract()
    paths: Json = {}
    for path, item in whole["paths"].items():
        for method in METHODS:
            operation = item.get(method)
            if operation is None or not operation.get("x-usable", True):
                continue
            if any(_holds(one, version) for one in operation["x-microversions"]):
                paths.setdefault(path, {})[method] = _operation(operation, version)
    return {**{key: whole[key] for key in ("openapi", "info", "servers", "components")}, "paths": paths}
