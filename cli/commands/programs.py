"""``manila-manage ganesha``: the NFS server that an embedded back end runs."""

from __future__ import annotations

import argparse
import functools
import pathlib

from cli.commands.base import Command, Refused, argument
from drivers.ganesha.program import fetch, found
from generated.settings import Settings


def ganesha_fetch(settings: Settings, arguments: argparse.Namespace) -> None:
    """Fetch a Ganesha into a folder. Raises Refused: it can't be had."""
    say = functools.partial(print, flush=True)
    try:
        fetch.fetch(arguments.into, mirror=arguments.mirror, newer=arguments.newer, say=say)
    except fetch.Unavailable as error:
        raise Refused(str(error)) from error
    print(f"In the back end's section of manila.conf: ganesha_root = {arguments.into.absolute()}")


def ganesha_show(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print which Ganesha is in a folder, or which the machine has. Raises Refused: there is none, or it is damaged."""
    try:
        program = found.chosen(arguments.root)
    except found.Unusable as error:
        raise Refused(str(error)) from error
    print(f"NFS-Ganesha {program.release}: {' '.join(program.words)}")
    listed = found.contents(arguments.root) if arguments.root else None
    for package, version in sorted(listed["packages"].items()) if listed else ():
        print(f"{package} {version}")


INTO = argument("--into", required=True, type=pathlib.Path, metavar="FOLDER", help="where it goes, for ganesha_root")
MIRROR = argument("--mirror", metavar="URL", help="a Debian archive, if the machine's own sources have none")
NEWER = argument(
    "--newer",
    action="store_true",
    help="the newest versions of Debian 13 with its security updates, instead of those tested with this release",
)
ROOT = argument(
    "--root", type=pathlib.Path, metavar="FOLDER", help="a folder that was fetched; the machine's otherwise"
)
COMMANDS = (
    Command("ganesha", "fetch", "fetch an NFS-Ganesha from Debian", ganesha_fetch, (INTO, MIRROR, NEWER)),
    Command("ganesha", "show", "print the version of an NFS-Ganesha, and check its files", ganesha_show, (ROOT,)),
)
