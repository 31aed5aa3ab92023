"""Owner, mode, times, ACLs and other extended attributes of files, from one descriptor to another."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

from worker.data.trails import Replaced, descriptor, of_source

_NOT_KEPT = (
    errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSPC, errno.E2BIG, errno.ERANGE, errno.ENOSYS,
)  # fmt: skip
"""What setting an extended attribute ends with where a file system has no such ones, or none so large."""
_OURS = ("user.", "system.posix_acl_")
"""Extended attributes that a file must not have when the source has not; others belong to the system at the target."""


class NotKept(OSError):
    """The target has another owner or mode than it was given."""


def put(source: int, target: int, found: os.stat_result) -> set[str]:
    """Give the target what the source has; the times last, since the others change them.

    A new owner takes the setuid bits away, so the mode comes after it; an ACL may change the mode.

    Args:
        found: of the source, before it was read.

    Returns:
        Namespaces of extended attributes that the target does not keep.

    Raises:
        NotKept: the target shows another owner or mode. OSError: anything else.
    """
    with _own_rights():
        os.fchown(target, found.st_uid, found.st_gid)
    mode = stat.S_IMODE(found.st_mode)
    os.fchmod(target, mode)
    lost = _extended(source, target)
    if stat.S_IMODE(os.fstat(target).st_mode) != mode:
        os.fchmod(target, mode)
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
    _check(os.fstat(target), found)
    return lost


def stir(folder: int, found: os.stat_result) -> None:
    """Make a folder a nanosecond younger than ``found``, since it had that time before its names were replaced.

    An NFS server that keeps names for as long as the folder's time stays would serve the files of before for ever, and
    what clients write into them would be lost.
    """
    os.utime(folder, ns=(found.st_atime_ns, found.st_mtime_ns + 1))


def put_named(folder: int, name: str, found: os.stat_result) -> None:
    """The same for a symbolic link, a pipe, a socket or a device, which must have been made just now.

    Raises:
        NotKept: the target shows another owner or mode. Replaced: the name is another thing by now.
        OSError: anything else.
    """
    if stat.S_ISLNK(found.st_mode):
        with _own_rights():
            os.chown(name, found.st_uid, found.st_gid, dir_fd=folder, follow_symlinks=False)
        os.utime(name, ns=(found.st_atime_ns, found.st_mtime_ns), dir_fd=folder, follow_symlinks=False)
        return
    with descriptor(name, os.O_PATH | os.O_NOFOLLOW, folder) as made:
        if stat.S_IFMT(os.fstat(made).st_mode) != stat.S_IFMT(found.st_mode):
            raise Replaced(errno.ESTALE, "somebody goes on replacing what is made at the target")
        # by way of the descriptor: a name could be a symbolic link by now, and chmod would follow it
        itself = f"/proc/self/fd/{made}"
        with _own_rights():
            os.chown(itself, found.st_uid, found.st_gid)
        os.chmod(itself, stat.S_IMODE(found.st_mode))
        os.utime(itself, ns=(found.st_atime_ns, found.st_mtime_ns))
        _check(os.fstat(made), found)


def narrow(folder: int, wanted: os.stat_result) -> None:
    """Take from a folder what its final mode will not allow; ours may work in it."""
    mode = stat.S_IMODE(os.fstat(folder).st_mode)
    narrower = mode & stat.S_IMODE(wanted.st_mode) | 0o700
    if narrower != mode:
        os.fchmod(folder, narrower)


def _check(made: os.stat_result, found: os.stat_result) -> None:
    if os.geteuid() == 0 and (made.st_uid, made.st_gid) != (found.st_uid, found.st_gid):
        raise NotKept(
            errno.EPERM,
            f"the target shows owner {made.st_uid}:{made.st_gid} instead of {found.st_uid}:{found.st_gid}; "
            "is root squashed there?",
        )
    if made.st_mode != found.st_mode and os.geteuid() == 0:
        raise NotKept(errno.EPERM, f"the target shows mode {made.st_mode:o} instead of {found.st_mode:o}")


def _extended(source: int, target: int) -> set[str]:
    lost: set[str] = set()
    with of_source():
        wanted = _names(source)
    for name in _names(target):
        if name not in wanted and name.startswith(_OURS):
            with contextlib.suppress(OSError):
                os.removexattr(target, name)
    for name in wanted:
        value = _value(source, name)
        try:
            if value is not None:
                os.setxattr(target, name, value)
        except OSError as error:
            if error.errno not in _NOT_KEPT:
                raise
            if value is not None and not _is_mode(name, value):
                lost.add(name.partition(".")[0])
    return lost


def _names(file: int) -> list[str]:
    try:
        return os.listxattr(file)
    except OSError as error:
        if error.errno not in _NOT_KEPT:
            raise
        return []


def _value(source: int, name: str) -> bytes | None:
    """None when it is gone meanwhile, or for the source's system alone."""
    with of_source():
        try:
            return os.getxattr(source, name)
        except OSError as error:
            if error.errno not in (errno.ENODATA, *_NOT_KEPT):
                raise
            return None


def _is_mode(name: str, value: bytes) -> bool:
    """Whether an NFSv4 ACL speaks of owner, group and everyone only, as every file of some servers has one.

    The form is of RFC 8881, 6.2.1, in XDR: a count, then type, flags, mask and name of each entry.
    """
    if name != "system.nfs4_acl":
        return False
    whom, position = set(), 4
    while position + 16 <= len(value):
        length = int.from_bytes(value[position + 12 : position + 16], "big")
        whom.add(value[position + 16 : position + 16 + length])
        position += 16 + -(-length // 4) * 4
    return whom <= {b"OWNER@", b"GROUP@", b"EVERYONE@"}


@contextlib.contextmanager
def _own_rights() -> Iterator[None]:
    """Without privileges everything belongs to us, as with ``cp``."""
    try:
        yield
    except PermissionError as error:
        if os.geteuid() == 0:
            raise NotKept(errno.EPERM, "the target takes no owners from us; is root squashed there?") from error
