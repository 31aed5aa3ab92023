"""The command line and the Python SDK: every step passes, and prints what it prints on the original."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

from tests.clients.stage import VENDORED, Stage

STEPS = {"cli": 357, "sdk": 171}
"""How many steps each session has; none of them may be left out."""


def session(kind: str, on: Stage, out: pathlib.Path) -> list[str]:
    """Run one of ``STEPS`` and return a line for each thing that is not as on the original.

    Args:
        out: folder of the log and of what was recorded.
    """
    recorded = out / f"{kind}.json"
    command = [sys.executable, str(VENDORED / f"{kind}_session.py"), "run", "--auth-url", on.identity, "--limit", "40"]
    command += ["--control", on.at.control, "--share-root", on.at.url, "--out", str(recorded)]
    command += ["--neutron", on.at.neutron] if kind == "cli" else []
    with open(out / f"{kind}.log", "w") as log:
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT)
    if not recorded.exists():
        return [f"{kind}: ended without a result; see {out / f'{kind}.log'}"]
    return judge(kind, _steps(json.loads(recorded.read_text())), recording(kind))


def recording(kind: str) -> list[Any]:
    """The steps as they went on the original."""
    return _steps(json.loads((VENDORED / f"recorded_{kind}.json").read_text()))


def _steps(found: Any) -> list[Any]:
    steps: list[Any] = found["steps"] if isinstance(found, dict) else found
    return steps


def judge(kind: str, ours: list[Any], original: list[Any]) -> list[str]:
    """Steps that failed or were left out, and those whose output differs."""
    lines = [] if len(ours) == STEPS[kind] else [f"{kind}: {len(ours)} steps instead of {STEPS[kind]}"]
    for mine, theirs in zip(ours, original, strict=False):
        where = f"{kind} {mine['n']} {mine['who']} {mine['step']}"
        if mine["verdict"] != "PASS":
            lines.append(f"{where}: {mine['verdict']} {mine.get('why', '')}")
        elif seen := _difference(mine, theirs):
            lines.append(f"{where}: not as on the original\n{seen}")
    return lines


def _difference(mine: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What differs between two outputs of a step, as lines; empty if nothing does."""
    lines = []
    if (mine.get("code") or 0) != (theirs.get("code") or 0):
        lines.append(f"    exit status {mine.get('code')} instead of {theirs.get('code')}")
    for key in ("out", "err"):
        new, old = (one if isinstance(one, list) else [one] for one in (mine.get(key, []), theirs.get(key, [])))
        if new != old:
            lines += [f"    original {line[:400]}" for line in old if line not in new]
            lines += [f"    here     {line[:400]}" for line in new if line not in old]
            lines += ["    in another order"] if sorted(new) == sorted(old) else []
    return "\n".join(lines)
