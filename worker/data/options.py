"""What the data service adds to the options of a mount.

A tenant's files must not gain rights on the data host, and a server that is away must not hold a copy for ever: its
process could not even be ended by the task queue. What the operator has said stays.
"""

from __future__ import annotations

import os

GUARDS = ("nosuid", "nodev", "noexec")
"""No program, setuid file or device of a tenant is to be used on the data host."""
WAYS_TO_WAIT = ("hard", "soft", "softerr")
PATIENCE = {"timeo": "300", "retrans": "5"}
"""Tenths of a second until a request is sent again, and how often: a call ends after about three minutes, long after a
gateway has started again with its grace period. The error is ETIMEDOUT, and ends the copy."""


def completed(command: str, proto: str, options: str) -> str:
    """The options of a mount with what is missing in them.

    Args:
        command: template of the mount command; nothing is added for programs other than ``mount``.
        options: words for the command, of which ``-o LIST`` holds the options of the file system.
    """
    words = command.split()
    if not words or os.path.basename(words[0]) != "mount" or "%(options)s" not in words:
        return options
    rest, given = _taken_apart(options)
    names = {one.partition("=")[0] for one in given}
    given += [one for one in GUARDS if one not in names]
    if proto.lower().startswith("nfs") and names.isdisjoint(WAYS_TO_WAIT):
        given.append("softerr")
        given += [f"{name}={value}" for name, value in PATIENCE.items() if name not in names]
    return " ".join([*rest, "-o", ",".join(given)])


def _taken_apart(options: str) -> tuple[list[str], list[str]]:
    """Words that are no options of the file system, and those options."""
    rest: list[str] = []
    given: list[str] = []
    words = iter(options.split())
    for word in words:
        if word in ("-o", "--options"):
            word = next(words, "")
        elif word.startswith("--options="):
            word = word.removeprefix("--options=")
        elif word.startswith("-o"):
            word = word[2:]
        else:
            rest.append(word)
            continue
        given += [one for one in word.split(",") if one]
    return rest, given
