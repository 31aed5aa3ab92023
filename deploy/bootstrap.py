"""Make a checkout able to run: its virtual environment and the Debian packages of the data path.

Only the standard library is used here, since this runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

from deploy import made, progress
from drivers.ganesha.program import fetch, found, pins

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements" / "dev.txt"
STAMP = VENV / ".installed"

TOOLS = ("python", "nox", "pytest", "ruff", "mypy", "lint-imports", "openstack", "sphinx-build", "uv")
"""Programs of the environment that sessions run."""

PROGRAMS = {
    "dbus-daemon": "dbus-daemon",
    "mkfs.xfs": "xfsprogs",
    "nft": "nftables",
    "ip": "iproute2",
    "nsenter": "util-linux",
    "losetup": "mount",
}
"""Program -> Debian package: what the embedded data path runs besides NFS-Ganesha."""
KERNEL_PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86", "mount.nfs": "nfs-common", "cpio": "cpio", "kmod": "kmod"}
"""Program -> Debian package: what the tests with a Linux kernel client run besides."""
LAB_PROGRAMS = {"runc": "runc", "mmdebstrap": "mmdebstrap", "openssl": "openssl"}
"""Program -> Debian package: what a Kubernetes with nodes runs besides, and what makes images for it."""
IMAGE_PROGRAMS = {"mmdebstrap": "mmdebstrap", "buildah": "buildah", "runc": "runc", "podman": "podman"}
"""Program -> Debian package: what builds images, and what tests start them with."""


def cache() -> pathlib.Path:
    """Where fetched and built things stay between runs."""
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "openkeel-manila"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: two sessions may start on a fresh clone together."""
    with open(ROOT / ".venv.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _stamp() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def ready() -> bool:
    """Whether the environment is there and holds what the lock file says: a mark of an earlier run is not enough."""
    return STAMP.exists() and STAMP.read_text() == _stamp() and not lacking()


def lacking() -> list[str]:
    """What the environment should hold and does not: packages of the lock file, and programs."""
    packages = made.lacking_packages(VENV.glob("lib/python*/site-packages"), LOCK)
    return packages + made.lacking(VENV, (), (f"bin/{name}" for name in TOOLS))


def environment() -> pathlib.Path:
    """The environment's interpreter, made or brought up to date first if need be.

    Only hash-checked packages are installed, from wherever this machine's pip is configured to fetch them.

    Raises:
        SystemExit: Python is too old, pip is missing or failed, or has not installed everything; or Ctrl-C.
    """
    if ready():
        return PYTHON
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is what tells the user so)
        raise SystemExit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    try:
        with _alone():
            if not ready():
                _install()
    except KeyboardInterrupt:
        say("\nended before its time; the next start goes on from here")
        raise SystemExit(130) from None
    return PYTHON


def _install() -> None:
    say(f"making {VENV.name}/ from {LOCK.relative_to(ROOT)} (once; some minutes on a slow line)")
    # without-pip: Debian's python3 has no ensurepip unless python3-venv is installed
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(VENV)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "--disable-pip-version-check"]
    pip += ["--progress-bar", "off", "--require-hashes", "--only-binary", ":all:", "-r", str(LOCK)]
    if not progress.followed(pip, "pip", progress.of_pip(len(made.locked(LOCK)))):
        raise SystemExit("the packages could not be installed; pip's message is above")
    if missing := lacking():
        raise SystemExit(made.sentence(f"the environment {VENV}", missing, "remove that folder, and start again"))
    STAMP.write_text(_stamp())


def reenter(arguments: list[str]) -> None:
    """Go on as ``python ARGUMENTS`` in the environment; does not return."""
    python = str(environment())
    os.execve(python, [python, *arguments], {**os.environ, "PYTHONPATH": str(ROOT)})


def missing_packages(*, kernel: bool = False, lab: bool = False) -> list[str]:
    """Debian packages that the data path needs and this machine lacks."""
    programs = {**PROGRAMS, **(KERNEL_PROGRAMS if kernel else {}), **(LAB_PROGRAMS if lab else {})}
    # Ganesha 9 ends at its start without the modules of libnfsidmap at their place on the machine
    modules = [] if list(pathlib.Path("/usr/lib").glob("*/libnfsidmap/nsswitch.so")) else ["libnfsidmap1"]
    return sorted([*_absent(programs), *modules])


def _absent(programs: dict[str, str]) -> list[str]:
    """Packages, sorted, of the programs that are not here."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    return sorted({package for program, package in programs.items() if not shutil.which(program, path=path)})


def image_packages() -> str | None:
    """Install what builds images. Returns None when all is there, or one line that says what is missing."""
    return _install_packages(lambda: _absent(IMAGE_PROGRAMS), "building images")


def debian_packages(*, kernel: bool = False, lab: bool = False) -> str | None:
    """Install what the data path needs. Returns None when all is there, or one line that says what is missing."""
    lacking = _install_packages(lambda: missing_packages(kernel=kernel, lab=lab), "the data path")
    if lacking is None:
        try:
            ganesha()
        except fetch.Unavailable as error:
            return str(error)
    return lacking


def ganesha() -> pathlib.Path | None:
    """Folder of the NFS-Ganesha that tests and demo run, in the user's cache; None: the machine's is new enough.

    Raises:
        Unavailable: it could not be fetched.
    """
    try:
        machine = found.of_machine()
    except found.Unusable:
        machine = None
    return fetched_ganesha() if machine is None or machine.old else None


def fetched_ganesha() -> pathlib.Path:
    """Folder of the NFS-Ganesha that this release was tested with, in the user's cache, as images have it.

    It is fetched once. Where Debian has replaced a version that is pinned, its successor is taken.

    Raises:
        Unavailable: it could not be fetched.
    """
    name = hashlib.sha256(repr(sorted(pins.PACKAGES.items())).encode()).hexdigest()[:16]
    root = cache() / f"ganesha-{name}"
    if not fetch.whole(root):
        with progress.shown("apt-get", progress.of_apt) as hear:
            try:
                fetch.fetch(root, say=hear.say, hear=hear)
            except fetch.Gone as error:
                hear.say(str(error))
                fetch.fetch(root, newer=True, say=hear.say, hear=hear)
    return root


def _install_packages(look: Callable[[], list[str]], what: str) -> str | None:
    """Install the packages that ``look`` finds missing, and look again."""
    absent = look()
    if not absent:
        return None if os.geteuid() == 0 else f"{what} needs root (namespaces, mounts)"
    names = " ".join(absent)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return f"{what} needs root and these Debian packages: {names}"
    with _alone():
        say(f"apt-get install {names}")
        if not apt_get("install", "--yes", "--no-install-recommends", *absent):
            apt_get("update")
            if not apt_get("install", "--yes", "--no-install-recommends", *absent):
                return f"apt-get could not install: {names}"
    if still := look():
        return made.sentence(f"{what}, apt-get", still, "look whether the PATH leads to their programs")
    return None


def apt_get(*arguments: str) -> bool:
    """Run apt-get and show how far it is. Returns whether it did what it should."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    return progress.followed(["apt-get", "-q", "-o", "APT::Status-Fd=1", *arguments], "apt-get", progress.of_apt, env)
