"""Build Prometheus and its promtool once, into the cache folder: ``python -m tests.deploy.chart.prometheus.build``."""

from __future__ import annotations

import pathlib

from deploy.helm import program

MODULE = pathlib.Path(__file__).resolve().parent
COMMANDS = "github.com/prometheus/prometheus/cmd"
NAMES = ("promtool", "prometheus")
FLAGS = ("-tags", "remove_all_sd", "-ldflags", "-s -w")
"""Targets stand in the configuration here: what finds them at cloud providers is left out, and most modules with it."""


def built(name: str) -> pathlib.Path | None:
    """A program, if it is there."""
    return program.built(MODULE, name)


def build(name: str) -> pathlib.Path:
    """A program; some minutes from nothing.

    Raises:
        SystemExit: Go is missing, or it does not build.
    """
    return program.build(MODULE, name, f"{COMMANDS}/{name}", *FLAGS)


if __name__ == "__main__":
    for each in NAMES:
        print(build(each))
