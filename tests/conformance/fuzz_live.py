"""Send random sequences to the running service and to the original, and report where they differ.

``python -m tests.conformance.fuzz_live --oracle PROGRAM [--seed 1-10] [OPTION of fuzz live...]``. PROGRAM starts the
original with the options of this folder's ``target``; operations that answer 501 are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile

from deploy.bootstrap import ROOT
from tests.conformance import launch


def unimplemented() -> list[str]:
    """Ids of the operations that answer 501."""
    lines = (ROOT / "spec" / "unimplemented.txt").read_text().splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--oracle", required=True, metavar="PROGRAM", help="starts the original")
    parser.add_argument("--seed", default="1-3", metavar="N[-M]")
    arguments, rest = parser.parse_known_args()
    port, control, neutron = launch.free_ports(3)
    ports = ["--port", str(port), "--control-port", str(control), "--neutron-port", str(neutron)]
    local = "http://127.0.0.1"
    theirs = ["--oracle-url", f"{local}:{port}", "--oracle-control", f"{local}:{control}/_oracle"]
    theirs += ["--oracle-neutron", f"{local}:{neutron}"]
    with (
        tempfile.NamedTemporaryFile("w", suffix=".txt") as without,
        launch.process([arguments.oracle, *ports, "--backends", "alpha,beta,gamma"], seconds=600),
        launch.service() as endpoint,
    ):
        without.write("\n".join(unimplemented()))
        without.flush()
        command = [sys.executable, str(launch.VENDORED / "fuzz"), "live", "--seed", arguments.seed]
        command += [*endpoint.arguments, *theirs, "--without-operations", without.name, *rest]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
