"""What two clients do in turns: the same as two processes on one local file system, or a documented limit."""

from __future__ import annotations

import asyncio
from typing import Any, Final, TypeAlias

from tests.datapath.kernel.guest import Guest

Step: TypeAlias = tuple[Any, ...]
"""Who (``one``, ``two``, ``both``: at the same time), what, and its arguments; actions are methods of ``Stage``."""

PAIRS: Final[dict[str, list[Step]]] = {
    "reads after the other's close": [
        ("one", "put", "f", 10_000, 1),
        ("two", "hashed", "f"),
        ("two", "put", "f", 300_000, 2),
        ("one", "hashed", "f"),
        ("one", "put", "f", 0),
        ("two", "hashed", "f"),
        ("one", "put", "f", 5, 3),
        ("two", "hashed", "f"),
    ],
    "edits in turn": [
        ("one", "put", "f", 20_000, 1),
        *(
            step
            for number in range(4)
            for step in (
                ("two" if number % 2 else "one", "open", "f"),
                ("two" if number % 2 else "one", "overwrite", str(number) * 10, 100 + 4090 * number),
                ("two" if number % 2 else "one", "close"),
                ("one" if number % 2 else "two", "hashed", "f"),
            )
        ),
    ],
    "append": [
        *(
            step
            for number in range(6)
            for who in ("one", "two")
            for step in (
                (who, "open", "log", "WRONLY CREAT APPEND"),
                (who, "write", f"{who}{number} "),
                (who, "close"),
            )
        ),
        ("one", "text", "log"),
        ("two", "text", "log"),
    ],
    "append under a lock": [("both", "many", "log", 25), ("one", "lines", "log"), ("two", "lines", "log")],
    "locks": [
        ("one", "put", "f", 100),
        ("one", "open", "f"),
        ("two", "open", "f"),
        ("one", "lock", 10, 10),
        ("two", "lock", 15, 1),
        ("two", "lock", 20, 10),
        ("one", "lock", 25, 1),
        ("one", "lock", 10, 10, "RDLCK"),
        ("two", "lock", 10, 10, "RDLCK"),
        ("two", "lock", 10, 10, "WRLCK"),
        ("one", "lock", 10, 10, "UNLCK"),
        ("two", "lock", 10, 10, "WRLCK"),
        ("two", "close"),
        ("one", "lock", 0, 0, "WRLCK"),
        ("one", "close"),
    ],
    "locks of open files": [
        ("one", "put", "f", 100),
        ("one", "open", "f"),
        ("two", "open", "f"),
        ("one", "open_file_lock"),
        ("two", "open_file_lock"),
        ("two", "lock"),
        ("one", "close"),
        ("two", "open_file_lock"),
        ("two", "close"),
    ],
    "flock": [
        ("one", "put", "f", 100),
        ("one", "open", "f"),
        ("two", "open", "f"),
        ("one", "whole", "EX"),
        ("two", "whole", "EX"),
        ("two", "whole", "SH"),
        ("one", "whole", "SH"),
        ("two", "whole", "SH"),
        ("one", "whole", "UN"),
        ("two", "whole", "EX"),
        ("one", "close"),
        ("two", "close"),
    ],
    "a lock that is waited for": [
        ("one", "put", "f", 100),
        ("one", "open", "f"),
        ("one", "lock"),
        ("two", "wait_for_lock", "f"),
        ("one", "call", "stat", "f"),
        ("one", "close"),
        ("two", "waited"),
    ],
    "made once": [("both", "open", "f", "CREAT EXCL WRONLY")],
    "names": [
        ("one", "put", "a", 10),
        ("two", "names"),
        ("two", "call", "rename", "a", "b"),
        ("one", "names"),
        ("one", "call", "mkdir", "d"),
        ("two", "put", "d/x", 10),
        ("one", "call", "rmdir", "d"),
        ("two", "call", "unlink", "d/x"),
        ("one", "call", "rmdir", "d"),
        ("two", "names"),
    ],
    "appears": [("two", "call", "lstat", "f"), ("one", "put", "f", 10), ("two", "appears", "f")],
    "modes": [
        ("one", "put", "f", 10),
        ("two", "mode", "f"),
        ("one", "call", "chmod", "f", 0o600),
        ("two", "mode", "f"),
    ],
    "mapped": [
        ("one", "put", "f", 9000),
        ("two", "hashed", "f"),
        ("one", "open", "f"),
        ("one", "mapped", "through memory", 4090),
        ("one", "close"),
        ("two", "hashed", "f"),
    ],
    "unlinked by the other": [
        ("one", "put", "f", 100),
        ("two", "open", "f"),
        ("one", "call", "unlink", "f"),
        ("two", "read", 5, 0),
        ("two", "close"),
    ],
    "replaced by the other": [
        ("one", "put", "f", 10, 1),
        ("one", "put", "new", 10, 2),
        ("two", "open", "f"),
        ("one", "call", "rename", "new", "f"),
        ("two", "read", 3, 0),
        ("two", "close"),
        ("two", "hashed", "f"),
    ],
    "cut by the other": [
        ("one", "put", "f", 50_000, 1),
        ("two", "open", "f"),
        ("two", "size"),
        ("one", "call", "truncate", "f", 7),
        ("two", "close"),
        ("two", "hashed", "f"),
    ],
}


async def play(steps: list[Step], stages: dict[str, tuple[Guest, str]]) -> list[Any]:
    """The answers of the steps; ``stages`` are the guests of ``one`` and ``two`` with the folder of each."""
    for who, (guest, root) in stages.items():
        await guest(f"from tests.datapath.clients.operations import actors; actors.start({who!r}, {root!r})")
    try:
        return [await _step(stages, *step) for step in steps]
    finally:
        for who, (guest, _) in stages.items():
            await guest(f"actors.end({who!r})")


async def _step(stages: dict[str, tuple[Guest, str]], who: str, action: str, *arguments: Any) -> Any:
    if who != "both":
        return await stages[who][0].expression(f"actors.act({who!r}, {action!r}, *{list(arguments)!r})", 120)
    # ``many`` needs to know whose lines they are
    extra = {name: [name[0]] if action == "many" else [] for name in stages}
    calls = [
        guest.expression(f"actors.act({name!r}, {action!r}, *{[*arguments[:1], *extra[name], *arguments[1:]]!r})", 180)
        for name, (guest, _) in stages.items()
    ]
    # who is first is chance
    return sorted(await asyncio.gather(*calls), key=str)
