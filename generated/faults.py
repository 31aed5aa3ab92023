"""The members of a fault body by status, and the texts sent when nothing more is known.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations


FAULT_NAMES: dict[int, str] = {
    400: "badRequest",
    401: "unauthorized",
    403: "forbidden",
    404: "itemNotFound",
    405: "badMethod",
    409: "conflictingRequest",
    413: "overLimit",
    415: "badMediaType",
    501: "notImplemented",
    503: "serviceUnavailable",
}
"""Status -> the one member of the body; any other status is ``OTHER_FAULT``."""

OTHER_FAULT = "computeFault"

DEFAULT_TEXTS: dict[int, str] = {
    400: ("The server could not comply with the request since it is either malformed or otherwise incorrect."),
    401: (
        "This server could not verify that you are authorized to access the document you requested. "
        "Either you supplied the wrong credentials (e.g., bad password), or your browser does not "
        "understand how to supply the credentials required."
    ),
    403: "Access was denied to this resource.",
    404: "The resource could not be found.",
    405: ("The server could not comply with the request since it is either malformed or otherwise incorrect."),
    406: ("The server could not comply with the request since it is either malformed or otherwise incorrect."),
    409: "There was a conflict when trying to complete your request.",
    413: "The body of your request was too large for this server.",
    415: ("The server could not comply with the request since it is either malformed or otherwise incorrect."),
    422: "Unable to process the contained instructions",
    500: "The server has either erred or is incapable of performing the requested operation.",
    501: "The server has either erred or is incapable of performing the requested operation.",
    503: "The server is currently unavailable. Please try again at a later time.",
}
"""Status -> the text of a fault without one of its own."""
