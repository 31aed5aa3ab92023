"""Programs that are built from a Go module which this project pins, once per content, into the cache folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator

from deploy import made
from deploy.bootstrap import cache
from deploy.images.place import digest_of


def place(module: pathlib.Path, name: str) -> pathlib.Path:
    """Where the program ``name`` of a module is, built or not: in a folder named by what it is made of."""
    return cache() / f"{name}-{digest_of([module / 'go.mod', module / 'go.sum'])}" / name


def built(module: pathlib.Path, name: str) -> pathlib.Path | None:
    """The program, if it is there, with content and executable."""
    program = place(module, name)
    return None if made.lacking(program.parent, (), (program.name,)) else program


def build(module: pathlib.Path, name: str, package: str, *flags: str) -> pathlib.Path:
    """The program; some minutes from nothing.

    Args:
        package: what is compiled, a tool of the module.
        flags: more words for ``go build``.

    Raises:
        SystemExit: Go is missing, or the program does not build.
    """
    program = place(module, name)
    with _alone(program):
        return built(module, name) or _build(module, program, package, flags)


@contextlib.contextmanager
def _alone(program: pathlib.Path) -> Iterator[None]:
    """One process builds; another one that wants the program waits for it."""
    program.parent.mkdir(parents=True, exist_ok=True)
    with program.with_suffix(".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _build(module: pathlib.Path, program: pathlib.Path, package: str, flags: tuple[str, ...]) -> pathlib.Path:
    name = program.name
    if shutil.which("go") is None:
        raise SystemExit(f"{name} is built from a Go module: install Go 1.26 or newer and put `go` on the PATH")
    part = program.with_suffix(f".{os.getpid()}")
    words = ["go", "build", "-trimpath", *flags, "-o", str(part), package]
    env = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=readonly"}
    if subprocess.run(words, cwd=module, env=env, check=False).returncode:
        raise SystemExit(f"{name} does not build; the compiler's message is above")
    if missing := made.lacking(part.parent, (), (part.name,)):
        raise SystemExit(made.sentence(f"go build of {package}", missing, f"look whether it is a program in {module}"))
    part.replace(program)
    return program
