"""Many processes that make, lock with a time limit, rename and unlink one file: the race of a shared lock file."""

from __future__ import annotations

import collections
import fcntl
import json
import os
import random
import signal
import time

from tests.datapath.clients.operations.support import chunks, named_error


class Late(Exception):
    """The time limit of a lock."""


def _ring(*_: object) -> None:
    raise Late


def _round(at: str, who: str, chance: random.Random, counted: collections.Counter[str]) -> None:
    """Take the lock file by link, or wait for whoever has it; the winner replaces the table by rename."""
    own = f"{at}/lock.{who}"
    os.close(os.open(own, os.O_CREAT | os.O_WRONLY, 0o644))
    held = -1
    for _ in range(20):
        try:
            os.link(own, f"{at}/lock")
            won = True
        except FileExistsError:
            won = False
        try:
            descriptor = os.open(f"{at}/lock", os.O_WRONLY)
        except FileNotFoundError:
            continue
        signal.setitimer(signal.ITIMER_REAL, chance.choice((0.05, 0.3, 1.0)))
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX)
            counted["locked"] += 1
        except Late:
            counted["late"] += 1
        except OSError as error:
            # the lock file may be gone by now
            counted[f"lock: {named_error(error)}"] += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if won:
            held = descriptor
            break
        os.close(descriptor)
    os.unlink(own)
    if held < 0:
        counted["gave up"] += 1
        return
    with open(f"{at}/table.{who}", "w") as table:
        table.write(who)
    os.rename(f"{at}/table.{who}", f"{at}/table")
    os.close(held)
    os.unlink(f"{at}/lock")
    counted["won"] += 1


def contend(at: str, processes: int, seconds: float, seed: int) -> dict[str, int]:
    """Let that many processes contend; how often what happened."""
    os.makedirs(at, exist_ok=True)
    running = []
    for number in range(processes):
        source, target = os.pipe()
        process = os.fork()
        if process == 0:
            counted: collections.Counter[str] = collections.Counter()
            signal.signal(signal.SIGALRM, _ring)
            chance, end = random.Random(seed + number), time.monotonic() + seconds
            while time.monotonic() < end:
                try:
                    _round(at, f"{seed + number}", chance, counted)
                    counted["rounds"] += 1
                except Late:
                    counted["rang late"] += 1
                except OSError as error:
                    counted[named_error(error)] += 1
            os.write(target, json.dumps(counted).encode())
            os._exit(0)
        os.close(target)
        running.append((process, source))
    whole: collections.Counter[str] = collections.Counter()
    for process, source in running:
        whole.update(json.loads(b"".join(chunks(source)) or b"{}"))
        os.close(source)
        os.waitpid(process, 0)
    return dict(whole)
