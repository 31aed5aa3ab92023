"""The bill of materials of an image, as CycloneDX 1.5 JSON: its Debian packages and its Python packages."""

from __future__ import annotations

import email.parser
import json
import pathlib
import tarfile
from collections.abc import Iterator
from urllib.parse import quote

Component = dict[str, object]
PLACE = "usr/share/doc/openkeel-manila/sbom.cdx.json"
"""Where an image has its own bill."""


def debian(status: str) -> Iterator[Component]:
    """Components of ``/var/lib/dpkg/status``."""
    for paragraph in status.split("\n\n"):
        fields = email.parser.HeaderParser().parsestr(paragraph)
        if "installed" in (fields["Status"] or "").split():
            name, version = str(fields["Package"]), str(fields["Version"])
            yield {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:deb/debian/{name}@{quote(version, safe='')}?arch={fields['Architecture']}",
            }


def unpacked(listed: str) -> Iterator[Component]:
    """Components of Debian packages that are unpacked and not installed, of a list of ``drivers.ganesha.program``."""
    for name, version in json.loads(listed)["packages"].items():
        yield {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:deb/debian/{name}@{quote(version, safe='')}",
        }


def python(layer: pathlib.Path) -> Iterator[Component]:
    """Components of the packages in a layer."""
    with tarfile.open(layer) as tar:
        for member in tar:
            if member.name.endswith(".dist-info/METADATA"):
                data = tar.extractfile(member)
                fields = email.parser.HeaderParser().parsestr(data.read().decode() if data else "")
                name, version = str(fields["Name"]), str(fields["Version"])
                one: Component = {
                    "type": "library",
                    "name": name,
                    "version": version,
                    "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
                }
                if license_ := fields["License-Expression"]:
                    one["licenses"] = [{"expression": str(license_)}]
                yield one


def document(name: str, version: str, components: list[Component]) -> dict[str, object]:
    """The bill. It has neither a serial number nor a time, so that the same image has the same bill."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "container", "name": name, "version": version}},
        "components": sorted(components, key=lambda one: str(one["purl"])),
    }
