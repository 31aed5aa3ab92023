"""Where built things stay, and running the programs that build them."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import subprocess
from collections.abc import Iterable, Iterator, Sequence

from deploy.bootstrap import cache
from deploy.images.recipes import EPOCH

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
"""The checkout."""
HERE = pathlib.Path(__file__).resolve().parent


def epoch() -> int:
    """Time of files and images, seconds since 1970."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or EPOCH)


def digest(*parts: str | bytes) -> str:
    """Name of what is made of ``parts``: 16 hexadecimal digits."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:16]


def digest_of(files: Iterable[pathlib.Path]) -> str:
    """Name of what is made of files of the checkout: their paths and contents count."""
    return digest(*(part for file in files for part in (str(file.relative_to(ROOT)), file.read_bytes())))


@contextlib.contextmanager
def alone() -> Iterator[pathlib.Path]:
    """The folder of images in the cache, in one process at a time."""
    folder = cache() / "images"
    folder.mkdir(parents=True, exist_ok=True)
    with (cache() / "images.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield folder


def run(words: Sequence[str | pathlib.Path], **env: str) -> str:
    """Run a program; its output.

    Raises:
        SystemExit: it failed; what it said is in the text.
    """
    done = subprocess.run(
        [str(word) for word in words], env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{words[0]} failed ({done.returncode}):\n{done.stderr[-3000:]}")
    return done.stdout
