"""``manila-manage config``, ``policy`` and ``version``: what is configured, and samples."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import pathlib
import tomllib

from cli import samples
from cli.commands.base import Command, Refused
from generated.options import OPTIONS
from generated.settings import Settings
from services.policy import examine


def config_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print ``option = value`` for the options of DEFAULT that have a value; secrets are hidden."""
    secret = {one.field for one in OPTIONS if one.secret}
    for name, value in sorted(dataclasses.asdict(settings.default).items()):
        if value is not None:
            shown = list(value) if isinstance(value, tuple) else value
            print(f"{name} = {'****' if name in secret else shown}")


def config_sample(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print a configuration file with every option."""
    print(samples.config())


def policy_check(settings: Settings, arguments: argparse.Namespace) -> None:
    """Read the policies as the services do. Raises BadPolicy; Refused for a mistake that the services only log."""
    if troubles := examine(settings):
        raise Refused("\n".join(one.text for one in troubles))


def policy_sample(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print a policy file with every rule."""
    print(samples.policies())


def version_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the version of the program."""
    print(version())


def version() -> str:
    """The program's version; in a checkout that is not installed, what ``pyproject.toml`` says."""
    try:
        return importlib.metadata.version("openkeel-manila")
    except importlib.metadata.PackageNotFoundError:
        file = pathlib.Path(__file__).parents[2] / "pyproject.toml"
        return str(tomllib.loads(file.read_text())["project"]["version"]) if file.is_file() else "unknown"


COMMANDS = (
    Command("config", "list", "print the options in force", config_list),
    Command("config", "sample", "print a manila.conf", config_sample),
    Command("policy", "check", "read policy.yaml and say what is wrong", policy_check),
    Command("policy", "sample", "print a policy.yaml", policy_sample),
    Command("version", "list", "print the version", version_list),
)
