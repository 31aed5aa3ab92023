"""Every kind of file, and what each refuses."""

from __future__ import annotations

import os
import socket
import stat

from tests.datapath.clients.operations.support import Answer, beside, chunks, done, operation, put, shown, tried


@operation
def made(at: str) -> Answer:
    """One of each kind."""
    put(f"{at}/file")
    os.mkdir(f"{at}/folder", 0o750)
    os.symlink("file", f"{at}/link")
    os.symlink("nowhere", f"{at}/dangling")
    os.mkfifo(f"{at}/fifo", 0o640)
    os.mknod(f"{at}/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    os.mknod(f"{at}/disk", 0o660 | stat.S_IFBLK, os.makedev(259, 200000))
    # the name of a socket is short
    here = os.getcwd()
    os.chdir(at)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    os.chdir(here)
    os.link(f"{at}/file", f"{at}/second")
    names = sorted(os.listdir(at))
    return {"names": names, **{name: shown(f"{at}/{name}") for name in names}}


@operation
def links(at: str) -> Answer:
    """What a symbolic link may hold."""
    answer: Answer = {}
    for name, target in {
        "long": "x/" * 500 + "end",
        "bytes": b"t\xe4\xff",
        "space": " two  words ",
        "up": "../..",
    }.items():
        answer[name] = done(os.symlink, target, f"{at}/{name}")
        answer[f"{name} read"] = tried(lambda name=name: os.readlink(os.fsencode(f"{at}/{name}")).decode("latin-1"))
    answer["4095"] = done(os.symlink, "y" * 4095, f"{at}/most")
    answer["4096"] = done(os.symlink, "y" * 4096, f"{at}/more")
    answer["empty"] = done(os.symlink, "", f"{at}/empty")
    os.symlink("loop", f"{at}/loop")
    answer["loop"] = done(os.stat, f"{at}/loop")
    answer["not followed"] = done(os.open, f"{at}/up", os.O_RDONLY | os.O_NOFOLLOW)
    answer["mode"] = shown(f"{at}/long")
    return answer


@operation
def refusals(at: str) -> Answer:
    """The errors of the usual mistakes."""
    put(f"{at}/file")
    os.makedirs(f"{at}/full/inner")
    exclusive = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    return {
        "file is there": done(os.open, f"{at}/file", exclusive),
        "folder is there": done(os.mkdir, f"{at}/full"),
        "below a file": done(os.stat, f"{at}/file/x"),
        "list a file": done(os.listdir, f"{at}/file"),
        "write a folder": done(os.open, f"{at}/full", os.O_WRONLY),
        "remove a full folder": done(os.rmdir, f"{at}/full"),
        "remove a file as folder": done(os.rmdir, f"{at}/file"),
        "unlink a folder": done(os.unlink, f"{at}/full"),
        "link a folder": done(os.link, f"{at}/full", f"{at}/again"),
        "nothing": [done(os.stat, f"{at}/no"), done(os.unlink, f"{at}/no"), done(os.rename, f"{at}/no", f"{at}/x")],
        "remove .": done(os.rmdir, f"{at}/full/."),
        "remove ..": done(os.rmdir, f"{at}/full/inner/.."),
        "no socket": done(socket.socket(socket.AF_UNIX).connect, f"{at[-60:]}/file"),
    }


@operation
def talking(at: str) -> Answer:
    """A fifo and a socket between two processes of one machine."""
    os.mkfifo(f"{at}/fifo")

    def read() -> str:
        descriptor = os.open(f"{at}/fifo", os.O_RDONLY)
        return b"".join(chunks(descriptor)).decode()

    reader = beside(read)
    with open(f"{at}/fifo", "w") as writer:
        writer.write("through the fifo")
    os.chdir(at)
    server = socket.socket(socket.AF_UNIX)
    server.bind("s")
    server.listen(1)

    def call() -> str:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("s")
            return client.recv(20).decode()

    caller = beside(call)
    taken, _ = server.accept()
    taken.send(b"through the socket")
    return {"fifo": reader(), "socket": caller()}


@operation
def programs(at: str) -> Answer:
    """A program on the file system runs; one that is open for writing does not, one that runs can't be written."""
    with open("/bin/busybox", "rb") as source:
        data = source.read()
    put(f"{at}/true", data, 0o755)
    answer: Answer = {"runs": os.spawnv(os.P_WAIT, f"{at}/true", ["true"])}
    descriptor = os.open(f"{at}/true", os.O_RDWR)
    answer["open for writing"] = beside(lambda: done(os.execv, f"{at}/true", ["true"]))()
    os.close(descriptor)
    put(f"{at}/sleep", data, 0o755)
    process = os.spawnv(os.P_NOWAIT, f"{at}/sleep", ["sleep", "30"])
    answer["written while it runs"] = done(os.open, f"{at}/sleep", os.O_RDWR)
    os.kill(process, 9)
    os.waitpid(process, 0)
    os.chmod(f"{at}/true", 0o644)
    answer["without permission"] = beside(lambda: done(os.execv, f"{at}/true", ["true"]))()
    return answer
