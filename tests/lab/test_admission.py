"""The webhook of the lab's storage, asked as the API server asks it, and its words as the product understands them."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator

import pytest

from drivers.kubernetes.api import Refused
from drivers.kubernetes.claims import roomless
from tests.lab.admission import LOCAL, NAME, Server, configuration
from tests.lab.api import Object

GIB = 2**30


@pytest.fixture
def port() -> Iterator[int]:
    server = Server(0, lambda: 2 * GIB)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def claim(size: str) -> Object:
    return {"spec": {"volumeName": "pvc-1", "resources": {"requests": {"storage": size}}}}


def asked(port: int, before: str, after: str) -> Object:
    request = {"uid": "u", "object": claim(after), "oldObject": claim(before)}
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    connection = http.client.HTTPConnection(LOCAL, port, timeout=10)
    connection.request("POST", "/?timeout=5s", json.dumps(review))
    found: Object = json.loads(connection.getresponse().read())
    connection.close()
    assert (found["apiVersion"], found["kind"], found["response"]["uid"]) == (*list(review.values())[:2], "u")
    answer: Object = found["response"]
    return answer


@pytest.mark.parametrize(("before", "after"), [("1Gi", "1Gi"), ("1Gi", "3Gi"), ("9Gi", "8Gi")])
def test_what_fits_and_what_does_not_grow_is_let_through(port: int, before: str, after: str) -> None:
    assert asked(port, before, after) == {"uid": "u", "allowed": True}


def test_growth_without_room_is_refused_in_words_that_the_product_understands(port: int) -> None:
    answer = asked(port, "1Gi", "4Gi")
    status = answer["status"]
    assert (answer["allowed"], status["code"]) == (False, 403)
    refused = Refused(403, status["reason"], f'admission webhook "{NAME}" denied the request: {status["message"]}')
    assert "the storage has no room to grow claim c: " in str(roomless(refused, "to grow claim c"))


def test_the_api_server_asks_about_claims_of_this_storage_only() -> None:
    (webhook,) = configuration(7, "lab", "Y2E=")["webhooks"]
    assert webhook["clientConfig"] == {"url": "https://127.0.0.1:7/", "caBundle": "Y2E="}
    assert "'lab'" in webhook["matchConditions"][0]["expression"]
