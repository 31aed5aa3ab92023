"""Generated and recorded requests to a running service, every answer judged by schemathesis."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from tests.schemathesis import document

Operation = Any
"""schemathesis' APIOperation; its type parameters say nothing to a reader."""
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
SECONDS = 30


@dataclass(slots=True)
class Tally:
    """What was sent to one operation and how it was answered."""

    requests: int = 0
    successes: int = 0
    problems: list[str] = field(default_factory=list)


class Contract:
    """The operations of one microversion."""

    def __init__(self, version: int, without: frozenset[str]) -> None:
        self.version = version
        schema = schemathesis.openapi.from_dict(document.at(version, without))
        self.operations: dict[str, Operation] = {}
        self._routes: list[tuple[str, re.Pattern[str], str | None, str]] = []
        for result in schema.get_all_operations():
            operation: Operation = result.ok()  # type: ignore[union-attr]  # one that cannot be read raises here
            raw = operation.definition.raw
            ident = raw["x-operation-id"]
            self.operations[ident] = operation
            path = operation.path.partition("#")[0]
            pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + r"\Z")
            self._routes.append((operation.method.upper(), pattern, raw.get("x-action-key"), ident))
        # fixed segments before parameters: /shares/detail is not /shares/{id}
        self._routes.sort(key=lambda route: route[1].pattern.count("[^/]+"))

    def find(self, method: str, path: str, body: Any) -> str | None:
        """The operation a request is for; ``path`` is below ``/v2``."""
        action = next(iter(body), None) if isinstance(body, dict) and len(body) == 1 else None
        for known, pattern, key, ident in self._routes:
            if known == method and pattern.match(path) and key in (None, action):
                return ident
        return None


class Judge:
    """Sends, checks and counts. ``url`` is the service's root."""

    def __init__(self, url: str, without: frozenset[str]) -> None:
        self.url = url
        self.without = without
        self.tallies: dict[str, Tally] = collections.defaultdict(Tally)
        self._contracts: dict[int, Contract] = {}
        self._session = requests.Session()

    def contract(self, version: int) -> Contract:
        if version not in self._contracts:
            self._contracts[version] = Contract(version, self.without)
        return self._contracts[version]

    def judge(self, ident: str, case: Any, response: requests.Response, version: int) -> None:
        """Count an answer, and note what is wrong with it."""
        tally = self.tallies[ident]
        tally.requests += 1
        tally.successes += response.ok
        try:
            case.validate_response(response, checks=CHECKS)
        except (FailureGroup, Failure) as error:
            reasons = error.exceptions if isinstance(error, FailureGroup) else [error]
            for reason in reasons:
                text = " ".join(str(reason).split())[:400]
                tally.problems.append(f"{ident} @2.{version} {response.request.method} {response.request.url}: {text}")

    def generated(self, ident: str, version: int, token: str, count: int, place: Iterator[dict[str, str]]) -> None:
        """Send ``count`` generated requests to one operation; ``place`` gives values for parameters of its path."""
        operation = self.contract(version).operations[ident]
        headers = {"X-Auth-Token": token, "X-OpenStack-Manila-API-Version": f"2.{version}"}
        if operation.definition.raw["x-experimental"]:
            headers["X-OpenStack-Manila-API-Experimental"] = "true"

        @given(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
        @settings(
            max_examples=count,
            database=None,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case: Any) -> None:
            known = next(place)
            case.path_parameters = {
                name: known.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
            path = case.formatted_path.partition("#")[0]
            has_body = operation.body and not isinstance(case.body, schemathesis.core.NotSet)
            response = self._session.request(
                operation.method.upper(),
                f"{self.url}/v2{path}",
                params=dict(case.query or {}),
                json=case.body if has_body else None,
                headers=headers,
                timeout=SECONDS,
            )
            self.judge(ident, case, response, version)

        send()

    def recorded(
        self, method: str, target: str, headers: dict[str, str], body: Any, answer: tuple[int, Any, bytes]
    ) -> None:
        """Judge an exchange that something else has had with the service; unknown requests are left out."""
        path = target.partition("?")[0].removeprefix("/v2")
        path = re.sub(r"^/[0-9a-f]{32}(?=/|$)", "", path) or "/"
        version = headers.get("X-OpenStack-Manila-API-Version", "2.0")
        if not re.fullmatch(r"2\.\d{1,2}", version) or not target.startswith("/v2"):
            return
        contract = self.contract(int(version[2:]))
        ident = contract.find(method, path, body)
        if ident is None:
            return
        response = requests.Response()
        response.status_code, response._content = answer[0], answer[2]
        response.headers.update(dict(answer[1].items()))
        response.request = requests.Request(method, f"{self.url}{target}").prepare()
        self.judge(ident, contract.operations[ident].Case(), response, contract.version)
