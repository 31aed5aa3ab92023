"""What the operations share. All modules of this folder run in a guest, with the standard library alone.

An operation does something in a new folder and answers what can be compared: results, names of errors, attributes,
hashes. The same operation in a folder of a local file system must answer the same.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

Answer: TypeAlias = dict[str, Any]
"""What was asked -> what came back, as JSON knows it."""
Operation: TypeAlias = Callable[[str], Answer]
"""Works in the folder that it is given."""
OPERATIONS: Final[dict[str, Operation]] = {}
KINDS: Final = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "characters",
    stat.S_IFBLK: "blocks",
}


def operation(function: Operation) -> Operation:
    """Register an operation under ``module.name``."""
    OPERATIONS[f"{function.__module__.rpartition('.')[2]}.{function.__name__}"] = function
    return function


def tried(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """What the function answers, ``ok`` for nothing, or the name of the error."""
    try:
        found = function(*arguments, **named)
    except OSError as error:
        return named_error(error)
    return "ok" if found is None else found


def done(function: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """``ok`` or the name of the error."""
    try:
        function(*arguments, **named)
    except OSError as error:
        return named_error(error)
    return "ok"


def named_error(error: OSError) -> str:
    """The error's name as in errno.h; ENOTSUP and EOPNOTSUPP are one number."""
    return errno.errorcode.get(error.errno or 0, str(error.errno)).replace("EOPNOTSUPP", "ENOTSUP")


def put(path: str | bytes, data: bytes = b"content\n", mode: int = 0o644) -> None:
    """A file with that content, durable."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        written(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def written(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def get(path: str | bytes) -> bytes:
    """The content of a file, from the server: the pages that the guest has of it are dropped first."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        return b"".join(chunks(descriptor))
    finally:
        os.close(descriptor)


def text(path: str) -> str:
    """The content of a small file as the cache may have it."""
    with open(path) as file:
        return file.read()


def chunks(descriptor: int) -> Iterator[bytes]:
    """The content from where the descriptor is."""
    while data := os.read(descriptor, 1 << 16):
        yield data


def hashed(path: str | bytes) -> Any:
    """Size and hash of the content, read from the server, or the name of the error."""

    def look() -> list[Any]:
        data = get(path)
        return [len(data), hashlib.sha256(data).hexdigest()[:16]]

    return tried(look)


def shown(path: str | bytes) -> Answer | str:
    """Kind, mode, links, owner and size of a name, or the name of the error."""
    try:
        found = os.lstat(path)
    except OSError as error:
        return named_error(error)
    answer: Answer = {
        "kind": KINDS[stat.S_IFMT(found.st_mode)],
        "mode": oct(stat.S_IMODE(found.st_mode)),
        "owner": [found.st_uid, found.st_gid],
    }
    if stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode):
        answer |= {"size": found.st_size, "links": found.st_nlink}
    if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        answer["device"] = [os.major(found.st_rdev), os.minor(found.st_rdev)]
    return answer


def pattern(size: int, seed: int = 0) -> bytes:
    """Bytes that differ from page to page."""
    block = bytes((i * 7 + (i >> 8) + seed) & 255 for i in range(min(size, 1 << 16)))
    return b"".join(bytes([(k + seed) & 255]) + block[1:] if block else b"" for k in range((size + 65535) // 65536))[
        :size
    ]


def by(uid: int, gid: int, groups: list[int], function: Callable[[], Any]) -> Any:
    """What the function answers in a process of that user: ``[value]``, or the name of the error."""

    def work() -> Any:
        os.setgroups(groups)
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
        return tried(function)

    return beside(work)()


def beside(work: Callable[[], Any]) -> Callable[[], Any]:
    """Start ``work`` in another process; what it answers comes from the function that is answered."""
    source, target = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.close(source)
            os.write(target, repr(tried(work)).encode())
            status = 0
        except BaseException as error:
            os.write(target, repr(f"{type(error).__name__}: {error}").encode())
        finally:
            os._exit(status)
    os.close(target)

    def wait() -> Any:
        from ast import literal_eval

        data = b"".join(chunks(source))
        os.close(source)
        os.waitpid(process, 0)
        return literal_eval(data.decode()) if data else "ended without an answer"

    return wait


def until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it came true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def note(text: str) -> None:
    """A line on the console of the guest."""
    sys.stderr.write(text + "\n")
