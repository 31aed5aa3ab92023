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

    def __init__(self, version: int) -> None:
        self.version = version
        schema = schemathesis.openapi.from_dict(document.at(version))
        self.operations: dict[str, Operation] = {}
        self._routes: list[tuple[str, re.Pattern[str], str | None, str]] = []
        for result in schema.get_all_operations():
            operation: Operation = result.ok()  # type: ignore[union-attr]  # one that cannot be read raises here
            raw = operation.definition.raw
            ident = raw["x-operation-id"]
            self.operations[ident] = operation
            path = operation.path.partition("#")[0]
            pattern = re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)) + r"\Z")
            self._routes.append((operation.method.upper(), pattern, raw.get("x-action-key"), ident))
        # fixed segments before parameters: /shares/detail is not /shares/{id}
        self._routes.sort(key=lambda route: route[1].groups)

    def find(self, method: str, path: str, body: Any) -> tuple[str, dict[str, str]] | None:
        """The operation a request is for, and its path's parameters; ``path`` is below ``/v2``."""
        action = next(iter(body), None) if isinstance(body, dict) and len(body) == 1 else None
        for known, pattern, key, ident in self._routes:
            if known == method and key in (None, action) and (match := pattern.match(path)):
                return ident, match.groupdict()
        return None


class Judge:
    """Sends, checks and counts. ``url`` is the service's root."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.tallies: dict[str, Tally] = collections.defaultdict(Tally)
        self.exhausted: set[str] = set()
        """Operations to which fewer different requests can be generated than were asked for."""
        self._contracts: dict[int, Contract] = {}
        self.changed = True
        """A write succeeded since this was last set to False."""
        self._session = requests.Session()

    def contract(self, version: int) -> Contract:
        if version not in self._contracts:
            self._contracts[version] = Contract(version)
        return self._contracts[version]

    def judge(self, ident: str, case: Any, response: Any, version: int) -> None:
        """Count an answer, and note what is wrong with it."""
        tally = self.tallies[ident]
        tally.requests += 1
        good = response.status_code < 400
        tally.successes += good
        self.changed |= good and response.request.method != "GET"
        try:
            case.validate_response(response, checks=CHECKS)
        except (FailureGroup, Failure) as error:
            reasons = error.exceptions if isinstance(error, FailureGroup) else [error]
            for reason in reasons:
                text = " ".join(str(reason).split())[:400]
                tally.problems.append(f"{ident} @2.{version} {response.request.method} {response.request.url}: {text}")

    def generated(self, ident: str, version: int, token: str, count: int, place: Iterator[dict[str, str]]) -> None:
        """Send ``count`` generated requests to one operation, or all that differ; ``place``: values for its path."""
        before = self.tallies[ident].requests
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
        if self.tallies[ident].requests - before < count:
            self.exhausted.add(ident)

    def one(self, ident: str, version: int, token: str, body: Any, parameters: dict[str, str]) -> None:
        """Send one request whose answer should be a success."""
        operation = self.contract(version).operations[ident]
        case = operation.Case(path_parameters=parameters)
        headers = {"X-Auth-Token": token, "X-OpenStack-Manila-API-Version": f"2.{version}"}
        headers["X-OpenStack-Manila-API-Experimental"] = "true"
        url = f"{self.url}/v2{case.formatted_path.partition('#')[0]}"
        response = self._session.request(operation.method.upper(), url, json=body, headers=headers, timeout=SECONDS)
        self.judge(ident, case, response, version)
        if not response.ok:
            self.tallies[ident].problems.append(f"{ident} should succeed: {response.status_code} {response.text[:200]}")

    def recorded(
        self, method: str, target: str, headers: dict[str, str], body: Any, answer: tuple[int, Any, bytes]
    ) -> None:
        """Judge an exchange that something else has had with the service; unknown requests are left out."""
        path = target.partition("?")[0].removeprefix("/v2")
        path = re.sub(r"^/[0-9a-f]{32}(?=/|$)", "", path) or "/"
        version = headers.get("X-OpenStack-Manila-API-Version", "2.0")
        if not re.fullmatch(r"2\.\d{1,2}", version) or not target.startswith("/v2/"):
            return
        contract = self.contract(int(version[2:]))
        found = contract.find(method, path, body)
        if found is None:
            return
        ident, parameters = found
        request = requests.Request(method, f"{self.url}{target}").prepare()
        lists = {name.lower(): [value] for name, value in answer[1].items()}
        response = schemathesis.Response(answer[0], lists, answer[2], request, elapsed=0.0, verify=True)
        self.judge(ident, contract.operations[ident].Case(path_parameters=parameters), response, contract.version)
