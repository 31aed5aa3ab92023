"""Programs that tests run and that Go compiles: ``python -m tests.lab.programs [NAME...]``, all of them without a name.

What is built already costs nothing. What may not be built, or can't, is said with the reason, and the tests that need
it are left out; only a build that fails is a failure. One that another process makes meanwhile is waited for.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from deploy.helm import build as helm
from tests.deploy.chart.prometheus import build as prometheus
from tests.lab import build as lab

MINUTES = "OPENKEEL_LAB_MINUTES"
"""Environment variable: minutes that a build may take; 0 for none."""
ALLOWED = 25.0
SLACK = 2.0
"""Minutes for fetching the modules."""


@dataclass(frozen=True, slots=True)
class Program:
    """What can be built.

    Attributes:
        work: minutes of processor time that a build from nothing costs.
        tests: which tests need it.
        built: where it is; None if it is not built whole.
        build: builds it. Raises SystemExit.
    """

    work: float
    tests: str
    built: Callable[[], pathlib.Path | None]
    build: Callable[[], pathlib.Path]

    @property
    def needed(self) -> float:
        """Minutes that a build from nothing takes on this machine."""
        return self.work / (os.cpu_count() or 1) + SLACK


PROGRAMS = {
    "helm": Program(5.0, "tests that install the chart", lambda: helm.built(), lambda: helm.build()),
    "promtool": Program(
        4.0, "tests of alerts", lambda: prometheus.built("promtool"), lambda: prometheus.build("promtool")
    ),
    "prometheus": Program(
        4.0, "tests of what Prometheus scrapes", lambda: prometheus.built("prometheus"),
        lambda: prometheus.build("prometheus"),
    ),
    "kubernetes": Program(23.0, "tests on a Kubernetes", lambda: lab.built(), lambda: lab.build()),
}  # fmt: skip
"""In the order in which sessions need them."""


def allowed() -> float:
    """Minutes that one build may take."""
    return float(os.environ.get(MINUTES) or ALLOWED)


def refusal(what: str, minutes: float) -> str | None:
    """Why something that is not built may not be built here, given the minutes that it takes; None: it may."""
    if shutil.which("go") is None:
        return f"{what} is not built, and there is no Go to build it"
    if minutes > allowed():
        return f"{what} is not built; that takes about {minutes:.0f} minutes, and {MINUTES} allows {allowed():.0f}"
    return None


def provided(name: str) -> tuple[bool, str]:
    """Build a program unless it is there. Whether the tests that need it run, and a line that says why.

    Raises:
        SystemExit: it may be built, and does not build.
    """
    program = PROGRAMS[name]
    if there := program.built():
        return True, f"{program.tests} run: {there}"
    if why := refusal(name, program.needed):
        return False, f"{program.tests} are LEFT OUT: {why}"
    begin = time.monotonic()
    place = program.build()
    return True, f"{program.tests} run: {place}, built in {time.monotonic() - begin:.0f} s"


def main() -> int:
    names = sys.argv[1:] or list(PROGRAMS)
    if unknown := set(names) - PROGRAMS.keys():
        raise SystemExit(f"no program {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    os.nice(5)  # tests run beside it
    failures = 0
    for name in names:
        try:
            _, line = provided(name)
        except SystemExit as error:
            line, failures = f"{PROGRAMS[name].tests} are LEFT OUT: {error}", failures + 1
        print(f"{name}: {line}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
