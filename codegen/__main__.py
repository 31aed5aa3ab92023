"""``python -m codegen [--spec DIR] [--out DIR]``: write all of ``generated/``."""

from __future__ import annotations

import argparse
import pathlib

from codegen.build import build

HERE = pathlib.Path(__file__).resolve().parent.parent


def main() -> None:
    """Parse the arguments and build."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument("--spec", type=pathlib.Path, default=HERE / "spec")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "generated")
    arguments = parser.parse_args()
    build(arguments.spec, arguments.out)


main()
