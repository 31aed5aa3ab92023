"""The Linux kernels that tests boot as NFS clients: those of Debian's releases, from its archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deploy.debs import Fetched, Wanted, fetch


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel for virtual machines.

    Attributes:
        name: the series, such as ``6.1``; of backports, which move on, its first number.
        suites: Debian's suites that it comes from; the last may hold a newer one than the others.
        backports: taken from the last suite, whatever the others have.
    """

    name: str
    suites: tuple[str, ...]
    backports: bool = False

    def __str__(self) -> str:
        return self.name

    def packages(self, *, refresh: bool = False) -> Fetched:
        """The kernel with its modules.

        Raises:
            deploy.debs.Unavailable: they are not in the cache and can't be fetched.
        """
        word = "linux-image-cloud-amd64" + (f"/{self.suites[-1]}" if self.backports else "")
        # of what a kernel depends on, only its own parts: none of the programs that install it
        without = ("(?!linux-).*", "linux-base", r"linux-[a-z-]+(-amd64)?")
        return fetch(Wanted(self.suites, (word,), closure=True, without=without), refresh=refresh)


BULLSEYE: Final = Kernel("5.10", ("bullseye", "bullseye-security"))
BOOKWORM: Final = Kernel("6.1", ("bookworm", "bookworm-security"))
TRIXIE: Final = Kernel("6.12", ("trixie", "trixie-security"))
BACKPORTS: Final = Kernel("7", ("trixie", "trixie-security", "trixie-backports"), backports=True)
KERNELS: Final = (BULLSEYE, BOOKWORM, TRIXIE, BACKPORTS)
"""The oldest first."""
BUSYBOX: Final = Wanted(TRIXIE.suites, ("busybox-static",))
"""The programs of every guest: the mount of older ones knows NFS without mount.nfs, and badly."""
NAMED: Final = {kernel.name: kernel for kernel in KERNELS}
