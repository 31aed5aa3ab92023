"""What a client may be called in an access rule, by kind of client. The texts are those of the original."""

from __future__ import annotations

import ipaddress
import re
import string

from generated.runtime import Fault, Json

LEVELS = ("rw", "ro")
KINDS = ("ip", "user", "cert", "cephx")
LONGEST = 255

_ONLY_DOTS_AND_BLANKS = re.compile(r"[\s|\.]+$")
_USER_NAME = re.compile(r".[^\"\/\\\[\]\:\;\|\=\,\+\*\?\<\>]{3,254}$")


def check_client(access_type: Json, access_to: Json, *, ceph: bool, ipv6: bool) -> None:
    """Refuse a client that can't be.

    Args:
        access_type: kind of client as sent.
        access_to: network, user, common name or Ceph id as sent.
        ceph: whether Ceph ids exist in the request's version (2.13).
        ipv6: whether IPv6 networks do (2.38).

    Raises:
        Fault: 400; the text says why.
    """
    if access_type == "ip":
        _check_network(access_to, ipv6)
    elif access_type in ("user", "cert") or (access_type == "cephx" and ceph):
        _check_text(access_to)
        {"user": _check_user, "cert": _check_common_name, "cephx": _check_ceph}[access_type](access_to)
    elif ceph:
        raise Fault(400, "Only 'ip', 'user', 'cert' or 'cephx' access types are supported.")
    else:
        raise Fault(400, "Only 'ip', 'user' or 'cert' access types are supported.")


def same_client(access_type: str, one: str, other: str) -> bool:
    """Whether two clients are one: networks by value however they are written, everything else by text."""
    if access_type != "ip" or one == other:
        return one == other
    try:
        return ipaddress.ip_network(one) == ipaddress.ip_network(other)
    except ValueError:  # a row of before, by other rules
        return False


def _check_text(access_to: Json) -> None:
    if not isinstance(access_to, str) or "\x00" in access_to:
        raise Fault(400, f"access_to must be a text of at most {LONGEST} characters.")


def _check_network(access_to: Json, ipv6: bool) -> None:
    try:
        if ipv6:
            ipaddress.ip_network(str(access_to))
        else:
            ipaddress.IPv4Network(str(access_to))
    except ValueError as error:
        raise Fault(400, str(error)) from error


def _check_user(name: str) -> None:
    if _ONLY_DOTS_AND_BLANKS.match(name):
        raise Fault(400, "Invalid user or group name,cannot consist solely of periods or spaces.")
    if not _USER_NAME.match(name):
        raise Fault(
            400,
            "Invalid user or group name. Must be 4-255 characters and consist of alphanumeric characters and "
            'exclude special characters "/\\[]:;|=,+*?<>',
        )


def _check_common_name(name: str) -> None:
    if not 0 < len(name.strip()) < 65:
        raise Fault(400, "Invalid CN (common name). Must be 1-64 chars long.")


def _check_ceph(name: str) -> None:
    if not name:
        raise Fault(400, "Ceph IDs may not be empty.")
    if len(name) > LONGEST:  # a 500 in the original
        raise Fault(400, f"access_to must be a text of at most {LONGEST} characters.")
    if not set(name) <= set(string.printable):
        raise Fault(400, "Ceph IDs must consist of ASCII printable characters.")
    if "." in name:
        raise Fault(400, "Ceph IDs may not contain periods.")
