"""The answers that the original's web library writes itself: a path outside the table, a body too large.

Their form follows the Accept header: HTML, JSON or, when neither is acceptable or nothing is said, plain text.
"""

from __future__ import annotations

import orjson

from api.faults import Answer

TITLES = {404: "Not Found", 413: "Request Entity Too Large"}
OFFERS = ("text/html", "application/json")


def page(status: int, text: str, accept: str, *, head: bool = False) -> Answer:
    """A page of ``status`` that says ``text``; ``accept`` is the request's header ("" when there is none)."""
    title = TITLES[status]
    if head:
        return Answer(status, b"", "text/html; charset=UTF-8")
    kind = _chosen(accept)
    if kind == "text/html":
        html = (
            f"<html>\n <head>\n  <title>{status} {title}</title>\n </head>\n <body>\n  <h1>{status} {title}</h1>\n"
            f"  {text}<br /><br />\n\n\n\n </body>\n</html>"
        )
        return Answer(status, html.encode(), "text/html; charset=UTF-8")
    if kind == "application/json":
        body = {"message": f"{text}<br /><br />\n\n\n", "code": f"{status} {title}", "title": title}
        return Answer(status, orjson.dumps(body))
    return Answer(status, f"{status} {title}\n\n{text}\n\n   ".encode(), "text/plain; charset=UTF-8")


def not_found(accept: str, *, head: bool = False) -> Answer:
    """A path or method outside the table."""
    return page(404, "The resource could not be found.", accept, head=head)


def too_large(accept: str) -> Answer:
    """A body over the limit; the original sends its text unfilled."""
    return page(413, "Request is too large. Larger than max_request_body_size (%s).", accept)


def healthy(accept: str) -> Answer:
    """``/healthcheck``: the process answers; the original's own request ids are missing here too."""
    if _chosen(accept) == "application/json" and "*/*" not in accept:
        return Answer(200, orjson.dumps({"detailed": False, "reasons": ["OK"]}, option=orjson.OPT_INDENT_2))
    return Answer(200, b"OK", "text/plain; charset=UTF-8")


def _chosen(accept: str) -> str | None:
    """The offer that suits the header best; the first of two that suit alike."""
    ranges = []
    for part in accept.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if "/" in name:
            ranges.append((name.lower(), _quality(parameters)))
    best, best_quality = None, 0.0
    for offer in OFFERS:
        for pattern in (offer, offer.partition("/")[0] + "/*", "*/*"):
            found = [quality for name, quality in ranges if name == pattern]
            if found:
                if found[0] > best_quality:
                    best, best_quality = offer, found[0]
                break
    return best


def _quality(parameters: list[str]) -> float:
    for one in parameters:
        name, _, value = one.partition("=")
        if name.strip().lower() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
