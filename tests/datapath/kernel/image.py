"""Makes a guest with a Linux kernel's NFS client: kernel and initrd from Debian packages, nothing installed.

Needs on the host: apt-get, dpkg, kmod, cpio, Debian's own python3.11 and nfs-common, whose programs are copied with
their libraries. No disk image and no service manager: about 12 MB of initrd, built in about 5 s.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from deploy import made
from deploy.bootstrap import cache
from deploy.debs import fetch
from deploy.images.place import digest
from tests.datapath.kernel.kernels import BOOKWORM, BUSYBOX, Kernel

PROGRAMS: Final = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mount.nfs": "nfs-common",
    "cpio": "cpio",
    "depmod": "kmod",
    "apt-get": "apt",
}
"""What building and running the guest needs, and the Debian packages it comes from."""

MODULES: Final = [
    "virtio_pci",
    "virtio_net",
    "virtio_console",
    "virtio_blk",
    "crc32c_generic",
    "xfs",
    "nfs",
    "nfsv4",
    "nfs_layout_nfsv41_files",
    "nfs_layout_flexfiles",
    "failover",
    "net_failover",
]
FOLDED: Final = ("crc32c_generic",)
"""Modules that newer kernels have inside of others."""
IMAGE: Final = ("vmlinuz", "initrd.gz")
STANDARD_LIBRARY: Final = [
    *(
        "__future__",
        "ast",
        "errno",
        "fcntl",
        "json",
        "os",
        "subprocess",
        "threading",
        "time",
        "traceback",
        "collections.abc",
        "typing",
    ),
    *("encodings.idna", "encodings.latin_1", "base64", "ctypes", "dataclasses", "hashlib", "importlib", "mmap"),
    *("random", "re", "select", "shutil", "signal", "socket", "sqlite3", "stat", "struct", "sys", "tempfile"),
]
PYTHON: Final = "/usr/bin/python3.11"
FOLDERS: Final = [
    *("bin", "dev", "etc", "lib/py", "local", "m", "mnt", "proc", "programs", "run", "sbin", "sys", "tmp"),
    *("usr/bin", "usr/sbin", "var/lib/nfs"),
]
HERE: Final = Path(__file__).parent
FILES: Final = {
    "etc/passwd": "root:x:0:0:root:/:/bin/sh\n",
    "etc/group": "root:x:0:\n",
    "etc/netconfig": "tcp tpi_cots_ord v inet tcp - -\nudp tpi_clts v inet udp - -\n",
    "etc/protocols": "tcp 6 TCP\nudp 17 UDP\n",
    "etc/services": "nfs 2049/tcp\nsunrpc 111/tcp\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "etc/hosts": "127.0.0.1 localhost\n",
}


def missing() -> list[str]:
    """Debian packages that are lacking."""
    lacking = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    return lacking if Path(PYTHON).exists() else [*lacking, "python3.11"]


def build(folder: Path, kernel: Kernel = BOOKWORM) -> None:
    """Write ``vmlinuz`` and ``initrd.gz`` into ``folder``.

    Raises:
        RuntimeError: something is missing although no command failed.
    """
    root, unpacked = folder / "root", folder / "packages"
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    for packages in (kernel.packages(), fetch(BUSYBOX)):
        packages.unpack(unpacked)
    # of 6.12 and newer the packages know /usr only
    for name in ("bin", "lib"):
        if not (unpacked / name).exists():
            (unpacked / name).symlink_to(f"usr/{name}")
    tree = next((unpacked / "lib/modules").iterdir())
    _modules(unpacked, tree, root)
    _busybox(unpacked, root)
    _nfs(root)
    _python(root)
    for name, text in FILES.items():
        (root / name).write_text(text)
    shutil.copy(HERE / "agent.py", root / "agent.py")
    shutil.copy(HERE / "init.sh", root / "init")
    (root / "init").chmod(0o755)
    binaries = [unpacked / f"boot/vmlinuz-{tree.name}", tree / "vmlinuz"]
    shutil.copy(next(file for file in binaries if file.exists()), folder / "vmlinuz")
    names = "".join(f"{one.relative_to(root)}\n" for one in sorted(root.rglob("*")))
    with (folder / "initrd").open("w") as packed, (folder / "initrd.gz").open("w") as out:
        words = ["cpio", "-o", "-H", "newc", "--quiet"]
        subprocess.run(words, check=True, cwd=root, input=names, text=True, stdout=packed)
        subprocess.run(["gzip", "-1", "-c", packed.name], check=True, stdout=out)
    if absent := made.lacking(folder, IMAGE):
        raise RuntimeError(made.sentence(f"the guest of Linux {kernel}", absent, "look at cpio and gzip"))


def kept(kernel: Kernel = BOOKWORM) -> Path:
    """The folder of the image of ``kernel`` in the cache, built there if it is missing.

    Raises:
        deploy.debs.Unavailable: the kernel is not in the cache, and Debian's archive can't be reached or lacks it.
    """
    own = [(HERE / name).read_bytes() for name in ("image.py", "agent.py", "init.sh")]
    folder = cache() / "guests" / f"{kernel}-{digest(kernel.packages().digest, fetch(BUSYBOX).digest, *own)}"
    if made.lacking(folder, IMAGE):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as place:
            build(Path(place), kernel)
            part = Path(tempfile.mkdtemp(prefix="part-", dir=folder.parent))
            for name in IMAGE:
                shutil.copy(Path(place) / name, part / name)
            shutil.rmtree(folder, ignore_errors=True)
            part.replace(folder)
    return folder


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def _modules(unpacked: Path, tree: Path, root: Path) -> None:
    """The modules with what they need, in an order in which each finds the earlier ones."""
    subprocess.run(["depmod", "-b", str(unpacked), tree.name], check=True)
    chains: dict[str, list[str]] = {}
    for line in (tree / "modules.dep").read_text().splitlines():
        module, _, needed = line.partition(":")
        # the line names the needed modules with the deepest last
        chains[_module(module)] = [*reversed(needed.split()), module]
    builtin = {_module(line) for line in (tree / "modules.builtin").read_text().split()}
    if absent := [name for name in MODULES if name not in chains.keys() | builtin | {*FOLDED}]:
        raise RuntimeError(made.sentence(f"Linux {tree.name}", absent, "look whether their names have changed"))
    order: list[str] = []
    for name in MODULES:
        order.extend(file for file in chains.get(name, []) if file not in order)
    lines = []
    for file in order:
        data = (tree / file).read_bytes()
        name = Path(file).name.removesuffix(".xz")
        # the guest's insmod takes them as they are in memory
        (root / "m" / name).write_bytes(lzma.decompress(data) if file.endswith(".xz") else data)
        lines.append(f"/m/{name}\n")
    (root / "modules.order").write_text("".join(lines))


def _module(file: str) -> str:
    """The name of the module in a file."""
    return Path(file).name.split(".")[0].replace("-", "_")


def _busybox(unpacked: Path, root: Path) -> None:
    program = unpacked / "bin/busybox"
    _put(root, str(program), "bin/busybox")
    for applet in _output(str(program), "--list-full").split():
        place = root / applet
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.symlink_to("/bin/busybox")


def _nfs(root: Path) -> None:
    names = ("mount.nfs", "mount.nfs4", "umount.nfs", "umount.nfs4")
    for name in names:
        (root / "sbin" / name).unlink(missing_ok=True)
    _program(root, "/sbin/mount.nfs", "sbin/mount.nfs")
    for name in names[1:]:
        (root / "sbin" / name).symlink_to("mount.nfs")


def _python(root: Path) -> None:
    """The interpreter and exactly the files its imports load."""
    _program(root, PYTHON, "usr/bin/python3")
    listing = "\n".join(
        (
            f"import sys, {', '.join(STANDARD_LIBRARY)}",
            "for module in list(sys.modules.values()):",
            "    print(getattr(module, '__file__', None) or '')",
        )
    )
    for file in _output(PYTHON, "-S", "-E", "-s", "-c", listing).split():
        if "lib-dynload" in file:
            _program(root, file, f"lib/py/{Path(file).name}")
        else:
            inner = file.split("/python3.11/", 1)[1]
            _put(root, file, f"lib/py/{inner}")
            _put(root, file, f"usr/lib/python3.11/{inner}")


def _program(root: Path, source: str, target: str) -> None:
    """A program or library with the libraries it is linked to."""
    _put(root, source, target)
    linked = subprocess.run(["ldd", source], text=True, capture_output=True, check=False).stdout
    for library in re.findall(r"(/\S+\.so\S*)", linked):
        _put(root, library, library.lstrip("/"))


def _put(root: Path, source: str, target: str) -> None:
    place = root / target
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        shutil.copy2(os.path.realpath(source), place)
