"""Build the lab's programs once, into a cache folder that is named by what they are made of.

    python -m tests.lab.build [api|definitions|pause|fresh]

``api`` builds the API server and etcd only, which serve the tests of API behaviour without root; ``definitions``
fetches the snapshot resources only, ``pause`` compiles the smallest program only; ``fresh`` builds everything with
empty caches, which are removed afterwards.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from deploy import made
from deploy.bootstrap import cache

MODULE = pathlib.Path(__file__).resolve().parent / "go"
PAUSE = "./cmd/pause"
OWN = ("./cmd/kubelab", PAUSE, "./cmd/lab-csi", "./cmd/lab-cni")
LINKS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl")
"""Names under which the one binary ``kubelab`` plays each part; they make the folder a KUBEBUILDER_ASSETS folder."""
VERSION = "k8s.io/component-base/version"
SNAPSHOTTER = "github.com/kubernetes-csi/external-snapshotter/client/v8"
KINDS = ("volumesnapshotclasses", "volumesnapshotcontents", "volumesnapshots")
DEFINITIONS = tuple(f"crds/snapshot.storage.k8s.io_{kind}.yaml" for kind in KINDS)
"""Files with the snapshot resources."""


def digest() -> str:
    """What the programs are made of, as 16 hexadecimal digits."""
    whole = hashlib.sha256()
    for file in sorted([MODULE / "go.mod", MODULE / "go.sum", *(MODULE / "cmd").rglob("*.go")]):
        whole.update(f"{file.relative_to(MODULE)}\0".encode() + file.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


def folder() -> pathlib.Path:
    """The folder of the binaries, whether they are built or not."""
    return cache() / f"lab-{digest()}"


def tools() -> tuple[str, ...]:
    """Names of the programs of other projects: the last part of each line of the block ``tool`` of ``go.mod``."""
    block = (MODULE / "go.mod").read_text().partition("\ntool (\n")[2].partition("\n)")[0]
    return tuple(line.strip().rpartition("/")[2] for line in block.splitlines())


def programs(*, api: bool = False) -> tuple[str, ...]:
    """Names of what ``go build`` makes for a whole lab, or for its API server only."""
    return ("apiserver",) if api else (*(one.rpartition("/")[2] for one in OWN), *tools())


def lacking(*, api: bool = False) -> list[str]:
    """Names of what the folder of the binaries should hold and does not."""
    links = () if api else LINKS
    return made.lacking(folder(), DEFINITIONS, (*programs(api=api), *links))


def _finished(*, api: bool) -> bool:
    """Whether a build of the programs went to its end; what is lacking nevertheless is built again."""
    return (folder() / (".api" if api else ".whole")).exists()


def built(*, api: bool = False) -> pathlib.Path | None:
    """The folder of the binaries if everything is in it: a mark of an earlier run is not enough."""
    kinds = (True, False) if api else (False,)
    return folder() if any(_finished(api=one) and not lacking(api=one) for one in kinds) else None


def build(*, api: bool = False) -> pathlib.Path:
    """Make what is missing; the folder of the binaries.

    About ten minutes of two idle cores from nothing, with 2 GiB of modules and 5 GiB of build cache; seconds later on.

    Raises:
        SystemExit: Go is missing, a program does not build, or a command made less than it should have made.
    """
    if there := built(api=api):
        return there
    if shutil.which("go") is None:
        raise SystemExit("the lab is built from Go modules: install Go 1.26 or newer and put `go` on the PATH")
    with _alone():
        if built(api=api):
            return folder()
        missing = lacking(api=api)
        if set(missing) & set(DEFINITIONS):  # first: it takes seconds, and may fail for the same reasons
            definitions(folder())
        if set(missing) - set(DEFINITIONS) or not _finished(api=api):
            _programs(folder(), api=api)
            (folder() / (".api" if api else ".whole")).touch()
        if missing := lacking(api=api):
            advice = "remove that folder, and look for Go's messages above"
            raise SystemExit(made.sentence(f"the lab's parts in {folder()}", missing, advice))
    return folder()


def _programs(place: pathlib.Path, *, api: bool) -> None:
    """Compile, and put each program in its place whole: one that was half copied would look like a finished one."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="new-", dir=place) as part:
        if api:
            compiled(pathlib.Path(part), "./cmd/apiserver")
        else:
            compiled(pathlib.Path(part), *OWN)
            _go("build", "-trimpath", "-ldflags", "-s -w", "-o", f"{part}/", "tool")
            for name in LINKS:
                (pathlib.Path(part) / name).symlink_to("kubelab")
        for program in pathlib.Path(part).iterdir():
            program.replace(place / program.name)


