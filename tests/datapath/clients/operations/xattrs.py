"""Extended attributes and what is like them."""

from __future__ import annotations

import fcntl
import os
import struct

from tests.datapath.clients.operations.support import Answer, by, done, operation, put, tried


@operation
def user(at: str) -> Answer:
    """user.*: set, replaced, listed, removed, of files and folders."""
    answer: Answer = {}
    put(f"{at}/f")
    os.mkdir(f"{at}/d")
    for name in ("f", "d"):
        path = f"{at}/{name}"
        answer[name] = [
            done(os.setxattr, path, "user.one", b"1"),
            done(os.setxattr, path, "user.two", b"", os.XATTR_CREATE),
            done(os.setxattr, path, "user.two", b"2", os.XATTR_CREATE),
            done(os.setxattr, path, "user.none", b"2", os.XATTR_REPLACE),
            tried(lambda path=path: os.getxattr(path, "user.one").decode()),
            tried(lambda path=path: sorted(name for name in os.listxattr(path) if name.startswith("user."))),
            done(os.removexattr, path, "user.one"),
            done(os.getxattr, path, "user.one"),
        ]
    return answer


@operation
def sizes(at: str) -> Answer:
    """How long a value and a name may be."""
    put(f"{at}/f")
    answer: Answer = {str(size): done(os.setxattr, f"{at}/f", "user.v", b"v" * size) for size in (255, 4096, 65536)}
    return answer | {
        "65537": done(os.setxattr, f"{at}/f", "user.v", b"v" * 65537),
        "name": done(os.setxattr, f"{at}/f", "user." + "n" * 250, b"v"),
        "name, one more": done(os.setxattr, f"{at}/f", "user." + "n" * 251, b"v"),
        "back": tried(lambda: len(os.getxattr(f"{at}/f", "user.v"))),
        "link": done(os.setxattr, f"{at}/f", "user.", b"v"),
    }


@operation
def others(at: str) -> Answer:
    """Attributes of other kinds, and those of a user without permission."""
    put(f"{at}/f", mode=0o644)
    # one entry for the owner, one for a user, one for the group, the mask, and one for the rest
    entries = ((1, 6, 0xFFFFFFFF), (2, 7, 1000), (4, 4, 0xFFFFFFFF), (16, 7, 0xFFFFFFFF), (32, 4, 0xFFFFFFFF))
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    # asked first: with the list of access user 1000 may
    another = by(1000, 1000, [], lambda: done(os.setxattr, f"{at}/f", "user.u", b"v"))
    return {
        "by another": another,
        "trusted": done(os.setxattr, f"{at}/f", "trusted.t", b"v"),
        "capability": done(os.setxattr, f"{at}/f", "security.capability", struct.pack("<5I", 0x02000000, 1, 0, 0, 0)),
        "posix acl": done(os.setxattr, f"{at}/f", "system.posix_acl_access", acl),
        "flags": done(fcntl.ioctl, os.open(f"{at}/f", os.O_RDONLY), 0x80086601, bytearray(8)),
    }
