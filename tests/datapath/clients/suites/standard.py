"""Suites that judge a file system: pjdfstest, fsx, fio with verification, stress-ng's file stressors, git."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final

from tests.datapath.clients.suites.running import Outcome, program, put
from tests.datapath.kernel.guest import Guest

Suite = Callable[[Guest, str, float], Awaitable[Outcome]]
"""Runs in a folder of the guest, for about that many seconds if it can be bounded."""

PJDFSTEST: Final = """
[features]
posix_fallocate = {}
utimensat = {}
utime_now = {}
[settings]
naptime = 0.05
allow_remount = false
[dummy_auth]
entries = [ ["nobody", "nobody"], ["tests", "tests"] ]
"""
CASE: Final = re.compile(r"(?P<name>\w+(::\w+)+)\s+(?P<end>ok|FAILED|skipped)$")
STRESSORS: Final = (
    *("access", "chattr", "chdir", "chmod", "chown", "copy-file", "dentry", "dir", "dirdeep", "dirmany", "dup"),
    *("eventfd", "fallocate", "fcntl", "file-ioctl", "filename", "flock", "fpunch", "fstat", "getdent", "hdd", "iomix"),
    *("io", "lease", "link", "locka", "lockf", "lockmix", "lockofd", "mknod", "mmap", "open", "punch", "readahead"),
    *("rename", "revio", "seek", "sendfile", "splice", "symlink", "sync-file", "touch", "truncate", "unlink"),
    *("utime", "verity", "xattr"),
)
FIO: Final = {
    "sequential": "--rw=write --bs=256k --ioengine=sync",
    "random": "--rw=randwrite --bs=4k --ioengine=psync",
    "direct": "--rw=randwrite --bs=16k --direct=1 --ioengine=libaio --iodepth=8",
    "mapped": "--rw=randwrite --bs=4k --ioengine=mmap",
    "mixed": "--rw=randrw --bsrange=512-64k --blockalign=512 --ioengine=psync --fsync=16",
    "trimmed": "--rw=randwrite --bs=8k --ioengine=io_uring --iodepth=4",
}


async def pjdfstest(guest: Guest, at: str, seconds: float) -> Outcome:
    """POSIX's calls, one by one."""
    await put(guest, "/tmp/pjdfstest.toml", PJDFSTEST)
    await guest(f"os.makedirs({at!r}, exist_ok=True); os.chmod({at!r}, 0o755)")
    status, output, taken = await program(guest, f"pjdfstest -c /tmp/pjdfstest.toml -p {at}", 1500)
    passed: list[str] = []
    skipped: list[str] = []
    failed: dict[str, str] = {}
    for line in output.splitlines():
        if not (found := CASE.match(line.strip())):
            continue
        if found["end"] == "FAILED":
            failed[found["name"]] = " ".join(output.partition(line)[2].split("\n")[:4])
        else:
            (skipped if found["end"] == "skipped" else passed).append(found["name"])
    if not passed:
        failed["pjdfstest"] = f"{status}: {output[-1500:]}"
    return Outcome(tuple(passed), failed, tuple(skipped), taken)


async def fsx(guest: Guest, at: str, seconds: float) -> Outcome:
    """Random operations on a file, compared with a copy in memory; three seeds."""
    passed, failed, whole = [], {}, 0.0
    await guest(f"os.makedirs({at!r}, exist_ok=True)")
    for seed in (1, 2, 3):
        words = f"mkdir -p /tmp/fsx && fsx -N {int(seconds * 30)} -S {seed} -P /tmp/fsx {at}/f{seed}"
        status, output, taken = await program(guest, words, 1200)
        whole += taken
        if status:
            failed[f"seed {seed}"] = f"{status}: {output[-800:]}"
        else:
            passed.append(f"seed {seed}")
    return Outcome(tuple(passed), failed, (), whole)


async def fio(guest: Guest, at: str, seconds: float) -> Outcome:
    """Writes of several kinds, read back and verified by checksum."""
    passed, failed, whole = [], {}, 0.0
    await guest(f"os.makedirs({at!r}, exist_ok=True)")
    for name, options in FIO.items():
        words = f"fio --name={name} --directory={at} --size=24m --thread {options} --verify=crc32c --verify_fatal=1"
        words += " --do_verify=1 --verify_backlog=64 --group_reporting --output-format=terse"
        status, output, taken = await program(guest, words, 600)
        await guest.expression(f"sh('rm -f {at}/{name}*')")
        whole += taken
        if status:
            failed[name] = f"{status}: {output[-600:]}"
        else:
            passed.append(name)
    return Outcome(tuple(passed), failed, (), whole)


async def stress(guest: Guest, at: str, seconds: float) -> Outcome:
    """Stressors of files, each with two processes and its own verification."""
    passed, failed, skipped, whole = [], {}, [], 0.0
    await guest(f"os.makedirs({at!r}, exist_ok=True)")
    each = max(1, int(seconds / len(STRESSORS)))
    for name in STRESSORS:
        words = f"stress-ng --{name} 2 --timeout {each} --verify --temp-path {at} --hdd-bytes 8m --iomix-bytes 8m"
        words += " --fallocate-bytes 8m --copy-file-bytes 8m --readahead-bytes 8m --revio-bytes 8m --seek-size 8m"
        status, output, taken = await program(guest, words, 180)
        whole += taken
        # 2: the stressor failed; 3: no resources; 4: not implemented here
        if status in (3, 4) or "skipped: 2" in output:
            skipped.append(name)
        elif status:
            failed[name] = f"{status}: {output[-500:]}"
        else:
            passed.append(name)
    return Outcome(tuple(passed), failed, tuple(skipped), whole)


GIT: Final = """
set -e
cd {at}
git clone -q /root/project.bundle project
cd project
git config user.name t; git config user.email t@t.test
git fsck --no-progress
test -z "$(git status --porcelain)"
git checkout -q -b work
for i in 1 2 3 4 5; do echo $i >> README.md; git commit -q -a -m $i; done
git branch -q other HEAD~3; git checkout -q other; git merge -q work
git gc -q; git fsck --no-progress
test -z "$(git status --porcelain)"
git archive HEAD | tar -x -C {at}/built
"""


async def git(guest: Guest, at: str, seconds: float) -> Outcome:
    """Clone a project of some hundred commits, commit, merge, pack, check, unpack and compile all of it."""
    await guest(f"os.makedirs('{at}/built', exist_ok=True)")
    status, output, taken = await program(guest, GIT.format(at=at), 1200)
    if status:
        return Outcome((), {"git": f"{status}: {output[-800:]}"}, (), taken)
    return Outcome(("git",), {}, (), taken)


SUITES: Final[dict[str, Suite]] = {"pjdfstest": pjdfstest, "fsx": fsx, "fio": fio, "stress-ng": stress, "git": git}
