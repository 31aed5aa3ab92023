"""What is committed is what the generator writes, and a new microversion changes only what it is about."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import protocols
from codegen.__main__ import PROOF, _formatted, generate
from codegen.spec import Spec

ROOT = Path(__file__).parent.parent.parent
SPEC = ROOT / "spec"


def committed(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return generate(SPEC)


def test_the_committed_files_are_those_of_the_generator(files: dict[str, str]) -> None:
    there = committed(ROOT / "generated")
    assert sorted(there) == sorted(files)
    assert [path for path in files if there[path] != files[path]] == []


def test_the_proof_of_the_handlers_types_is_that_of_the_generator() -> None:
    assert PROOF.read_text() == _formatted({PROOF.name: protocols.proof(Spec(SPEC))})[PROOF.name]


def test_files_stay_readable(files: dict[str, str]) -> None:
    for path, text in files.items():
        lines = text.splitlines()
        assert len(lines) <= 1500, path
        if path.endswith(".py"):
            assert max(map(len, lines), default=0) <= 120, path


def test_nothing_tells_where_or_when_it_was_made(files: dict[str, str]) -> None:
    whole = "\n".join(files.values())
    for word in (str(ROOT), "timestamp:", "datamodel-codegen:"):
        assert word not in whole


def pretend(folder: Path) -> None:
    """Add version 2.100, which shows ``pretended`` in a share, to the contract in ``folder``."""
    history = folder / "microversions_stable-2026.2.json"
    facts = json.loads(history.read_text())
    facts["entries"].append({"version": "2.100", "statement": "Shares show pretended."})
    history.write_text(json.dumps(facts))
    document = folder / "openapi_stable-2026.2.json"
    facts = json.loads(document.read_text())
    new = {"type": "boolean", "x-min-version": "2.100"}
    facts["components"]["schemas"]["Share_v2_99"]["properties"]["pretended"] = new
    document.write_text(json.dumps(facts))


def test_a_new_field_of_a_share_changes_the_history_and_one_view(tmp_path: Path, files: dict[str, str]) -> None:
    shutil.copytree(SPEC, tmp_path / "spec")
    pretend(tmp_path / "spec")
    changed = generate(tmp_path / "spec")
    assert changed.keys() == files.keys()
    assert [path for path in files if files[path] != changed[path]] == ["microversions.py", "views/shares.py"]

    for path, text in changed.items():
        (tmp_path / "generated" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "generated" / path).write_text(text)
    script = Path(__file__).with_name("view_fields.py")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, str(script), str(tmp_path / "goldens")], check=True, env=env, cwd=tmp_path)
    before, after = committed(ROOT / "tests" / "goldens" / "views"), committed(tmp_path / "goldens")
    assert [name for name in after if after[name] != before[name]] == ["shares.txt"]
    news = [line for line in after["shares.txt"].splitlines() if line not in before["shares.txt"].splitlines()]
    assert [line.split() for line in news] == [["pretended", "2.100-"]]


def test_the_new_version_is_routed_without_a_new_row(tmp_path: Path) -> None:
    shutil.copytree(SPEC, tmp_path / "spec")
    pretend(tmp_path / "spec")
    assert Spec(tmp_path / "spec").latest == 100
    assert Spec(tmp_path / "spec").span("2.7", "2.99").covers(100)
    assert not Spec(tmp_path / "spec").span("2.7", "2.98").covers(100)
