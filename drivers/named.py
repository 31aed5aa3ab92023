"""Which drivers there are, by the value of ``share_driver``."""

from __future__ import annotations

from typing import Final

DRIVERS: Final = {
    "manila.tests.share.drivers.dummy.DummyDriver": "drivers.dummy.driver:DummyDriver",
    "dummy": "drivers.dummy.driver:DummyDriver",
    "ganesha": "drivers.ganesha.embedded:driver",
    "ganesha-kubernetes": "drivers.ganesha.kubernetes:driver",
    "longhorn-rwx": "drivers.rwx:driver",
}
"""Value of ``share_driver`` -> where the driver is. The first is the original's name of the dummy driver."""
