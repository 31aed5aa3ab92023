"""What a guest does as the data host: it runs the product's own copy between what it has mounted. Runs in the guest."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from typing import Any

from generated.runtime import ManilaError
from tests.worker.data.trees import Thing, described, make
from worker.data.contents import Verify
from worker.data.copying import Copy

_MORNING = 1_700_000_000_123_456_789


def _thing(kind: str, mode: int = 0o644, owner: int = 0, **more: Any) -> Thing:
    return Thing(kind, mode, (owner, owner), _MORNING + mode * 10**9, **more)


def tree(attributes: bool) -> Thing:
    """A share's files of all kinds, under a root folder for one user. With extended attributes if there are such."""
    extended = (("user.colour", b"blue\0"), ("user.empty", b"")) if attributes else ()
    deep = _thing("file", parts=((0, b"deep", 1),))
    for number in range(30):
        deep = _thing("folder", 0o711 + number % 2, number, below=((b"d" * 100, deep),))
    inside = (
        (b"plain", _thing("file", 0o640, 1000, parts=((0, b"hello", 3),), attributes=extended)),
        (b"empty", _thing("file", 0o400, 4294967294)),
        (b"large", _thing("file", 0o600, 1001, parts=((0, b"0123456789abcdef", 160_000), (2**21 + 7, b"z", 300_000)))),
        (b"sparse", _thing("file", parts=((0, b"a", 1), (30 * 2**20, b"b", 1)), size=40 * 2**20)),
        (b"zeros", _thing("file", parts=((0, b"\0", 3 * 2**20),))),
        (b"program", _thing("file", 0o6755, 1000, parts=((0, b"#!", 1),))),
        (b"n" * 255, _thing("file", 0o600, 7, parts=((0, b"long", 1),))),
        ("größe \n -rf".encode(), _thing("file", 0o604, 8)),
        (b"twice", _thing("file", 0o644, 9, parts=((0, b"both", 1),), more_names=(b"again",))),
        (b"link", _thing("link", 0o777, 1000, leads_to=b"/etc/../nowhere/" + b"x" * 200)),
        (b"pipe", _thing("pipe", 0o620, 1000)),
        (b"socket", _thing("socket", 0o700, 1000)),
        (b"device", _thing("device", 0o660, 3)),
        (b"sticky", _thing("folder", 0o1777, 1000, attributes=extended, below=((b"in", _thing("file", 0o666, 12)),))),
        (b"setgid", _thing("folder", 0o2770, 1000, below=((b"in", _thing("file", 0o660, 13)),))),
        (b"deep", deep),
    )
    return _thing("folder", 0o700, 1000, attributes=extended, below=inside)


def fill(root: str, attributes: bool) -> None:
    """Make those files in an empty mount."""
    plan = tree(attributes)
    for name, below in plan.below:
        make(os.fsencode(root), below, os.path.join(os.fsencode(root), name))
    for attribute, value in plan.attributes:
        os.setxattr(root, attribute, value)
    os.chown(root, *plan.owner)
    os.chmod(root, plan.mode)
    os.utime(root, ns=(plan.mtime, plan.mtime))


def copied(source: str, target: str, verify: Verify = "all", mark: str = "m") -> dict[str, Any]:
    """Copy; how it went."""
    copy = Copy(source, target, ("lost+found",), verify, mark)
    try:
        copy.run()
        error = None
    except ManilaError as failed:
        error = str(failed)
    done = copy.progress
    return {
        "error": error, "left_out": done.left_out, "changed": done.changed, "notices": done.notices,
        "lost": sorted(done.lost), "checked": done.checked, "percent": done.percent, "names": done.names,
    }  # fmt: skip


def differences(one: str, other: str) -> list[str]:
    """Names that are not the same on both sides, with what they are."""
    first, second = _without_times_of_links(one), _without_times_of_links(other)
    names = sorted(first.keys() | second.keys())
    return [f"{name!r}: {first.get(name)} {second.get(name)}" for name in names if first.get(name) != second.get(name)]


def _without_times_of_links(root: str) -> dict[bytes, Any]:
    """Ganesha answers that it has set the time of a symbolic link, and leaves it as it was."""
    return {
        name: (*found[:3], None, *found[4:]) if stat.S_ISLNK(found[0]) else found
        for name, found in described(root).items()
    }


def tear(places: list[str], seconds: float) -> dict[str, int]:
    """A tenant's worst user at work in some mounts, for a while; how often each thing succeeded."""
    ended = threading.Event()
    timer = threading.Timer(seconds, ended.set)
    timer.start()
    counts: dict[str, int] = {}
    number = 0
    while not ended.is_set():
        number += 1
        for what, do, *arguments in _deeds(places[number % len(places)], number):
            try:
                do(*arguments)
            except OSError:
                continue
            counts[what] = counts.get(what, 0) + 1
    return counts


def _deeds(place: str, number: int) -> list[tuple[Any, ...]]:
    name, folder, other = f"f{number * 7 % 40}", f"{place}/w{number % 4}", f"{place}/w{(number + 1) % 4}"
    return [
        ("write", _write, f"{folder}/{name}", number),
        ("truncate", os.truncate, f"{folder}/{name}", number % 5000),
        ("rename", os.rename, f"{folder}/{name}", f"{other}/{name}"),
        ("unlink", os.unlink, f"{other}/{name}"),
        ("symlink", os.symlink, "/canary", f"{folder}/{name}"),
        ("swap", os.rename, folder, f"{other}/moved{number % 3}"),
        ("planted", os.symlink, "/canary", folder),
        ("cleared", os.unlink, folder),
        ("made", os.mkdir, folder),
        ("link", os.link, f"{folder}/f1", f"{folder}/{name}"),
        ("pipe", os.mkfifo, f"{folder}/p{number % 3}"),
    ]


def _write(place: str, number: int) -> None:
    with open(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o644), "wb") as file:
        file.write(b"x" * (number * 977 % 200_000))


def killed(source: str, target: str, after: float) -> int:
    """Start a copy in a process of its own, and kill it; its status."""
    code = (
        "import sys; sys.path[:] = ['/lib/py', '/product']\n"
        "from worker.data.copying import Copy\n"
        f"Copy({source!r}, {target!r}, ('lost+found',), 'all', 'm').run()"
    )
    child = subprocess.Popen(["/usr/bin/python3", "-S", "-E", "-s", "-c", code])
    try:
        return child.wait(after)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
