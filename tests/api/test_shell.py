"""What the shell answers before any handler runs; every expectation was read off the original."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from tests.api.client import Client

MALFORMED = {"badRequest": {"code": 400, "message": "Malformed request body"}}
BAD_URL = {"badRequest": {"code": 400, "message": "Malformed request url"}}
NOT_FOUND = {"itemNotFound": {"code": 404, "message": "The resource could not be found."}}
NEEDS_TOKEN = {
    "error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}
}
OTHER_PROJECT = "c0000000000000000000000000000000"


@pytest.mark.parametrize("path", ["/v2/", "/v2/shares", "/v2/nope"])
@pytest.mark.parametrize("token", [None, "bad"])
async def test_401_wins_over_everything(app: FastAPI, path: str, token: str | None) -> None:
    answer = await Client(app, token)("GET", path, headers={"X-OpenStack-Manila-API-Version": "x"})
    assert (answer.status, answer.json) == (401, NEEDS_TOKEN)
    assert answer.headers["www-authenticate"] == 'Keystone uri="http://keystone.example/identity"'
    assert answer.headers["x-openstack-request-id"].startswith("req-")
    assert "vary" not in answer.headers


async def test_the_root_needs_no_token_and_no_version(app: FastAPI) -> None:
    answer = await Client(app, None)("GET", "/", version="9.9")
    assert answer.status == 300
    assert [one["id"] for one in answer.json["versions"]] == ["v2.0"]
    assert answer.json["versions"][0]["links"][1]["href"] == "http://api.test:8786/v2/"
    assert "x-openstack-manila-api-version" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v2/nope"),
        ("PATCH", "/v2/shares"),
        ("GET", "/v2/shares/"),
        ("GET", "/v2/zz/shares"),
        ("POST", "/v2/types/new"),
        ("GET", "/nope"),
    ],
)
async def test_outside_the_table_is_a_page_even_with_a_bad_version(app: FastAPI, method: str, path: str) -> None:
    answer = await Client(app)(method, path, version="x", headers={"Accept": "*/*"})
    assert answer.status == 404
    assert answer.headers["content-type"] == "text/html; charset=UTF-8"
    assert b"<h1>404 Not Found</h1>" in answer.content
    assert "x-compute-request-id" not in answer.headers


@pytest.mark.parametrize(
    ("version", "status", "text"),
    [
        ("x", 400, "API Version String x is of invalid format. Must be of format MajorNum.MinorNum."),
        ("2", 400, "API Version String 2 is of invalid format. Must be of format MajorNum.MinorNum."),
        ("2.120", 406, "Version 2.120 is not supported by the API. Minimum is 2.0 and maximum is 2.99."),
        ("1.0", 406, "Version 1.0 is not supported by the API. Minimum is 2.0 and maximum is 2.99."),
    ],
)
async def test_version_header(app: FastAPI, version: str, status: int, text: str) -> None:
    answer = await Client(app)("GET", "/v2/shares", version=version)
    assert answer.status == status
    ((_, body),) = answer.json.items()
    assert body == {"code": status, "message": text}
    assert ("vary" in answer.headers) == (status == 406)


CASES: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("POST", "/v2/shares", b"{bad", MALFORMED),
    ("POST", "/v2/shares/x/action", b"[]", MALFORMED),
    ("POST", "/v2/shares/x/action", b'{"extend": {}, "b": 1}', MALFORMED),
    ("POST", "/v2/shares/x/action", b"", {"badRequest": {"code": 400, "message": "There is no such action: None"}}),
    (
        "POST",
        "/v2/shares/x/action",
        b'{"foo": 1}',
        {"badRequest": {"code": 400, "message": "There is no such action: foo"}},
    ),
    ("GET", f"/v2/{OTHER_PROJECT}/shares", b"", BAD_URL),
    ("POST", "/v2/shares/x/action", b'{"extend": {}}', NOT_FOUND),
    ("GET", "/v2/types/new", b"", NOT_FOUND),
    ("PUT", "/v2/availability-zones/x", b"", NOT_FOUND),
]


@pytest.mark.parametrize(("method", "path", "raw", "expected"), CASES)
async def test_refused_before_the_handler(
    app: FastAPI, method: str, path: str, raw: bytes, expected: dict[str, Any]
) -> None:
    answer = await Client(app, version="2.5")(method, path, raw=raw)
    ((_, body),) = expected.items()
    assert (answer.status, answer.json) == (body["code"], expected)
    assert answer.headers["x-openstack-manila-api-version"] == "2.5"
    assert answer.headers["vary"] == "X-OpenStack-Manila-API-Version"
    assert answer.headers["x-compute-request-id"] == answer.headers["x-openstack-request-id"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, "Invalid input for field/attribute extend. Value: {}. 'new_size' is a required property"),
        ({"new_size": "a"}, "Invalid input for field/attribute new_size. Value: a. 'a' does not match '^[0-9]*$'"),
    ],
)
async def test_a_body_is_checked_with_the_originals_words(app: FastAPI, body: dict[str, Any], text: str) -> None:
    answer = await Client(app, version="2.7")("POST", "/v2/shares/x/action", {"extend": body})
    assert answer.json == {"badRequest": {"code": 400, "message": text}}


async def test_policy_of_the_handler_refuses_with_the_default_text(app: FastAPI) -> None:
    answer = await Client(app, "norole-a-token")("GET", "/v2/shares/x")
    assert answer.json == {"forbidden": {"code": 403, "message": "Access was denied to this resource."}}


async def test_experimental_needs_its_header(app: FastAPI) -> None:
    answer = await Client(app, version="2.50")("GET", "/v2/share-replicas")
    assert (answer.status, answer.json) == (404, NOT_FOUND)
    assert "x-openstack-manila-api-experimental" not in answer.headers


async def test_a_body_over_the_limit_is_413(app: FastAPI) -> None:
    answer = await Client(app)("POST", "/v2/shares", raw=b" " * 114_689)
    assert answer.status == 413
    assert answer.content.startswith(b"413 Request Entity Too Large")


async def test_links_follow_a_proxy_only_when_it_is_believed(app: FastAPI, proxied: FastAPI) -> None:
    sent = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cloud.example", "X-Forwarded-Prefix": "/share"}

    async def link(of: FastAPI) -> str:
        answer = await Client(of)("GET", "/v2/", headers=sent)
        return str(answer.json["versions"][0]["links"][1]["href"])

    assert await link(proxied) == "https://cloud.example/share/v2/"
    assert await link(app) != "https://cloud.example/share/v2/"


async def test_identity_headers_of_the_client_mean_nothing(app: FastAPI) -> None:
    forged = {"X-Roles": "admin", "X-Project-Id": OTHER_PROJECT, "X-User-Id": "root", "X-Is-Admin-Project": "True"}
    answer = await Client(app, "norole-a-token")("GET", "/v2/shares/x", headers=forged)
    assert answer.status == 403
