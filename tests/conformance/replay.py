"""Replay recordings of the original on the running service and print how much agrees.

``python -m tests.conformance.replay [--all] [NAME...]``; without names the scenarios of ``VISIBLE``. Exit status 1 if
an exchange differs that ``known_differences.yaml`` does not name, or one that it names no longer does.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import re
import sys
import types
import urllib.request
from dataclasses import dataclass
from typing import Any

import yaml

from tests.conformance import launch, notifications

VISIBLE = [
    "version-discovery",
    "share-types",
    "share-lifecycle",
    "access-rules",
    "snapshots",
    "metadata",
    "export-locations",
    "quotas",
    "share-groups",
    "messages-no-valid-host",
    "limits-services-zones",
    "share-networks",
    "dhss-share-network-required",
    "dhss-share-server-lifecycle",
    "dhss-two-tenants-same-cidr",
    "dhss-neutron-failures",
    "csi-driver",
    "csi-driver-dhss",
    "backups",
    "admin-views",
    "osc-2.98",
    "reports-public-share",
    "reports-quotas",
    "reports-stuck",
    "reports-access",
    "reports-api",
    "reports-clients",
    "reports-isolation",
    "reports-network",
    "replicas",
    "share-migration-driver",
    "share-migration-failures",
    "share-migration-types",
    "share-server-migration",
    "share-server-migration-networks",
    "group-snapshot-members",
    "migration-hints",
    "service-locks",
    "odd-values",
    "faults-first",
    "dhss-manage-server",
    "dhss-network-changes",
    "dhss-security-services",
    "manila-ui-2.87",
    "qos-types",
    "resource-locks",
    "skyline-2.55",
    "soft-delete",
    "transfers",
]
"""What this release promises; the other recordings need resources that it does not have yet."""
FOUR_BACKENDS = {"share-server-migration", "share-server-migration-networks"}
"""Scenarios that need a second back end with share servers; lists of pools in the others are those of three."""
KNOWN = launch.HERE / "known_differences.yaml"
OWN = launch.HERE / "own"
"""Recordings made for this project, each with its steps."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One replayed scenario: how many exchanges agree, and the differing ones with their report."""

    name: str
    same: int
    total: int
    differing: dict[int | str, list[str]]
    problems: list[str]

    def judge(self, known: dict[Any, str]) -> list[str]:
        """Report lines of what is not explained."""
        unknown = sorted(self.differing.keys() - known.keys(), key=str)
        lines = [line for number in unknown for line in self.differing[number]]
        fixed = sorted(known.keys() - self.differing.keys(), key=str)
        return [*lines, *self.problems, *(f"   #{number} is listed as differing, but agrees" for number in fixed)]


def _runner() -> types.ModuleType:
    """The vendored runner; it is no package, so its folder goes on the path."""
    if str(launch.VENDORED) not in sys.path:
        sys.path.insert(0, str(launch.VENDORED))
    return importlib.import_module("runner")


def replay(endpoint: launch.Endpoint, name: str, limit: float = 20) -> Outcome:
    """Drive the endpoint through one scenario and compare with the recording."""
    runner = _runner()
    options = argparse.Namespace(
        url=endpoint.url,
        control=endpoint.control,
        neutron=endpoint.neutron,
        neutron_reset_by_control=False,
        poll_limit=limit,
        poll_interval=0.05,
        ignore=[],
        lines=12,
        recordings=str(OWN if (OWN / f"{name}.json").exists() else launch.VENDORED / "recordings"),
    )
    try:
        same, total, report = runner.compare(options, name)
    except runner.Unknown as error:
        return Outcome(name, 0, 1, {}, [f"   cannot run: {error}"])
    differing: dict[int | str, list[str]] = {}
    problems: list[str] = []
    current = problems
    for line in report:
        if found := re.match(r"   #(\d+) ", line):
            current = differing.setdefault(int(found[1]), [])
        elif line.startswith("   control "):
            current = problems
        current.append(line)
    if told := notifications.differences(name, _dumped(endpoint)):
        differing["notifications"] = told
    return Outcome(name, same, total, differing, problems)


def _dumped(endpoint: launch.Endpoint) -> list[dict[str, Any]]:
    """The notifications since the scenario's reset."""
    request = urllib.request.Request(f"{endpoint.control}/dump", data=b"{}", method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        found: list[dict[str, Any]] = json.loads(answer.read())["notifications"]
        return found


def known() -> dict[str, dict[Any, str]]:
    """Scenario -> number of an exchange, or ``notifications`` -> why it differs on purpose."""
    found: Any = yaml.safe_load(KNOWN.read_text())
    return found or {}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true", help="every recording, those of later releases too")
    parser.add_argument("--processes", type=int, default=1, help="API, scheduler and workers so many times each")
    parser.add_argument("--at", nargs=3, metavar=("URL", "CONTROL", "NEUTRON"), help="a service that runs already")
    arguments = parser.parse_intermixed_args()
    names = arguments.names or VISIBLE
    if arguments.all:
        names = sorted(path.stem for path in pathlib.Path(launch.VENDORED / "recordings").glob("*.json"))
        names += sorted(path.stem for path in OWN.glob("*.json"))
    if arguments.at:
        return report(launch.Endpoint(*arguments.at), names)
    options = ("--processes", str(arguments.processes)) if arguments.processes > 1 else ()
    status, four = 0, [name for name in names if name in FOUR_BACKENDS]
    if four:
        with launch.service("alpha,beta,gamma,delta", *options) as endpoint:
            status = report(endpoint, four)
        names = [name for name in names if name not in FOUR_BACKENDS]
    if names:
        with launch.service("alpha,beta,gamma", *options) as endpoint:
            status = max(status, report(endpoint, names))
    return status


def report(endpoint: launch.Endpoint, names: list[str]) -> int:
    """Replay the scenarios, print the counts, and return the exit status."""
    explained, failed, same, total, differing = known(), 0, 0, 0, 0
    for name in names:
        outcome = replay(endpoint, name)
        lines = outcome.judge(explained.get(name, {}))
        failed += bool(lines)
        same, total, differing = same + outcome.same, total + outcome.total, differing + len(outcome.differing)
        print(f"{'DIFF' if lines else 'same'} {name:40} {outcome.same}/{outcome.total}", *lines, sep="\n", flush=True)
    listed = sum(len(explained.get(name, {})) for name in names)
    print(f"conformance: {same} of {total} exchanges identical, {listed} differ on purpose, ", end="")
    print(f"{len(names) - failed} of {len(names)} scenarios without an unexplained difference")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
