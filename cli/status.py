"""``manila-status upgrade check``: what an upgrade would stumble over, as the original's program prints it.

Exit status: 0 success, 1 warning, 2 failure (or not understood), 255 the check itself failed.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import textwrap
import traceback
from dataclasses import dataclass

from cli import config, pipes
from cli.main import parser
from db.connection import WrongDatabase, libpq
from drivers.ganesha.embedded import programs
from drivers.ganesha.options import GaneshaOptions
from drivers.named import DRIVERS
from generated.errors import InvalidParameterValue, ShareBackendException
from generated.settings import Settings
from services.policy import BadPolicy, examine
from worker import backends

SUCCESS, WARNING, FAILURE, BROKEN = 0, 1, 2, 255
WORDS = {SUCCESS: "Success", WARNING: "Warning", FAILURE: "Failure"}
TITLE = "Upgrade Check Results"
JSON_POLICY = (
    "Your policy file is JSON-formatted which is deprecated. You need to switch to YAML-formatted file. Use the "
    "``oslopolicy-convert-json-to-yaml`` tool to convert the existing JSON-formatted files to YAML in a "
    "backwards-compatible manner: https://docs.openstack.org/oslo.policy/latest/cli/oslopolicy-convert-json-to-yaml.html."
)


@dataclass(frozen=True, slots=True)
class Result:
    """How a check ended. ``code`` is SUCCESS, WARNING or FAILURE."""

    name: str
    code: int
    details: str | None = None


def policy_is_yaml(settings: Settings) -> Result:
    """The policy file is not JSON."""
    name, file = "Policy File JSON to YAML Migration", pathlib.Path(settings.oslo_policy.policy_file)
    try:
        json.loads(file.read_text())
    except (OSError, ValueError):
        return Result(name, SUCCESS)
    return Result(name, FAILURE, JSON_POLICY)


def policy_can_be_read(settings: Settings) -> Result:
    """The policy files can be read, and every rule in them has an effect. Of ours: the original has no such check."""
    name = "Policy Files Can Be Read"
    try:
        troubles = examine(settings)
    except (BadPolicy, OSError) as error:
        return Result(name, FAILURE, str(error))
    code = FAILURE if any(one.grave for one in troubles) else WARNING if troubles else SUCCESS
    return Result(name, code, "; ".join(one.text for one in troubles) or None)


def drivers_are_here(settings: Settings) -> Result:
    """Each enabled back end has a section without bad values that names a driver of this program. Of ours."""
    wrong = []
    for backend in settings.default.enabled_share_backends:
        try:
            backends.target(backend, backends.section_of(settings, backend))
        except InvalidParameterValue as error:
            wrong.append(str(error))
    return Result("Drivers Of Enabled Back Ends", FAILURE if wrong else SUCCESS, "; ".join(wrong) or None)


def database_is_postgresql(settings: Settings) -> Result:
    """The database is named, and it is PostgreSQL; it is not asked. Of ours."""
    name, url = "Database Is PostgreSQL", settings.database.connection
    if not url:
        embedded = bool(settings.openkeel.embedded_database)
        return Result(name, SUCCESS) if embedded else Result(name, FAILURE, "[database] connection is not set")
    try:
        libpq(str(url))
    except WrongDatabase as error:
        return Result(name, FAILURE, str(error))
    return Result(name, SUCCESS)


def ganesha_is_new_enough(settings: Settings) -> Result:
    """Each embedded Ganesha back end has a Ganesha that its start takes. Of ours."""
    name, refused, old = "NFS-Ganesha Of Embedded Back Ends", [], []
    for backend in settings.default.enabled_share_backends:
        try:
            section = backends.section_of(settings, backend)
            if backends.target(backend, section) != DRIVERS["ganesha"]:
                continue
            options = backends.options(backend, section, GaneshaOptions)
            assert isinstance(options, GaneshaOptions)
            found = programs.admitted(options)
        except InvalidParameterValue:
            continue  # the check of drivers says it
        except ShareBackendException as error:
            refused.append(f"[{backend}] {error}")
        else:
            old += [f"[{backend}] NFS-Ganesha {found.release} is allowed by ganesha_allow_old"] if found.old else []
    code = FAILURE if refused else WARNING if old else SUCCESS
    return Result(name, code, "; ".join(refused + old) or None)


CHECKS = (policy_is_yaml, policy_can_be_read, drivers_are_here, database_is_postgresql, ganesha_is_new_enough)
"""The original's first."""


def table(results: list[Result]) -> str:
    """The results in a frame."""
    cells = [TITLE.splitlines()]
    for one in results:
        details = textwrap.wrap(one.details, 60, subsequent_indent="  ") if one.details else ["None"]
        head, *rest = details
        cells.append([f"Check: {one.name}", f"Result: {WORDS[one.code]}", f"Details: {head}", *rest])
    width = max(len(line) for cell in cells for line in cell)
    rule = f"+{'-' * (width + 2)}+"
    lines = [rule]
    for cell in cells:
        lines += [*(f"| {line:<{width}} |" for line in cell), rule]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    made = parser("Checks before an upgrade.")
    made.prog = "manila-status"
    upgrade = made.add_subparsers(dest="command", required=True).add_parser("upgrade", help="upgrade check")
    upgrade.add_argument("check")
    upgrade.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return made


def main() -> int:
    """Run the checks; the worst result is the exit status."""
    return pipes.until_closed(_run)


def _run() -> int:
    arguments = _parser().parse_args()
    try:
        settings = config.load(arguments.config_file)
        results = [check(settings) for check in CHECKS]
    except Exception:
        print(f"Error:\n{traceback.format_exc()}")
        return BROKEN
    if arguments.json:
        checks = [{"check": one.name, "result": one.code, "details": one.details} for one in results]
        print(json.dumps({"name": TITLE, "checks": checks}))
    else:
        print(table(results))
    return max(one.code for one in results)


if __name__ == "__main__":
    sys.exit(main())
