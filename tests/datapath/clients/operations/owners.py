"""Owners, modes, and who may do what."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.datapath.clients.operations.support import Answer, by, done, operation, put, shown, text

UIDS = (0, 1000, 65533, 65534, 65535, 2**31 - 1, 2**31, 4294967293, 4294967294)
"""4294967295 is no one: the number that leaves an owner as it is."""


@operation
def numbers(at: str) -> Answer:
    """Any number of 32 bits owns."""
    answer: Answer = {}
    put(f"{at}/f")
    for uid in UIDS:
        answer[str(uid)] = [done(os.chown, f"{at}/f", uid, uid), shown(f"{at}/f")]
    answer["-1"] = [done(os.chown, f"{at}/f", -1, 5), shown(f"{at}/f")]
    return answer


@operation
def processes(at: str) -> Answer:
    """Processes with such numbers own what they make, and are let at their own only."""
    os.chmod(at, 0o777)
    answer: Answer = {}
    for uid in UIDS[1:]:
        path = f"{at}/{uid}"
        answer[f"{uid} makes"] = by(uid, uid, [], partial(put, path, b"mine", 0o600))
        answer[f"{uid} owns"] = shown(path)
        answer[f"{uid} reads"] = by(uid, uid, [], partial(text, path))
        answer[f"another reads {uid}"] = by(4242, 4242, [], partial(text, path))
        answer[f"another changes {uid}"] = by(4242, 4242, [], partial(os.chmod, path, 0o666))
    return answer


@operation
def groups(at: str) -> Answer:
    """Groups of a process count: the first sixteen, which is all that AUTH_SYS can say, and more."""
    put(f"{at}/f", b"ours", 0o640)
    os.chown(f"{at}/f", 0, 5000)
    more = list(range(6000, 6030))
    return {
        "own": by(1000, 5000, [], lambda: text(f"{at}/f")),
        "further": by(1000, 1000, [5000], lambda: text(f"{at}/f")),
        "none": by(1000, 1000, [5001], lambda: text(f"{at}/f")),
        "sixteenth": by(1000, 1000, [*more[:15], 5000], lambda: text(f"{at}/f")),
        "seventeenth": by(1000, 1000, [*range(4000, 4016), 5000], lambda: text(f"{at}/f")),
    }


@operation
def special_bits(at: str) -> Answer:
    """setuid, setgid and sticky: kept, inherited, cleared."""
    os.chmod(at, 0o777)
    answer: Answer = {}
    for mode in (0o4755, 0o2755, 0o1755, 0o6711, 0o7777, 0o000):
        put(f"{at}/m{mode:o}")
        answer[f"{mode:o}"] = [done(os.chmod, f"{at}/m{mode:o}", mode), shown(f"{at}/m{mode:o}")]
    put(f"{at}/w")
    os.chown(f"{at}/w", 1000, 1000)
    os.chmod(f"{at}/w", 0o6777)
    by(1001, 1001, [], lambda: put(f"{at}/w", b"changed"))
    answer["written by another"] = shown(f"{at}/w")
    os.chmod(f"{at}/w", 0o6777)
    os.chown(f"{at}/w", 1002, 1002)
    answer["given away"] = shown(f"{at}/w")
    os.mkdir(f"{at}/group")
    os.chown(f"{at}/group", 0, 7000)
    os.chmod(f"{at}/group", 0o2777)
    by(1000, 1000, [], lambda: put(f"{at}/group/f"))
    by(1000, 1000, [], lambda: os.mkdir(f"{at}/group/d"))
    answer["inherited"] = [shown(f"{at}/group/f"), shown(f"{at}/group/d")]
    os.mkdir(f"{at}/sticky")
    os.chmod(f"{at}/sticky", 0o1777)
    by(1000, 1000, [], lambda: put(f"{at}/sticky/f"))
    answer["sticky"] = [
        by(1001, 1001, [], lambda: os.unlink(f"{at}/sticky/f")),
        by(1001, 1001, [], lambda: os.rename(f"{at}/sticky/f", f"{at}/sticky/g")),
        by(1000, 1000, [], lambda: os.unlink(f"{at}/sticky/f")),
    ]
    return answer


@operation
def permissions(at: str) -> Answer:
    """What a user may do with what belongs to root, and the mask of new files."""
    os.chmod(at, 0o755)
    put(f"{at}/f", b"root's", 0o644)
    put(f"{at}/secret", b"root's", 0o600)
    os.mkdir(f"{at}/open", 0o777)
    os.chmod(f"{at}/open", 0o777)
    os.mkdir(f"{at}/closed", 0o700)
    put(f"{at}/closed/f")
    os.umask(0o027)

    def user(function: Callable[[], Any]) -> Any:
        return by(1000, 1000, [], function)

    user(lambda: put(f"{at}/open/mine", b"x", 0o666))
    user(lambda: os.mkdir(f"{at}/open/folder"))
    return {
        "read": user(lambda: text(f"{at}/f")),
        "write": user(lambda: done(os.open, f"{at}/f", os.O_WRONLY)),
        "secret": user(lambda: done(os.open, f"{at}/secret", os.O_RDONLY)),
        "new": user(lambda: done(os.mkdir, f"{at}/new")),
        "remove": user(lambda: done(os.unlink, f"{at}/f")),
        "closed": user(lambda: done(os.stat, f"{at}/closed/f")),
        "chown": user(lambda: done(os.chown, f"{at}/open/mine", 1001, -1)),
        "chmod": user(lambda: done(os.chmod, f"{at}/open/mine", 0o600)),
        "utime": user(lambda: done(os.utime, f"{at}/f")),
        "access": user(lambda: [os.access(f"{at}/{n}", m) for n in ("f", "secret", "open") for m in (4, 2, 1)]),
        "mask": [shown(f"{at}/open/mine"), shown(f"{at}/open/folder")],
        "open for writing, mode 444": user(lambda: os.open(f"{at}/open/ro", os.O_CREAT | os.O_RDWR, 0o444) > 0),
    }
