"""Debian packages of another release than the machine's: apt with folders of its own, so the machine is not touched.

apt checks the signatures of the package lists with Debian's archive keys, and each package against its list. Proxies
and the like are taken from the machine's own configuration.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import urllib.parse
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

KEYRING: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SETTINGS: Final = """\
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "{folder}";
Dir::State::lists "{folder}/lists";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Acquire::Retries "3";
APT::Update::Error-Mode "any";
"""
_LISTED: Final = re.compile(r"'[^']+' (?P<name>[^_]+)_(?P<version>[^_]+)_\w+\.deb ")
"""A line of ``apt-get --print-uris``."""
Hear = Callable[[str], object]
"""Gets each line that a program prints, at once."""


class AptFailed(Exception):
    """apt could not do what was asked; the text says why."""


class Suites:
    """Some suites of a Debian archive, in a temporary ``folder`` that others may read.

    Args:
        mirror: URL of the archive.
        security: (URL, suite) of the archive of security updates, if there is one.
    """

    def __init__(
        self, folder: Path, mirror: str, suites: Sequence[str], security: tuple[str, str] | None = None
    ) -> None:
        if not KEYRING.exists():
            raise AptFailed(f"{KEYRING} is missing; install debian-archive-keyring")
        self._folder = folder
        for name in ("lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        pairs = [(mirror, suite) for suite in suites] + ([security] if security else [])
        lines = [f"deb [signed-by={KEYRING}] {url} {suite} main\n" for url, suite in pairs]
        (folder / "sources.list").write_text("".join(lines))
        settings = _SETTINGS.format(folder=folder)
        if not all(place.stat().st_mode & 1 for place in (folder, *folder.parents)):
            # apt's own user, which it becomes for transport, could not come here
            settings += 'APT::Sandbox::User "root";\n'
        (folder / "apt.conf").write_text(settings)

    def _run(self, program: str, *words: str, cwd: Path | None = None, hear: Hear | None = None) -> str:
        return run(program, "-c", str(self._folder / "apt.conf"), *words, cwd=cwd, hear=hear)

    def update(self) -> None:
        """Fetch the lists of packages. Raises AptFailed."""
        self._run("apt-get", "-q", "update")

    def versions(self, packages: Iterable[str]) -> dict[str, list[str]]:
        """The versions that there are of each package, the newest first. Raises AptFailed."""
        found: dict[str, list[str]] = {package: [] for package in packages}
        for line in self._run("apt-cache", "madison", *found).splitlines():
            package, version, _ = (word.strip() for word in line.split("|"))
            if package in found:
                found[package].append(version)
        return found

    def depends(self, package: str, version: str) -> list[str]:
        """Names of the packages that a version needs, versions and alternatives left out. Raises AptFailed."""
        lines = self._run("apt-cache", "show", f"{package}={version}").splitlines()
        needed = next((line for line in lines if line.startswith("Depends:")), "Depends:")
        return [word.split()[0] for word in needed.partition(":")[2].split(",") if word.strip()]

    def resolve(self, words: Sequence[str], *, closure: bool = False) -> dict[str, str]:
        """Package -> version that apt takes for ``words`` as it knows them: ``name``, ``name=version``, ``name/suite``.

        Args:
            closure: with all that they depend on (not: recommend).

        Raises:
            AptFailed: there is no such package.
        """
        verb = ("install", "--yes", "--no-install-recommends") if closure else ("download",)
        return parsed(self._run("apt-get", "-q", "--print-uris", *verb, *words))

    def download(self, wanted: Mapping[str, str], into: Path, hear: Hear | None = None) -> list[Path]:
        """Fetch packages; their files in a new folder.

        Args:
            hear: gets apt's lines, among them those of ``APT::Status-Fd`` that tell how far it is.

        Raises:
            AptFailed: one can't be had, or apt has not brought it.
        """
        into.mkdir(parents=True)
        words = [f"{package}={version}" for package, version in wanted.items()]
        # apt's own user could not write into a folder of ours
        settings = ("-o", "APT::Sandbox::User=root", "-o", "APT::Status-Fd=1")
        self._run("apt-get", "-q", *settings, "download", *words, cwd=into, hear=hear)
        files = sorted(file for file in into.glob("*.deb") if file.stat().st_size)
        if lacking := sorted(wanted.keys() - {file.name.split("_")[0] for file in files}):
            raise AptFailed(f"apt-get fetched no package {', '.join(lacking)}, although it did not fail")
        return files


def parsed(listed: str) -> dict[str, str]:
    """Package -> version of what ``apt-get --print-uris`` lists, in the order of names."""
    found = [_LISTED.match(line) for line in listed.splitlines()]
    return dict(sorted((one["name"], urllib.parse.unquote(one["version"])) for one in found if one))


def run(*command: str, cwd: Path | None = None, hear: Hear | None = None) -> str:
    """Run a program; its output. Raises AptFailed: it is missing or failed."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    said = []
    with tempfile.TemporaryFile("w+") as errors:
        try:
            child = subprocess.Popen(
                command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        except FileNotFoundError as error:
            raise AptFailed(f"there is no {command[0]} on this machine") from error
        with child:
            for line in child.stdout or ():
                said.append(line)
                if hear is not None:
                    hear(line)
        errors.seek(0)
        wrong = errors.read().splitlines()
    if child.returncode:
        lines = [line for line in wrong if line.startswith(("E:", "dpkg-deb: error", "W: Failed"))]
        raise AptFailed("; ".join(lines or wrong[-3:]) or f"{command[0]} failed")
    return "".join(said)


def _configured() -> list[tuple[str, str]]:
    """URL and suite of each source of packages that the machine's apt is configured with."""
    form = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
    words = ("--no-release-info", "--format", form, "Created-By: Packages")
    found = [line.split("|") for line in run("apt-get", "indextargets", *words).splitlines()]
    return list(dict.fromkeys((url, suite) for url, suite, component in found if component == "main"))


def mirrors() -> list[str]:
    """URLs that may be a mirror of Debian, those of this machine's own release first.

    Raises:
        AptFailed: apt is missing, or has no such source.
    """
    lines = Path("/etc/os-release").read_text().splitlines()
    own = [line.partition("=")[2].strip('"') for line in lines if line.startswith("VERSION_CODENAME=")]
    names = [*own, "stable", "oldstable", "testing", "unstable", "sid"]
    configured = _configured()
    found = [url for name in names for url, suite in configured if suite == name and "://" in url]
    if not found:
        raise AptFailed("none of the sources that this machine's apt has is a Debian archive; name a mirror")
    return list(dict.fromkeys(found))


def security_mirror() -> str | None:
    """URL of the archive of security updates that this machine's apt uses."""
    return next((url for url, suite in _configured() if suite.endswith("-security")), None)