def compiled(place: pathlib.Path, *packages: str) -> None:
    """Compile commands of the lab's own module into a folder. Raises SystemExit."""
    place.mkdir(parents=True, exist_ok=True)
    _go("build", "-trimpath", "-ldflags", _flags(), "-o", f"{place}/", *packages)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / "lab.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _go(*words: str) -> str:
    env = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=readonly"}
    done = subprocess.run(["go", *words], cwd=MODULE, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        command = " ".join([words[0], *(word for word in words[1:2] if not word.startswith("-"))])
        said = done.stdout.strip()[-500:]  # with -json the reason stands there, otherwise on standard error
        raise SystemExit(f"go {command} failed" + (f": {said}" if said else "; its message is above"))
    return done.stdout.strip()


def _flags() -> str:
    """Linker flags: without a version every part reports v0.0.0-master. Raises SystemExit."""
    version = _go("list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
    if not version.startswith("v1."):
        raise SystemExit(f"go list names no version of k8s.io/kubernetes: {version!r}")
    minor = version.split(".")[1]
    known = {"gitVersion": version, "gitMajor": "1", "gitMinor": minor, "gitTreeState": "clean"}
    return "-s -w " + " ".join(f"-X {VERSION}.{name}={value}" for name, value in known.items())


def definitions(place: pathlib.Path) -> None:
    """Copy the snapshot resources, which the module of their client carries, below the folder ``place``.

    Raises:
        SystemExit: the module can't be had, or has no such files.
    """
    # `go list -m` names no folder, and does not fail, until the module is in the cache
    module = pathlib.Path(json.loads(_go("mod", "download", "-json", SNAPSHOTTER))["Dir"]) / "config"
    sources = {name: module / name.replace("crds/", "crd/") for name in DEFINITIONS}
    if missing := made.lacking(module.parent, [str(one.relative_to(module.parent)) for one in sources.values()]):
        raise SystemExit(made.sentence(f"module {SNAPSHOTTER} in {module.parent}", missing, "it may have moved them"))
    for name, source in sources.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        part = place / f"{name}.part"
        part.write_bytes(source.read_bytes())
        part.replace(place / name)


def fresh() -> int:
    """Build all that tests run and Go compiles, as a machine does that has fetched nothing yet; an exit status."""
    if shutil.which("go") is None:
        print("LEFT OUT: there is no Go to build with")
        return 0
    with tempfile.TemporaryDirectory(prefix="ok-fresh-") as folder:
        places = {name: f"{folder}/{name}" for name in ("GOMODCACHE", "GOCACHE", "XDG_CACHE_HOME")}
        env = {**os.environ, **places, "OPENKEEL_LAB_MINUTES": "1000"}
        words = [[sys.executable, "-m", "tests.lab.build", "api"], [sys.executable, "-m", "tests.lab.programs"]]
        codes = [subprocess.run(one, env=env, check=False).returncode for one in words]
        subprocess.run(["go", "clean", "-modcache"], env=env, check=False)
    return max(codes)


def main() -> None:
    begin = time.monotonic()
    if sys.argv[1:] == ["fresh"]:
        sys.exit(fresh())
    if sys.argv[1:] == ["definitions"]:
        definitions(folder())
        print(*(folder() / name for name in DEFINITIONS), sep="\n")
        return
    if sys.argv[1:] == ["pause"]:
        compiled(folder(), PAUSE)
        print(folder() / PAUSE.rpartition("/")[2])
        return
    place = build(api=sys.argv[1:] == ["api"])
    sizes = {one.name: one.stat().st_size for one in sorted(place.iterdir()) if one.is_file() and not one.is_symlink()}
    print(place)
    print(", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in sizes.items() if size))
    print(f"{sum(sizes.values()) / 1e6:.0f} MB, after {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
