"""Suites of clients written in Go on the running service: gophercloud, the Manila CSI driver, Terraform's provider.

``python -m tests.clients.run_go [gophercloud] [csi] [terraform]``, all of them without a name. Their sources come as
Go modules; each test that passes on the original has to pass. Logs: ``dist/go-clients``.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import signal
import sys
import time
from collections.abc import Callable

from deploy.bootstrap import ROOT
from tests.clients import gosuites

SUITES: dict[str, tuple[int, Callable[[pathlib.Path], gosuites.Result]]] = {
    "gophercloud": (49, gosuites.gophercloud),
    "csi": (92, gosuites.csi),
    "terraform": (16, gosuites.terraform),
}
"""How many tests each has; none of them may be left out."""


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SUITE", help=", ".join(SUITES))
    names = parser.parse_args().names or list(SUITES)
    if unknown := set(names) - SUITES.keys():
        parser.error(f"no suite is named {', '.join(sorted(unknown))}")
    out = ROOT / "dist" / "go-clients"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    total = bad = 0
    for name in names:
        started = time.monotonic()
        expected, suite = SUITES[name]
        passed, failed = suite(out)
        failed = failed or ([f"only {passed} ran"] if passed < expected else [])
        total, bad = total + passed, bad + len(failed)
        for line in failed:
            print(f"failed   {name}: {line}")
        print(f"{name}: {passed} of {expected} passed in {time.monotonic() - started:.0f} s", flush=True)
    print(f"{total} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
