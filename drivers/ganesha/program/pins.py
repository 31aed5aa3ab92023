"""Which Debian packages are fetched, and which Ganesha is new enough. Data only."""

from __future__ import annotations

from typing import Final

OLDEST: Final = (9, 11)
"""Older releases lose data of Linux clients from 6.6 on (READ_PLUS answered wrongly), fail at listing folders with
Linux from 6.19 on (GET_DIR_DELEGATION answered as illegal) and crash when many processes lock one file."""

SUITES: Final = ("trixie", "trixie-backports")
"""Suites of Debian that have the packages."""
SECURITY: Final = "trixie-security"

PACKAGES: Final = {
    "nfs-ganesha": "9.14-1~bpo13+1",
    "nfs-ganesha-vfs": "9.14-1~bpo13+1",
    "libntirpc7.2": "7.2-2~bpo13+1",
    "libacl1": "2.3.2-2+b1",
    "libblkid1": "2.41.5-0+deb13u1",
    "libbsd0": "0.12.2-2",
    "libc6": "2.41-12+deb13u5",
    "libcap2": "1:2.75-10+deb13u1+b3",
    "libcom-err2": "1.47.2-3+b12",
    "libdbus-1-3": "1.16.2-2",
    "libgcc-s1": "14.2.0-19",
    "libgssapi-krb5-2": "1.21.3-5+deb13u1",
    "libk5crypto3": "1.21.3-5+deb13u1",
    "libkeyutils1": "1.6.3-6",
    "libkrb5-3": "1.21.3-5+deb13u1",
    "libkrb5support0": "1.21.3-5+deb13u1",
    "libmd0": "1.1.0-2+b1",
    "libnfsidmap1": "1:2.8.3-1",
    "libstdc++6": "14.2.0-19",
    "libsystemd0": "257.13-1~deb13u1",
    "liburcu8t64": "0.15.2-2",
    "libuuid1": "2.41.5-0+deb13u1",
    "libwbclient0": "2:4.22.11+dfsg-0+deb13u1",
}
"""Package -> version, as tested on amd64: Ganesha with the file system module VFS, and every library that it loads."""

LEFT_OUT: Final = ("etc", "var", "usr/share/gcc", "usr/share/gdb", "usr/share/lintian", "usr/share/man")
"""Folders that are not kept: nothing reads them."""
