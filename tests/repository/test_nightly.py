"""What the nightly session runs: every session of the project, or there is a reason."""

from __future__ import annotations

import ast

from deploy.bootstrap import ROOT

LEFT_OUT = {
    "demo": "datapath runs it",
    "lock": "changes files",
    "nightly": "itself",
    "tempest_part": "tempest runs all of it",
}


def sessions() -> set[str]:
    """Names of the sessions that noxfile.py defines."""
    tree = ast.parse((ROOT / "noxfile.py").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {one.name for one in functions if any(ast.unparse(line) == "nox.session" for line in one.decorator_list)}


def nightly() -> set[str]:
    """Names that stand in ``FIRST``, ``LANES`` and ``NIGHTLY``."""
    tree = ast.parse((ROOT / "noxfile.py").read_text())
    values = []
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id in ("FIRST", "LANES", "NIGHTLY"):
            values += [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
    return {value for value in values if isinstance(value, str)}


def test_every_session_runs_at_night_or_there_is_a_reason() -> None:
    assert sessions() - nightly() == LEFT_OUT.keys() - nightly()
    assert LEFT_OUT.keys() <= sessions()
