"""Builds what the tests on nodes need and a lab can't get, since it has no way to the world: ``python -m`` this.

Images of gateways and nodes' agents, and the Linux of the kernel client. What can't be built is said; its tests say
then why they are left out.
"""

from __future__ import annotations

import subprocess
import time

from deploy import bootstrap
from deploy.debs import Unavailable
from deploy.images.build import build
from tests.datapath.kernel import image

IMAGES = ["manila-gateway", "manila-node-agent"]
PROGRAMS = ["manila-api", "manila-worker", "manila-postgresql-trial"]
"""What a release of the chart needs besides."""


def main() -> None:
    """Build, and print how long it took."""
    begin = time.monotonic()
    if lacking := bootstrap.image_packages():
        print(f"no images: {lacking}")
    else:
        build([*IMAGES, *PROGRAMS])
    if programs := image.missing():
        print("no kernel client:", " ".join(programs))
    else:
        try:
            image.kept()
        except (Unavailable, subprocess.CalledProcessError) as error:
            print(f"no kernel client: {error}")
    print(f"images and kernel client are there after {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
