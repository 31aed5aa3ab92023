"""Each checking session finds an error that is planted in a copy of the project, and names it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from deploy import bootstrap

ROOT = bootstrap.ROOT
LEFT_OUT = shutil.ignore_patterns(
    ".venv", ".git", ".*_cache", "__pycache__", ".embedded", "dist", ".hypothesis", ".nox"
)
pytestmark = pytest.mark.planted


@pytest.fixture
def copy(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A copy of the project that shares its environment."""
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    where = tmp_path / "copy"
    shutil.copytree(ROOT, where, ignore=LEFT_OUT, symlinks=True)
    (where / ".venv").symlink_to(ROOT / ".venv")
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", where / ".mypy_cache")
    yield where
    shutil.rmtree(where)


def session(where: pathlib.Path, name: str, *arguments: str) -> tuple[int, str]:
    """Run one session there: exit status and output."""
    command = [str(bootstrap.PYTHON), "-m", "nox", "--noxfile", str(where / "noxfile.py"), "--session", name]
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHONPATH"))}
    done = subprocess.run([*command, "--", *arguments], cwd=where, env=env, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def replace(file: pathlib.Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text, f"{file} no longer holds {old!r}"
    file.write_text(text.replace(old, new))


def test_generate_finds_an_edited_file(copy: pathlib.Path) -> None:
    with (copy / "generated" / "enums.py").open("a") as file:
        file.write("\nPLANTED = 1\n")
    status, output = session(copy, "generate", "--check")
    assert status
    assert "generated/enums.py" in output


def test_lint_finds_bad_style(copy: pathlib.Path) -> None:
    (copy / "services" / "planted.py").write_text('"""Planted."""\n\nimport os\n')
    status, output = session(copy, "lint", "services/planted.py")
    assert status
    assert "F401" in output


def test_lint_finds_a_forbidden_import(copy: pathlib.Path) -> None:
    (copy / "drivers" / "planted.py").write_text('"""Planted."""\n\nfrom db import write\n\n__all__ = ["write"]\n')
    status, output = session(copy, "lint", "drivers/planted.py")
    assert status
    assert "Drivers and network plugins know neither HTTP requests nor SQL BROKEN" in " ".join(output.split())


def test_types_finds_a_wrong_type(copy: pathlib.Path) -> None:
    (copy / "services" / "planted.py").write_text('"""Planted."""\n\nSIZE: int = "one"\n')
    status, output = session(copy, "types", "services/planted.py")
    assert status
    assert "Incompatible types in assignment" in output


def test_tests_finds_a_failing_test(copy: pathlib.Path) -> None:
    (copy / "tests" / "test_planted.py").write_text("def test_planted() -> None:\n    assert 1 == 2\n")
    status, output = session(copy, "tests", "tests/test_planted.py")
    assert status
    assert "1 failed" in output


def test_tests_finds_a_warning(copy: pathlib.Path) -> None:
    text = "import warnings\n\n\ndef test_planted() -> None:\n    warnings.warn('planted')\n"
    (copy / "tests" / "test_planted.py").write_text(text)
    status, output = session(copy, "tests", "tests/test_planted.py")
    assert status
    assert "UserWarning: planted" in output


def test_tests_finds_a_connection_to_the_world(copy: pathlib.Path) -> None:
    text = "import socket\n\n\ndef test_planted() -> None:\n    with socket.socket() as one:\n"
    text += "        one.connect(('192.0.2.1', 80))\n"
    (copy / "tests" / "test_planted.py").write_text(text)
    status, output = session(copy, "tests", "tests/test_planted.py")
    assert status
    assert "SocketConnectBlockedError" in output


def test_conformance_finds_another_answer(copy: pathlib.Path) -> None:
    replace(copy / "api" / "app.py", "Keystone uri=", "Keystone url=")
    status, output = session(copy, "conformance", "version-discovery")
    assert status
    assert "WWW-Authenticate" in output


def test_schemathesis_finds_a_server_error(copy: pathlib.Path) -> None:
    with (copy / "handlers" / "extensions.py").open("a") as file:
        file.write("\n\nasync def list(call: Call) -> Reply:  # type: ignore[no-redef]\n    raise RuntimeError\n")
    status, output = session(copy, "schemathesis", "-k", "generated and 51")
    assert status
    assert "extensions.list" in output
    assert "Server error" in output


ORIGINAL = """\
#!/bin/sh
cd "{root}" && export PYTHONPATH="{root}"
for word; do [ "$last" = --neutron-port ] && neutron=$word; last=$word; done
"{python}" "{conformance}/vendored/fake_neutron.py" --port "$neutron" & fake=$!
"{conformance}/target" "$@" & service=$!
trap 'kill $service $fake' TERM INT
wait $service
kill $fake
"""
"""Stands for the original in the session ``fuzz``: this project as it is."""


def test_fuzz_finds_another_answer(copy: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "original"
    program.write_text(ORIGINAL.format(root=ROOT, python=bootstrap.PYTHON, conformance=ROOT / "tests" / "conformance"))
    program.chmod(0o755)
    replace(copy / "generated" / "faults.py", "itemNotFound", "itemMissing")
    arguments = ["--oracle", str(program), "--seed", "7", "--steps", "60", "--first", "--no-shrink"]
    status, output = session(copy, "fuzz", *arguments)
    assert status
    assert "body.itemMissing: not in the recording" in output


def test_docs_finds_a_broken_reference(copy: pathlib.Path) -> None:
    with (copy / "docs" / "index.md").open("a") as file:
        file.write("\n{doc}`planted`\n")
    status, output = session(copy, "docs")
    assert status
    assert "planted" in output


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: without it session datapath tests only the demonstration")
def test_datapath_finds_a_rule_that_admits_nobody(copy: pathlib.Path) -> None:
    replace(
        copy / "drivers" / "ganesha" / "gateway" / "firewall.py",
        "ip saddr @allowed4 accept",
        "ip saddr @allowed4 drop",
    )
    status, output = session(copy, "datapath", "tests/datapath/test_access.py", "-x")
    assert status
    assert "failed" in output or "error" in output


def test_tempest_finds_an_answer_that_clients_of_the_original_do_not_expect(copy: pathlib.Path) -> None:
    replace(copy / "handlers" / "availability_zones.py", '{"availability_zones":', '{"zones":')
    status, output = session(copy, "tempest", "--profile", "nodhss", "AvailabilityZonesTest")
    assert status
    assert "test_list_availability_zones" in output


def test_nightly_goes_on_after_a_failure_and_tells_it_at_the_end(copy: pathlib.Path) -> None:
    (copy / "services" / "planted.py").write_text('"""Planted."""\n\nimport os\n')
    status, output = session(copy, "nightly", "lint", "docs")
    assert status
    end = output[output.index("Ran 3 sessions") :]
    assert "lint: failed" in end
    assert "docs: success" in end
