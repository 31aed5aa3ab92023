"""Container images without a registry: one layer, wrapped as the archive that containerd imports."""

from __future__ import annotations

import hashlib
import io
import json
import pathlib
import tarfile
from collections.abc import Sequence

PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"


def archive(
    out: pathlib.Path, name: str, layer: pathlib.Path, entrypoint: Sequence[str], env: Sequence[str] = ()
) -> None:
    """Write an image archive.

    Args:
        name: of the image, with its tag.
        layer: its root file system, an uncompressed tar.
    """
    with layer.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": list(entrypoint), "Env": [PATH, *env]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "history": [{"created_by": "openkeel-manila"}],
    }
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    with tarfile.open(out, "w") as tar:
        for member, content in (("config.json", config), ("manifest.json", manifest)):
            data = json.dumps(content).encode()
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
        tar.add(layer, "layer.tar")


def layer_of(out: pathlib.Path, program: pathlib.Path, name: str) -> None:
    """A root file system of a single program."""
    with tarfile.open(out, "w") as tar:
        tar.add(program, name)
