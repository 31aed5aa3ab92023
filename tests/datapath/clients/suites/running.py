"""Running programs of the suites' disk in a guest, on the share and on the guest's own file system."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field

from tests.datapath.kernel.guest import Guest

ROOT = "/programs"
BOUND = ("dev", "proc", "sys", "tmp", "mnt", "local")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a suite came to.

    Attributes:
        passed: names of its tests.
        failed: name -> the end of what was said.
        skipped: names of tests that the file system or the machine can't have.
        seconds: how long it took.
    """

    passed: tuple[str, ...] = ()
    failed: dict[str, str] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{len(self.passed)} passed, {len(self.failed)} failed, {len(self.skipped)} skipped, {self.seconds:.0f} s"
        )


async def plug(guest: Guest, device: str = "/dev/vdb") -> None:
    """Mount the disk with the programs at /programs, and what they need below it."""
    assert await guest.expression(f"sh('mount -t ext4 -o ro {device} {ROOT}')") == [0, ""]
    # a share that is mounted later is seen below, too
    assert await guest.expression("sh('mount --make-rshared /')") == [0, ""]
    for name in BOUND:
        assert await guest.expression(f"sh('mount --rbind /{name} {ROOT}/{name}')") == [0, ""]


async def program(guest: Guest, words: str, seconds: float, *, uid: int = 0, env: str = "") -> tuple[int, str, float]:
    """Run a shell command in the programs' system: status, output, seconds. 124: it was ended after ``seconds``."""
    inner = (
        f"export HOME=/tmp PATH=/usr/local/bin:/usr/bin:/usr/sbin:/usr/lib/postgresql/17/bin LC_ALL=C {env}; {words}"
    )
    code = f"""
import subprocess
begin = time.monotonic()
def become():
    os.chroot({ROOT!r}); os.chdir('/tmp')
    if {uid}: os.setgroups([]); os.setresgid({uid}, {uid}, {uid}); os.setresuid({uid}, {uid}, {uid})
p = subprocess.Popen(['/bin/sh', '-c', {inner!r}], preexec_fn=become, start_new_session=True,
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
try:
    out, status = p.communicate(timeout={seconds})[0], p.returncode
except subprocess.TimeoutExpired:
    os.killpg(p.pid, 9); out, status = p.communicate()[0], 124
r = [status, out.decode(errors='replace')[-60000:], time.monotonic() - begin]
"""
    # names of its own: several may run at once
    wrapped = f"def _run():\n{_indented(code)}\n    return r\nr = _run()"
    status, output, taken = await guest(wrapped, seconds + 60)
    return status, output, taken


def _indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.splitlines())


async def put(guest: Guest, path: str, text: str, mode: int = 0o644) -> None:
    """A file in the guest."""
    await guest(f"open({path!r}, 'w').write({json.dumps(text)}); os.chmod({path!r}, {mode})")


def quoted(*words: str) -> str:
    """A command line."""
    return shlex.join(words)
