"""Build the lab's programs once, into a cache folder that is named by what they are made of.

    python -m tests.lab.build [api]

``api`` builds the API server and etcd only, which serve the tests of API behaviour without root.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

from deploy.bootstrap import cache

MODULE = pathlib.Path(__file__).resolve().parent / "go"
OWN = ("./cmd/kubelab", "./cmd/pause", "./cmd/lab-csi", "./cmd/lab-cni")
LINKS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl")
"""Names under which the one binary ``kubelab`` plays each part; they make the folder a KUBEBUILDER_ASSETS folder."""
VERSION = "k8s.io/component-base/version"
SNAPSHOTTER = "github.com/kubernetes-csi/external-snapshotter/client/v8"


def digest() -> str:
    """What the programs are made of, as 16 hexadecimal digits."""
    whole = hashlib.sha256()
    for file in sorted([MODULE / "go.mod", MODULE / "go.sum", *(MODULE / "cmd").rglob("*.go")]):
        whole.update(f"{file.relative_to(MODULE)}\0".encode() + file.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


def folder() -> pathlib.Path:
    """The folder of the binaries, whether they are built or not."""
    return cache() / f"lab-{digest()}"


def built(*, api: bool = False) -> pathlib.Path | None:
    """The folder of the binaries if they are there."""
    place = folder()
    marks = (".whole", ".api") if api else (".whole",)
    return place if any((place / mark).exists() for mark in marks) else None


def build(*, api: bool = False) -> pathlib.Path:
    """Build what is missing; the folder of the binaries.

    About ten minutes of two idle cores from nothing, with 2 GiB of modules and 5 GiB of build cache; seconds later on.

    Raises:
        SystemExit: Go is missing, or a program does not build.
    """
    if there := built(api=api):
        return there
    place = folder()
    if shutil.which("go") is None:
        raise SystemExit("the lab is built from Go modules: install Go 1.26 or newer and put `go` on the PATH")
    with _alone():
        if built(api=api):
            return place
        (place / "crds").mkdir(parents=True, exist_ok=True)
        flags = _flags()
        if api:
            _go("build", "-trimpath", "-ldflags", flags, "-o", f"{place}/", "./cmd/apiserver")
        else:
            _go("build", "-trimpath", "-ldflags", flags, "-o", f"{place}/", *OWN)
            _go("build", "-trimpath", "-ldflags", "-s -w", "-o", f"{place}/", "tool")
            for name in LINKS:
                (place / name).unlink(missing_ok=True)
                (place / name).symlink_to("kubelab")
        _definitions(place / "crds")
        (place / (".api" if api else ".whole")).touch()
    return place


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
        raise SystemExit(f"go {words[0]} failed")
    return done.stdout.strip()


def _flags() -> str:
    """Linker flags: without a version every part reports v0.0.0-master."""
    version = _go("list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
    minor = version.split(".")[1]
    known = {"gitVersion": version, "gitMajor": "1", "gitMinor": minor, "gitTreeState": "clean"}
    return "-s -w " + " ".join(f"-X {VERSION}.{name}={value}" for name, value in known.items())


def _definitions(place: pathlib.Path) -> None:
    """The snapshot resources, which the module of their client carries."""
    source = pathlib.Path(_go("list", "-m", "-f", "{{.Dir}}", SNAPSHOTTER)) / "config" / "crd"
    for file in source.glob("snapshot.*.yaml"):
        (place / file.name).write_bytes(file.read_bytes())


def main() -> None:
    begin = time.monotonic()
    place = build(api=sys.argv[1:] == ["api"])
    sizes = {one.name: one.stat().st_size for one in sorted(place.iterdir()) if one.is_file() and not one.is_symlink()}
    print(place)
    print(", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in sizes.items() if size))
    print(f"{sum(sizes.values()) / 1e6:.0f} MB, after {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
