"""Bills of materials."""

from __future__ import annotations

import io
import pathlib
import tarfile

from deploy.images import bill

STATUS = """\
Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2:2.36-9+deb12u14

Package: gone
Status: deinstall ok config-files
Architecture: all
Version: 1
"""


def test_debian_packages_that_are_installed() -> None:
    assert list(bill.debian(STATUS)) == [
        {
            "type": "library",
            "name": "libc6",
            "version": "2:2.36-9+deb12u14",
            "purl": "pkg:deb/debian/libc6@2%3A2.36-9%2Bdeb12u14?arch=amd64",
        }
    ]


def test_debian_packages_that_are_unpacked() -> None:
    (found,) = bill.unpacked('{"packages": {"libc6": "2.41-12+deb13u5"}, "files": {}}')
    assert found["purl"] == "pkg:deb/debian/libc6@2.41-12%2Bdeb13u5"


def test_python_packages_with_their_licence(tmp_path: pathlib.Path) -> None:
    layer = tmp_path / "layer.tar"
    text = b"Metadata-Version: 2.4\nName: Some_Thing\nVersion: 1.2\nLicense-Expression: MIT\n\nText\n"
    with tarfile.open(layer, "w") as tar:
        one = tarfile.TarInfo("usr/some_thing-1.2.dist-info/METADATA")
        one.size = len(text)
        tar.addfile(one, io.BytesIO(text))
    (found,) = bill.python(layer)
    assert found["purl"] == "pkg:pypi/some-thing@1.2"
    assert found["licenses"] == [{"expression": "MIT"}]


def test_a_bill_is_the_same_twice() -> None:
    parts = list(bill.debian(STATUS))
    assert bill.document("x", "1", parts) == bill.document("x", "1", list(reversed(parts)))
