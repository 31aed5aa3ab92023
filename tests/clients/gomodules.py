"""Go modules of clients: fetched when a test needs them, built outside of the module cache."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess

from deploy import made
from tests.peers.environments import alone

OLDEST = (1, 25)


def _env() -> dict[str, str]:
    return {**os.environ, "GOFLAGS": "-mod=mod", "GOWORK": "off", "CGO_ENABLED": "0"}


def check() -> None:
    """Raise RuntimeError unless a Go of ``OLDEST`` or newer is on the path."""
    go = shutil.which("go")
    if go is None:
        raise RuntimeError(f"Go {OLDEST[0]}.{OLDEST[1]} or newer is needed, and there is no go on the path")
    text = subprocess.run([go, "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout
    found = re.match(r"go(\d+)\.(\d+)", text)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise RuntimeError(f"Go {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {text.strip()}")


def fetched(module: str, version: str) -> pathlib.Path:
    """A writable copy of a module's source in the user's cache; the module proxy gives it, checked by its hash.

    Raises:
        RuntimeError: it can't be had, or is no module.
    """
    check()
    with alone(f"go-{module.replace('/', '-')}-{version}") as folder:
        source = folder / "source"
        if made.lacking(source, ("go.mod",)):
            for place in (source, folder / "new"):  # what an interrupted run left
                shutil.rmtree(place, ignore_errors=True)
            command = ["go", "mod", "download", "-json", f"{module}@{version}"]
            done = subprocess.run(command, check=False, capture_output=True, text=True, env=_env(), cwd=folder)
            told = json.loads(done.stdout or "{}")
            if done.returncode:
                raise RuntimeError(f"{module} {version} can't be fetched: {told.get('Error') or done.stderr.strip()}")
            if missing := made.lacking(pathlib.Path(told["Dir"]), ("go.mod",)):
                raise RuntimeError(made.sentence(told["Dir"], missing, "`go clean -modcache`, then again"))
            shutil.copytree(told["Dir"], folder / "new")
            for path in [folder / "new", *(folder / "new").rglob("*")]:
                path.chmod(path.stat().st_mode | 0o200)
            (folder / "new").rename(source)
    return source


def built_test(source: pathlib.Path, package: str, name: str, *options: str) -> pathlib.Path:
    """The test program of a package of a fetched module.

    Raises:
        subprocess.CalledProcessError: it does not compile; Go's message is on the screen.
        RuntimeError: the package has no tests, which Go does not call a failure.
    """
    program = source.parent / name
    program.unlink(missing_ok=True)
    command = ["go", "test", "-c", "-o", str(program), *options, package]
    subprocess.run(command, check=True, cwd=source, env=_env())
    if missing := made.lacking(source.parent, (), (name,)):
        raise RuntimeError(made.sentence(f"go test -c {package}", missing, f"look for its tests in {source}"))
    return program


def terraform() -> pathlib.Path:
    """OpenTofu, which speaks Terraform's language and protocol, built once.

    It is built in its own source: its ``go.mod`` replaces modules, which ``go install`` refuses.
    """
    source = fetched("github.com/opentofu/opentofu", "v1.12.6")
    program = source.parent / "tofu"
    with alone("go-tofu-build"):
        if made.lacking(program.parent, (), (program.name,)):
            part = program.with_suffix(".part")  # one that was half written would look like a finished one
            build = ["go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", str(part), "./cmd/tofu"]
            subprocess.run(build, check=True, cwd=source, env=_env())
            if missing := made.lacking(part.parent, (), (part.name,)):
                raise RuntimeError(made.sentence("go build ./cmd/tofu", missing, f"look for the command in {source}"))
            part.replace(program)
    return program
