"""Cross-origin requests, with the answers of oslo.middleware's filter; off until ``[cors] allowed_origin`` is set."""

from __future__ import annotations

from collections.abc import Mapping

from api.faults import Answer
from generated.settings import CorsSection

SIMPLE = (
    "accept", "accept-language", "content-type", "cache-control", "content-language", "expires", "last-modified",
    "pragma",
)  # fmt: skip


def apply(options: CorsSection, method: str, headers: Mapping[str, str], answer: Answer) -> Answer:
    """The answer as it leaves: OPTIONS never fails, and allowed origins are named."""
    if method == "OPTIONS":
        return _preflight(options, headers, answer)
    origin = _allowed(options, headers)
    if origin is not None:
        vary = answer.headers.get("Vary")
        answer.headers["Vary"] = f"{vary},Origin" if vary else "Origin"
        _name(options, origin, answer)
        if options.expose_headers:
            answer.headers["Access-Control-Expose-Headers"] = ",".join(options.expose_headers)
    return answer


def _preflight(options: CorsSection, headers: Mapping[str, str], answer: Answer) -> Answer:
    if not 200 <= answer.status < 300:
        answer = Answer(200, b"", None)
    origin = _allowed(options, headers)
    method = headers.get("access-control-request-method")
    if origin is None or method is None or method not in options.allow_methods:
        return answer
    wanted = [one.strip() for one in headers.get("access-control-request-headers", "").split(",") if one.strip()]
    permitted = {*SIMPLE, *(one.lower() for one in options.allow_headers)}
    if any(one.lower() not in permitted for one in wanted):
        return answer
    answer.headers["Vary"] = "Origin"
    _name(options, origin, answer)
    if options.max_age:
        answer.headers["Access-Control-Max-Age"] = str(options.max_age)
    answer.headers["Access-Control-Allow-Methods"] = method
    if wanted:
        answer.headers["Access-Control-Allow-Headers"] = ",".join(wanted)
    return answer


def _name(options: CorsSection, origin: str, answer: Answer) -> None:
    answer.headers["Access-Control-Allow-Origin"] = origin
    if options.allow_credentials:
        answer.headers["Access-Control-Allow-Credentials"] = "true"


def _allowed(options: CorsSection, headers: Mapping[str, str]) -> str | None:
    """The origin to name in the answer; None when there is none or it isn't allowed."""
    origin = headers.get("origin")
    if origin is None:
        return None
    if origin in options.allowed_origin:
        return origin
    return "*" if "*" in options.allowed_origin else None
