"""Network namespaces of a lab, by name."""

from __future__ import annotations

import subprocess

from tests.lab.processes import sh


class Spaces:
    """``prefix`` begins every name, so that labs may stand beside each other."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._made: list[str] = []

    def add(self, name: str) -> str:
        """Make a namespace, with its loopback up; the file that stands for it."""
        full = f"{self._prefix}{name}"
        sh("ip", "netns", "add", full)
        self._made.append(full)
        sh("ip", "-n", full, "link", "set", "lo", "up")
        return f"/run/netns/{full}"

    def path(self, name: str) -> str:
        """The file of a namespace."""
        return f"/run/netns/{self._prefix}{name}"

    def remove(self, name: str) -> None:
        """Remove one; its devices go with it."""
        full = f"{self._prefix}{name}"
        subprocess.run(["ip", "netns", "del", full], capture_output=True, check=False)
        self._made.remove(full)

    def clear(self) -> None:
        """Remove all."""
        for full in reversed(self._made):
            subprocess.run(["ip", "netns", "del", full], capture_output=True, check=False)
        self._made.clear()


def within(space: str, *words: str) -> tuple[str, ...]:
    """A command, run in the namespace that a file stands for."""
    return ("nsenter", f"--net={space}", *words)


def batch(space: str, *commands: str) -> None:
    """Commands of ``ip`` in a namespace, by one process."""
    sh(*within(space, "ip", "-batch", "-"), stdin="".join(f"{one}\n" for one in commands))
