"""Carries modules of the project into a guest, with what they need of the standard library that is not there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.datapath.kernel import image
from tests.datapath.kernel.guest import Guest

REPOSITORY = Path(__file__).parents[3]
STANDARD = "/usr/lib/python3.11/"
THERE = "/product"
BATCH = 200_000
"""Characters sent at once."""
_LIST = """
import importlib, sys
sys.path.append({path!r})
for name in {names!r}: importlib.import_module(name)
for module in list(sys.modules.values()): print(getattr(module, '__file__', None) or '')
"""
_PUT = """
for place, text in json.loads({batch!r}).items():
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, 'w', encoding='utf-8') as file: file.write(text)
"""


async def carry(guest: Guest, *names: str) -> None:
    """Let a guest import modules of these names."""
    listing = _LIST.format(path=str(REPOSITORY), names=list(names))
    command = [image.PYTHON, "-S", "-E", "-s", "-B", "-c", listing]
    loaded = subprocess.run(command, check=True, text=True, capture_output=True).stdout.split()
    files = {place: Path(file).read_text() for file in loaded if (place := _place(file))}
    there = await guest("import json, sys\nr = [os.path.exists(place) for place in %r]" % list(files))  # noqa: UP031
    batch: dict[str, str] = {}
    for (place, text), known in zip(files.items(), there, strict=True):
        if not known:
            batch[place] = text
        if sum(map(len, batch.values())) > BATCH:
            await guest(_PUT.format(batch=json.dumps(batch)))
            batch = {}
    await guest(_PUT.format(batch=json.dumps(batch)))
    await guest(f"sys.path.append({THERE!r})")


def _place(file: str) -> str | None:
    """Where a module's file goes; what is no Python text must be there or not be needed."""
    if not file.endswith(".py"):
        return None
    if file.startswith(STANDARD):
        return "/lib/py/" + file.removeprefix(STANDARD)
    if file.startswith(f"{REPOSITORY}/"):
        return f"{THERE}/{Path(file).relative_to(REPOSITORY)}"
    return None
