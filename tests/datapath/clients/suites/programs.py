"""A disk with other people's test programs for guests: Debian packages of one suite, and crates that are built here.

It is a whole small system without a kernel; programs run in it by chroot. Nothing of it is installed on this machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from deploy import made
from deploy.bootstrap import cache
from deploy.debs import Wanted, fetch
from deploy.images.place import ROOT, digest
from tests.datapath.kernel.kernels import TRIXIE

CRATES: Final = {"pjdfstest": "0.2.2", "fsx": "0.3.2"}
"""Name of the program and crate -> version."""
PACKAGES: Final = Wanted(
    TRIXIE.suites,
    ("fio", "stress-ng", "postgresql-17", "git", "busybox-static", "coreutils", "mount"),
    closure=True,
    # what stress-ng draws with, what PostgreSQL compiles queries with, and Perl
    without=("libllvm.*", "libz3.*", "mesa-.*", "libegl-mesa0", "libperl.*", "perl-modules.*", "locales", "ssl-cert"),
)
RUN: Final = ("usr/bin/fio", "usr/bin/stress-ng", "usr/bin/git", "usr/lib/postgresql/17/bin/pg_ctl")
"""Of the packages, what suites run."""
FOLDERS: Final = ("dev", "proc", "sys", "tmp", "mnt", "local", "run", "root")
USERS: Final = {"root": 0, "postgres": 1001, "tests": 1002, "nobody": 65534}


class Lacking(Exception):
    """A suite can't run here; the text is one line that says why."""


def crate(name: str) -> Path:
    """The program of a crate, built once per version.

    Raises:
        Lacking: there is no cargo, or it can't build it.
    """
    place = cache() / f"{name}-{CRATES[name]}"
    program = place / "bin" / name
    if not made.lacking(program.parent, (), (name,)):
        return program
    if shutil.which("cargo") is None:
        raise Lacking(f"{name} is a Rust program: install cargo")
    with tempfile.TemporaryDirectory(prefix=f"part-{name}-", dir=cache()) as part:
        words = ["cargo", "install", "--quiet", "--locked", "--root", part, "--version", CRATES[name], name]
        env = {**os.environ, "CARGO_TARGET_DIR": f"{part}/target"}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Lacking(f"cargo can't build {name} {CRATES[name]}: {done.stderr.strip()[-200:]}")
        if missing := made.lacking(Path(part), (), (f"bin/{name}",)):
            raise Lacking(made.sentence(f"the crate {name} {CRATES[name]}", missing, "look at the crate's programs"))
        (place / "bin").mkdir(parents=True, exist_ok=True)
        (Path(part) / "bin" / name).replace(program)
    return program


def disk() -> tuple[Path, list[str]]:
    """The disk, made once per content, and the suites that it lacks, each with the reason.

    Raises:
        deploy.debs.Unavailable: the packages can't be had.
    """
    packages = fetch(PACKAGES)
    lacking, crates = [], []
    for name in CRATES:
        try:
            crates.append(crate(name))
        except Lacking as error:
            lacking.append(str(error))
    own = Path(__file__).read_bytes()
    versions = [f"{name} {CRATES[name]}" for name in CRATES if any(one.name == name for one in crates)]
    file = cache() / "guests" / f"programs-{digest(packages.digest, *versions, own)}.ext4"
    if made.lacking(file.parent, (file.name,)):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="programs-", dir=file.parent) as work:
            root = Path(work) / "root"
            packages.unpack(root)
            _finish(root, crates)
            part = Path(work) / "disk"
            size = sum(one.lstat().st_size for one in root.rglob("*")) // (1 << 20)
            words = [
                "mke2fs",
                "-q",
                "-t",
                "ext4",
                "-O",
                "^has_journal",
                "-d",
                str(root),
                str(part),
                f"{size * 5 // 4 + 64}M",
            ]
            subprocess.run(words, check=True, capture_output=True)
            if missing := made.lacking(root, (), RUN):
                raise RuntimeError(made.sentence(f"the disk {file}", missing, "look at the packages of the suites"))
            part.replace(file)
    return file, lacking


def _finish(root: Path, crates: list[Path]) -> None:
    for name in ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/icons"):
        shutil.rmtree(root / name, ignore_errors=True)
    # of Debian 13 the packages know /usr only
    for name in ("bin", "lib", "lib64", "sbin"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    if not (root / "bin/sh").exists():
        (root / "bin/sh").symlink_to("busybox")
    (root / "usr/local/bin").mkdir(parents=True, exist_ok=True)
    for program in crates:
        shutil.copy2(program, root / "usr/local/bin" / program.name)
    lines = [f"{name}:x:{number}:{number}::/tmp:/bin/sh\n" for name, number in USERS.items()]
    (root / "etc/passwd").write_text("".join(lines))
    (root / "etc/group").write_text("".join(f"{name}:x:{number}:\n" for name, number in USERS.items()))
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    bundle = ["git", "-C", str(ROOT), "bundle", "create", "-q", str(root / "root/project.bundle"), "HEAD"]
    subprocess.run(bundle, check=True)
