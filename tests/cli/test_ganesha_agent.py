"""What the programs of every gateway import: each megabyte of theirs is there once a tenant network."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deploy.bootstrap import ROOT

TELL = """
import sys
print(*sorted(name for name, found in sys.modules.items() if found is not None))
"""
AGENT = """
import sys
sys.argv = ["manila-ganesha-agent"]
from cli.ganesha_agent import main
assert main() == 1, "the environment describes no gateway"
from drivers.ganesha.gateway import identities
identities.identity("a")
"""
SUPERVISOR = """
import sys
sys.argv = ["supervise.py", "/nowhere"]
with open("drivers/ganesha/gateway/supervise.py") as file:
    there = {"__name__": "supervise"}
    exec(compile(file.read(), file.name, "exec"), there)
there["_parsed"]()
"""
OURS = {
    "agent": {
        "cli.agents", "cli.ganesha_agent", "cli.lines", "cli.log_text", "cli.plain_log",
        *(f"drivers.ganesha.{name}" for name in ("gateway", "ports", "rules")),
        *(
            f"drivers.ganesha.gateway.{name}"
            for name in (
                "agent", "beneath", "command", "config", "control", "dbus", "exports", "files", "firewall",
                "identities", "log", "notices", "orders", "places", "pod", "pulse", "records",
                "statistics", "supervise",
            )
        ),
        "drivers.client_counts", "drivers.ganesha", "generated.errors", "generated.microversions", "generated.runtime",
    },
    "supervisor": set(),
}  # fmt: skip
"""Modules of the project that each program imports."""
HEAVY = {
    "agent": {"ssl", "_ssl", "_hashlib", "email", "http", "xml", "unittest", "multiprocessing", "decimal", "html"},
    "supervisor": {"asyncio", "typing", "dataclasses", "inspect", "json", "logging", "ssl", "_hashlib"},
}
"""Of the standard library, what each program must do without."""


def imported(text: str, *words: str) -> set[str]:
    """Names of the modules that a program has imported when it ends; ``words`` go to the interpreter."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GATEWAY_")}
    done = subprocess.run(
        [sys.executable, *words, "-c", text + TELL],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(("program", "text", "words"), [("agent", AGENT, ()), ("supervisor", SUPERVISOR, ("-I", "-S"))])
def test_a_program_of_every_gateway_imports_what_it_needs(program: str, text: str, words: tuple[str, ...]) -> None:
    found = imported(text, *words)
    bare = imported("", *words)
    top = {name.partition(".")[0] for name in found - bare}
    foreign = top - sys.stdlib_module_names - {"cli", "drivers", "generated"}
    assert not foreign, "packages that are not needed for this"
    ours = {name for name in found if name.startswith(("cli.", "drivers.", "generated."))}
    assert ours == OURS[program]
    assert not (found - bare) & HEAVY[program]
