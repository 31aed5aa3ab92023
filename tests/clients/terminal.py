"""The command line and the Python SDK: every step passes, and prints what it prints on the original."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from typing import Any

from tests.clients.stage import VENDORED, Stage

STEPS = {"cli": 357, "sdk": 171}
"""How many steps each session has; none of them may be left out."""

EQUAL_POOLS = re.compile(r"node1@(alpha|beta)#fake_pool_for_(ALPHA|BETA)")
_RULE = re.compile(r'(?<="state": )"(queued_to_apply|applying|active)"|(?<="updated_at": )(null|"<time>")')
_SHARE = re.compile(
    r'(?<="status": )"(creating|available|deleting)"|(?<="availability_zone": )(null|"nova")'
    r'|(?<="progress": )(null|"0%"|"100%")'
)
UNDER_WAY = {"access_rules": _RULE, "get_access_rule": _RULE, "wait_for_delete": _SHARE}
"""What three steps of the SDK's session print while work may still be under way. They follow the order to do that work
without a wait, and were recorded on an original that does it before it answers. A rule just allowed is active there,
and a share is gone at the first look, so that what is printed is the answer to its creation."""


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
    if bool(mine.get("code")) != bool(theirs.get("code")):
        lines.append(f"    exit status {mine.get('code')} instead of {theirs.get('code')}")
    for key in ("out", "err"):
        new, old = (_comparable(one["step"], one.get(key, [])) for one in (mine, theirs))
        if new != old:
            lines += [f"    original {line[:400]}" for line in old if line not in new or sorted(new) == sorted(old)]
            lines += [f"    here     {line[:400]}" for line in new if line not in old or sorted(new) == sorted(old)]
    return "\n".join(lines)


def _comparable(step: str, output: str | list[str]) -> list[str]:
    """Printed lines, in their order; which of two equal pools was chosen is chance, here and on the original.

    The sessions themselves sort some of what they record: the rows of a list (ids and times of creation order them),
    the lines within a cell (one for each key of a dictionary), and the keys of what the SDK returns.
    """
    rows = [output] if isinstance(output, str) else output
    if step in UNDER_WAY:
        rows = [UNDER_WAY[step].sub("<under way>", row) for row in rows]
    return [EQUAL_POOLS.sub("<pool>", row) for row in rows]
