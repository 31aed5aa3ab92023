"""Build helm once, into the cache folder: ``python -m deploy.helm.build`` prints where it is."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from deploy.images.place import cache, digest_of

MODULE = pathlib.Path(__file__).resolve().parent
TOOL = "helm.sh/helm/v4/cmd/helm"
VERSION = "helm.sh/helm/v4/internal/version.version"


def folder() -> pathlib.Path:
    """The folder of the binary, named by what it is made of."""
    return cache() / f"helm-{digest_of([MODULE / 'go.mod', MODULE / 'go.sum'])}"


def built() -> pathlib.Path | None:
    """The binary, if it is there."""
    program = folder() / "helm"
    return program if program.exists() else None


def build() -> pathlib.Path:
    """The binary; some minutes from nothing.

    Raises:
        SystemExit: Go is missing, or helm does not build.
    """
    program = folder() / "helm"
    if not program.exists():
        if shutil.which("go") is None:
            raise SystemExit("helm is built from a Go module: install Go 1.26 or newer and put `go` on the PATH")
        program.parent.mkdir(parents=True, exist_ok=True)
        part = program.with_suffix(".part")
        flags = f"-s -w -X {VERSION}={_version()}"
        words = ["go", "build", "-trimpath", "-ldflags", flags, "-o", str(part), TOOL]
        env = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=readonly"}
        if subprocess.run(words, cwd=MODULE, env=env, check=False).returncode:
            raise SystemExit("helm does not build; the compiler's message is above")
        part.replace(program)
    return program


def _version() -> str:
    for line in (MODULE / "go.mod").read_text().splitlines():
        if line.split()[:1] == ["helm.sh/helm/v4"] or line.split()[:2] == ["require", "helm.sh/helm/v4"]:
            return next(word for word in line.split() if word.startswith("v4."))
    raise SystemExit("go.mod does not say which helm")


if __name__ == "__main__":
    print(build())
