"""Programs of the lab: started, waited for, stopped, and known to whoever loads the lab's folder later."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TypeVar

T = TypeVar("T")


class Failed(Exception):
    """A command ended with an error; its own words are the message."""


def sh(*words: str, stdin: str | None = None) -> str:
    """Output of a command. Raises Failed."""
    done = subprocess.run(words, input=stdin, text=True, capture_output=True, check=False)
    if done.returncode:
        raise Failed(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def wait(what: str, check: Callable[[], T], seconds: float = 60.0, every: float = 0.05) -> T:
    """The first true answer of ``check``, whose errors mean "not yet". Raises TimeoutError naming ``what``."""
    deadline = time.monotonic() + seconds
    last: object = None
    while time.monotonic() < deadline:
        try:
            last = check()
        except Exception as error:
            last = error
        else:
            if last:
                return last
        time.sleep(every)
    raise TimeoutError(f"{what}: not within {seconds:.0f} s; last: {last!r}")


@dataclass
class Process:
    """A program that runs on its own."""

    pid: int
    words: list[str]
    env: dict[str, str] = field(default_factory=dict)


class Processes:
    """The lab's programs by name, kept in ``state.json`` of its folder. Names like ``kubelet@lab1`` end in the node."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.logs = folder / "logs"
        self._state = folder / "state.json"
        self._known: dict[str, Process] = {}
        if self._state.exists():
            self._known = {name: Process(**one) for name, one in json.loads(self._state.read_text()).items()}

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def __getitem__(self, name: str) -> Process:
        return self._known[name]

    def names(self) -> list[str]:
        """Names in the order in which the programs were started."""
        return list(self._known)

    def spawn(self, name: str, *words: str, **env: str) -> int:
        """Start a program; its output goes to a file of its own."""
        self.logs.mkdir(parents=True, exist_ok=True)
        with (self.logs / f"{name}.log").open("ab") as log:
            output = [(os.POSIX_SPAWN_DUP2, log.fileno(), number) for number in (1, 2)]
            files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), *output]
            pid = os.posix_spawnp(words[0], words, {**os.environ, **env}, file_actions=files, setsid=True)
        self._known[name] = Process(pid, list(words), env)
        self._save()
        return pid

    def restart(self, name: str, seconds: float = 15.0) -> None:
        """Stop a program and start it again as it was; ``seconds`` as in ``stop``."""
        old = self._known[name]
        self.stop(name, seconds)
        self.spawn(name, *old.words, **old.env)

    def stop(self, name: str, seconds: float = 15.0) -> None:
        """End a program: first asked, then killed."""
        pid = self._known.pop(name).pid
        self._save()
        for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 5.0)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline:
                if _ended(pid):
                    return
                time.sleep(0.02)

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal."""
        os.kill(self._known[name].pid, number)

    def clear(self) -> None:
        """Forget what an earlier lab of this folder ran."""
        self._known.clear()
        self._save()

    def forget(self, name: str) -> None:
        """Of a program that was killed in another way."""
        if self._known.pop(name, None) is not None:
            self._save()

    def _save(self) -> None:
        self._state.write_text(json.dumps({name: asdict(one) for name, one in self._known.items()}))


def _ended(pid: int) -> bool:
    """Whether a process is gone, or a child of somebody else that nobody has asked for yet."""
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it may end between the opening and the reading
        return True
    return stat.rsplit(")", 1)[1].split()[0] == "Z"
