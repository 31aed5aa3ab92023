"""The microversion that a request asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generated.microversions import MAX_MINOR
from generated.runtime import Fault
from services.values import TRUE

VERSION_HEADER = "X-OpenStack-Manila-API-Version"
EXPERIMENTAL_HEADER = "X-OpenStack-Manila-API-Experimental"
VERSION = re.compile(r"([1-9][0-9]*)\.([1-9][0-9]*|0)\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """A version as text, for the answer's header, and as a minor number, for choosing a variant."""

    text: str
    minor: int
    experimental: bool

    def headers(self) -> dict[str, str]:
        """What the answer says about the version."""
        found = {VERSION_HEADER: self.text, "Vary": VERSION_HEADER}
        if self.experimental:
            found[EXPERIMENTAL_HEADER] = "True"
        return found


DEFAULT = Asked("2.0", 0, False)


class Unsupported(Exception):
    """A version outside 2.0 to the newest: 406. ``asked`` is what the answer's headers name."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked.text)
        self.asked = asked
        self.text = f"Version {asked.text} is not supported by the API. Minimum is 2.0 and maximum is 2.{MAX_MINOR}."


def asked_version(headers: Mapping[str, str]) -> Asked:
    """Read the version headers (names in lower case).

    Raises:
        Fault: 400, another form than MajorNum.MinorNum.
        Unsupported: see there.
    """
    text = headers.get("x-openstack-manila-api-version")
    wish = headers.get("x-openstack-manila-api-experimental")
    if text is None and wish is None:
        return DEFAULT
    text = "2.0" if text is None else text
    found = VERSION.match(text)
    if found is None:
        raise Fault(400, f"API Version String {text} is of invalid format. Must be of format MajorNum.MinorNum.")
    if found[1] != "2" or len(found[2]) > 4 or int(found[2]) > MAX_MINOR:
        raise Unsupported(Asked(text, -1, False))
    return Asked(text, int(found[2]), wish is not None and wish.strip().lower() in TRUE)
