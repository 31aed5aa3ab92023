"""The Ganesha of Debian 12, 4.3, in the cache: what gateways of older releases run, and what is refused now."""

from __future__ import annotations

import fcntl
import json
import pathlib
import shutil

from deploy import bootstrap, debs, made
from drivers.ganesha.program import fetch, found

PACKAGES = (
    "nfs-ganesha", "nfs-ganesha-vfs", "libacl1", "libblkid1", "libbsd0", "libc6", "libcap2", "libcom-err2",
    "libdbus-1-3", "libgcc-s1", "libgcrypt20", "libgpg-error0", "libgssapi-krb5-2", "libk5crypto3", "libkeyutils1",
    "libkrb5-3", "libkrb5support0", "liblz4-1", "liblzma5", "libmd0", "libnfsidmap1", "libntirpc4.3", "libsystemd0",
    "liburcu8", "libuuid1", "libwbclient0", "libzstd1",
)  # fmt: skip


def folder() -> pathlib.Path:
    """Its folder, made as ``drivers.ganesha.program.fetch`` makes those of newer ones.

    Raises:
        Unavailable: of ``deploy.debs``: the packages can't be had.
        RuntimeError: they hold something else than they did.
    """
    fetched = debs.fetch(debs.Wanted(("bookworm",), PACKAGES))
    root = bootstrap.cache() / f"ganesha-old-{fetched.digest}"
    with root.with_suffix(".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not fetch.whole(root):
            shutil.rmtree(root, ignore_errors=True)
            fetched.unpack(root)
            (library,) = {file.parent for file in root.glob("lib/*-linux-gnu*/libc.so.6")}
            for file in library.iterdir():  # Debian 12's packages are not all below usr
                target = root / "usr" / file.relative_to(root)
                if not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    file.replace(target)
            (loader,) = root.glob("usr/lib/*-linux-gnu*/ld-linux*.so.*")
            (root / "bin").mkdir(exist_ok=True)
            (root / found.LOADER).symlink_to(loader)
            if missing := made.lacking(root, (), (f"usr/bin/{found.NAME}", found.LOADER)):
                raise RuntimeError(made.sentence(f"the Ganesha in {root}", missing, "look at the packages"))
            listed = {"packages": fetched.versions, "files": found.hashes(root)}
            (root / found.LIST).write_text(json.dumps(listed, indent=1))
    return root
