"""Names: as long as can be, any byte, pairs that some systems take for one."""

from __future__ import annotations

import hashlib
import os

from tests.datapath.clients.operations.support import Answer, done, operation, put, shown

ODD = {
    "latin": b"k\xe4se",
    "broken": b"\xff\xfe\x80",
    "cut": "grün".encode()[:-1] + b"\xc3",
    "newline": b"two\nlines",
    "space": b" before and after ",
    "dots": b"...",
    "dash": b"-rf",
    "stars": b"*?[]{}",
    "backslash": b"a\\b",
    "quotes": b"'\"`",
    "control": bytes(range(1, 32)),
    "colon": b"a:b|c<d>e",
    "emoji": "\U0001f9c0".encode(),
    "device": b"NUL.txt",
}


@operation
def odd(at: str) -> Answer:
    """Bytes that names seldom have."""
    folder = os.fsencode(at)
    answer: Answer = {}
    for key, name in ODD.items():
        answer[key] = done(put, folder + b"/" + name, name)
    answer["listed"] = sorted(name.hex() for name in os.listdir(folder))
    answer["all single bytes"] = sum(
        done(os.mkdir, folder + b"/" + bytes([i])) == "ok" for i in range(1, 256) if i not in b"/."
    )
    answer["in all"] = hashlib.sha256(b"\0".join(sorted(os.listdir(folder)))).hexdigest()[:16]
    return answer


@operation
def alike(at: str) -> Answer:
    """Two names stay two."""
    pairs = {"case": ("Name", "name"), "composed": ("\u00e9", "e\u0301"), "dot": ("a", "a."), "space": ("b", "b ")}
    answer: Answer = {}
    for key, (one, other) in pairs.items():
        put(f"{at}/{one}", b"1")
        put(f"{at}/{other}", b"2")
        with open(f"{at}/{one}", "rb") as first:
            answer[key] = first.read().decode()
    answer["names"] = len(os.listdir(at))
    return answer


@operation
def long(at: str) -> Answer:
    """255 bytes and one more, for every kind of call."""
    most, more = "n" * 255, "n" * 256
    wide = ("\u00e4" * 127 + "x").encode()
    return {
        "file": [done(put, f"{at}/{most}"), shown(f"{at}/{most}")],
        "file, one more": done(put, f"{at}/{more}"),
        "folder, one more": done(os.mkdir, f"{at}/{more}"),
        "link, one more": done(os.symlink, "x", f"{at}/{more}"),
        "rename, one more": done(os.rename, f"{at}/{most}", f"{at}/{more}"),
        "look up one more": done(os.stat, f"{at}/{more}"),
        "wide": [done(put, os.fsencode(at) + b"/" + wide), len(os.listdir(at))],
        "wide, one more": done(put, os.fsencode(at) + b"/" + wide + b"x"),
        "path": done(os.stat, f"{at}/" + "x/" * 2048),
    }


@operation
def deep(at: str) -> Answer:
    """A hundred folders below each other, then the way back, and all gone."""
    here = os.open(at, os.O_RDONLY)
    way = [here]
    for _ in range(100):
        os.mkdir("d" * 60, dir_fd=way[-1])
        way.append(os.open("d" * 60, os.O_RDONLY, dir_fd=way[-1]))
    descriptor = os.open("bottom", os.O_CREAT | os.O_WRONLY, dir_fd=way[-1])
    os.write(descriptor, b"x")
    os.close(descriptor)
    answer: Answer = {"listed": os.listdir(way[-1]), "full path": done(os.stat, f"{at}/" + ("d" * 60 + "/") * 100)}
    os.unlink("bottom", dir_fd=way[-1])
    for folder in reversed(way[:-1]):
        os.rmdir("d" * 60, dir_fd=folder)
    for folder in way:
        os.close(folder)
    return answer | {"left": os.listdir(at)}
