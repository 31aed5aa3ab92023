"""Real clients on the running service: command line, Python SDK, and two dashboards in a browser.

``python -m tests.clients.run [cli] [sdk] [horizon] [skyline]``, all of them without a name. Each has to pass as it
does on the original; exit status 1 if one does not. Logs and pictures: ``dist/clients``.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import signal
import sys
import time

from deploy.bootstrap import ROOT
from tests.clients import horizon, skyline, terminal
from tests.clients.stage import VENDORED, stage

BACKENDS = {"horizon": "alpha,beta,gamma", "skyline": "alpha,beta,gamma"}
CHECKS = {**terminal.STEPS, "horizon": 40, "skyline": 12}
"""How many checks pass on the original."""


def client(name: str, out: pathlib.Path) -> tuple[int, list[str]]:
    """Run one client on a fresh service: how many of its checks passed, and a line for each that did not."""
    with stage(BACKENDS.get(name, "alpha,beta,gamma,delta")) as on:
        if name in terminal.STEPS:
            lines = terminal.session(name, on, out)
            return CHECKS[name] - len(lines), lines
        if name == "horizon":
            text = horizon.check(on.identity, VENDORED / "horizon_check.py", out)
        else:
            text = skyline.check(on, out)
    (out / f"{name}.log").write_text(text)
    return judge(name, text)


def judge(name: str, text: str) -> tuple[int, list[str]]:
    """What the checks of a dashboard printed: how many passed, and a line for each problem."""
    passed = len(re.findall(r"^PASS ", text, flags=re.M))
    lines = re.findall(r"^FAIL .*", text, flags=re.M)
    if passed < CHECKS[name] and not lines:
        lines = [f"{name}: {passed} checks instead of {CHECKS[name]}", *text.splitlines()[-20:]]
    return passed, lines


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="CLIENT", help=", ".join(CHECKS))
    names = parser.parse_args().names or list(CHECKS)
    if unknown := set(names) - CHECKS.keys():
        parser.error(f"no client is named {', '.join(sorted(unknown))}")
    out = ROOT / "dist" / "clients"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    total = bad = 0
    for name in names:
        started = time.monotonic()
        passed, lines = client(name, out)
        total, bad = total + passed, bad + len(lines)
        took = time.monotonic() - started
        print(*lines, f"{name}: {passed} of {CHECKS[name]} checks passed in {took:.0f} s", sep="\n", flush=True)
    print(f"{total} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
