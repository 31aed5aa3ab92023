"""Build helm once, into the cache folder: ``python -m deploy.helm.build`` prints where it is."""

from __future__ import annotations

import pathlib

from deploy.helm import program

MODULE = pathlib.Path(__file__).resolve().parent
TOOL = "helm.sh/helm/v4/cmd/helm"
VERSION = "helm.sh/helm/v4/internal/version.version"
MISSING = "helm is not built: `python3 noxfile.py programs` builds it where there is Go"
"""Why something that needs it is left out."""


def built() -> pathlib.Path | None:
    """The binary, if it is there."""
    return program.built(MODULE, "helm")


def build() -> pathlib.Path:
    """The binary; some minutes from nothing.

    Raises:
        SystemExit: Go is missing, or helm does not build.
    """
    return program.build(MODULE, "helm", TOOL, "-ldflags", f"-s -w -X {VERSION}={_version()}")


def _version() -> str:
    for line in (MODULE / "go.mod").read_text().splitlines():
        if line.split()[:1] == ["helm.sh/helm/v4"] or line.split()[:2] == ["require", "helm.sh/helm/v4"]:
            return next(word for word in line.split() if word.startswith("v4."))
    raise SystemExit("go.mod does not say which helm")


if __name__ == "__main__":
    print(build())
