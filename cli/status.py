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
from generated.settings import Settings

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
        results = [policy_is_yaml(config.load(arguments.config_file))]
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
