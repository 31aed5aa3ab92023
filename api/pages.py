"""The answers that the original's web library writes itself: a path outside the table, a body too large.

Their form follows the Accept header: HTML, JSON or, when neither is acceptable or nothing is said, plain text.
"""

from __future__ import annotations

import re

import orjson

from api.faults import Answer

TITLES = {404: "Not Found", 413: "Request Entity Too Large"}
OFFERS = ("text/html", "application/json")
KIND = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+/[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
HEALTHY = (
    "<HTML>\n<HEAD><TITLE>Healthcheck Status</TITLE></HEAD>\n<BODY>\n\n<H2>Result of 1 checks:</H2>\n"
    '<TABLE bgcolor="#ffffff" border="1">\n<TBODY>\n<TR>\n\n<TH>\nReason\n</TH>\n</TR>\n'
    "<TR>\n\n    <TD>OK</TD>\n\n</TR>\n</TBODY>\n</TABLE>\n<HR></HR>\n\n</BODY>\n</HTML>"
)
QUALITY = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")


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


def healthy(accept: str, *, head: bool = False) -> Answer:
    """``/healthcheck``: the process answers; the original's own request ids are missing here too."""
    if head:
        return Answer(204, b"", None)
    kind = _chosen(accept, ("text/plain", *OFFERS))
    if kind == "application/json":
        return Answer(200, orjson.dumps({"detailed": False, "reasons": ["OK"]}, option=orjson.OPT_INDENT_2))
    if kind == "text/html":
        return Answer(200, HEALTHY.encode(), "text/html; charset=UTF-8")
    return Answer(200, b"OK", "text/plain; charset=UTF-8")


def _chosen(accept: str, offers: tuple[str, ...] = OFFERS) -> str | None:
    """The offer that suits the header best, the first of those that suit alike; of a header that is none, the first."""
    try:
        ranges = _ranges(accept)
    except ValueError:
        return offers[0]
    best, best_quality = None, 0.0
    for offer in offers:
        for pattern in (offer, offer.partition("/")[0] + "/*", "*/*"):
            found = [quality for name, quality in ranges if name == pattern]
            if found:
                if found[0] > best_quality:
                    best, best_quality = offer, found[0]
                break
    return best


def _ranges(accept: str) -> list[tuple[str, float]]:
    """The kinds that a header accepts, with their qualities; one with parameters suits no offer and is left out.

    Raises ValueError for what is no Accept header.
    """
    found = []
    for part in accept.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if not name and not parameters:
            continue
        if not KIND.fullmatch(name):
            raise ValueError(accept)
        quality, special = 1.0, False
        for one in parameters:
            key, _, value = one.partition("=")
            if key.lower() == "q":
                if not QUALITY.fullmatch(value):
                    raise ValueError(accept)
                quality = float(value)
                break
            special = True
        if not special:
            found.append((name.lower(), quality))
    return found
