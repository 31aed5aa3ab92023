"""Root file systems of Debian packages, and what one has more than another.

mmdebstrap makes them, so the same package versions give the same bytes. Which versions Debian has today is no part of
their name in the cache: ``refresh`` makes them anew.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import tarfile
from collections.abc import Sequence

from deploy import made
from deploy.images import bill, place, recipes

OPTIONS = (
    "--quiet",
    "--format=tar",
    "--variant=essential",
    "--mode=root",
    "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
    '--aptopt=APT::Install-Recommends "false"',
    "--dpkgopt=path-exclude=/usr/share/doc/*",
    "--dpkgopt=path-include=/usr/share/doc/*/copyright",
    "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*",
    "--dpkgopt=path-exclude=/usr/share/info/*",
)
HOOKS = (
    f'echo "manila:x:{recipes.USER}:{recipes.USER}:manila:/nonexistent:/usr/sbin/nologin" >> "$1/etc/passwd"',
    f'echo "manila:x:{recipes.USER}:" >> "$1/etc/group"',
    'find "$1/usr/lib/python3.11" "$1/usr/lib/python3" -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true',
    # Debian's compiled files carry times, which images do not keep; these are good whatever the time
    'PYTHONHASHSEED=0 chroot "$1" python3.11 -m compileall -q --invalidation-mode unchecked-hash /usr/lib/python3.11',
    'rm -rf "$1/etc/hostname" "$1/etc/resolv.conf" "$1/etc/machine-id" "$1/var/lib/dbus/machine-id"',
    'rm -rf "$1"/var/log/* "$1"/var/cache/* "$1"/var/lib/apt/* "$1"/run/* "$1"/tmp/* "$1"/var/lib/dpkg/*-old',
    'rm -f "$1"/etc/ssl/private/* "$1"/etc/ssl/certs/ssl-cert-snakeoil.pem "$1"/etc/shadow- "$1"/etc/passwd-',
    'rm -f "$1"/etc/group- "$1"/etc/gshadow- "$1"/etc/subuid- "$1"/etc/subgid-',
)
"""What ends the making of a root file system: the user, compiled Python, and nothing of this machine or this day."""


def make(
    folder: pathlib.Path, packages: Sequence[str], hooks: Sequence[str] = (), *, refresh: bool = False
) -> pathlib.Path:
    """The tar of a root file system with the essential packages, ``BASE`` and ``packages``.

    Raises:
        SystemExit: mmdebstrap failed, or has not installed everything.
    """
    words = ["mmdebstrap", *OPTIONS, f"--include={','.join([*recipes.BASE, *packages])}"]
    words += [f"--customize-hook={hook}" for hook in (*hooks, *HOOKS)]
    words += [recipes.SUITE]
    out = folder / f"root-{place.digest(*words, str(place.epoch()))}.tar"
    if refresh or made.lacking(folder, (out.name,)):
        part = out.with_suffix(f".{os.getpid()}.part.tar")
        place.run([*words, part], SOURCE_DATE_EPOCH=str(place.epoch()))
        if missing := lacking(part, (*recipes.BASE, *packages)):
            raise SystemExit(made.sentence(f"the root file system {part}", missing, "look at mmdebstrap's options"))
        part.replace(out)
    return out


def lacking(root: pathlib.Path, packages: Sequence[str]) -> list[str]:
    """Those of ``packages`` that the tar of a root file system lacks.

    Args:
        packages: ``NAME``, ``NAME=VERSION`` or ``NAME/SUITE``.
    """
    there = {one["name"] for one in bill.debian(text(root, "var/lib/dpkg/status"))}
    return [one for one in packages if re.split("[=/]", one)[0] not in there]


def _looks(tar: tarfile.TarFile) -> dict[str, tuple[object, ...]]:
    """Path -> all that matters of a member; times don't."""
    found: dict[str, tuple[object, ...]] = {}
    for one in tar:
        content = b""
        if one.isfile():
            data = tar.extractfile(one)
            content = hashlib.sha256(data.read() if data else b"").digest()
        found[one.name] = (one.type, one.mode, one.uid, one.gid, one.linkname, content)
    return found


def difference(base: pathlib.Path, whole: pathlib.Path, out: pathlib.Path) -> int:
    """Write the members of ``whole`` that ``base`` lacks or has otherwise; how many they are.

    Raises:
        ValueError: ``base`` has something that ``whole`` lacks, so a layer over it could not make the one of the other.
    """
    with tarfile.open(base) as one:
        before = _looks(one)
    with tarfile.open(whole) as two:
        after = _looks(two)
    if gone := sorted(before.keys() - after.keys()):
        raise ValueError(f"{whole.name} lacks {', '.join(gone[:5])} of {base.name}")
    changed = {name for name, look in after.items() if before.get(name) != look}
    written = 0
    with tarfile.open(whole) as source, tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as target:
        for member in source:
            if member.name in changed:
                target.addfile(member, source.extractfile(member) if member.isreg() else None)
                written += 1
    return written


def text(root: pathlib.Path, name: str) -> str:
    """A file of a root file system."""
    with tarfile.open(root) as tar:
        data = tar.extractfile(f"./{name}")
        return data.read().decode() if data else ""
