"""Build the images: ``python -m deploy.images.build [--refresh] [NAME...]``.

buildah stacks the layers, from nothing, with its own storage in the cache folder: base, locked packages, program, and
what an image has of its own. The archives are what ``ctr images import``, ``podman load`` and ``docker load`` take.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import pathlib
import time
from collections.abc import Sequence

from deploy import bootstrap, made
from deploy.images import bill, place, product, recipes, roots
from deploy.images.recipes import Recipe
from drivers.ganesha.program import fetch, found

WEEK = 7 * 86400
RECIPES = {one.name: one for one in recipes.RECIPES}


def _content(tar: pathlib.Path) -> str:
    """What a layer is made of and when: a refreshed root file system has the name of the one before."""
    return f"{tar.name} {tar.stat().st_mtime_ns}"


def tagged(archive: pathlib.Path) -> str:
    """The name that an archive's image has in the store."""
    name, _, digest = archive.stem.rpartition("-")
    return f"{recipes.PREFIX}/{name}:{digest}"


def store_words(folder: pathlib.Path) -> list[str]:
    """Options with which buildah and podman find the images."""
    return [
        "--root",
        str(folder / driver()),
        "--runroot",
        str(folder / f"{driver()}.run"),
        "--storage-driver",
        driver(),
    ]


def _files(recipe: Recipe) -> list[pathlib.Path]:
    """Programs of this folder that an image has."""
    return sorted((place.HERE / "files").glob(f"{recipe.name}/*"))


def driver() -> str:
    """How buildah keeps layers: ``overlay`` where this machine can, else ``vfs``, which copies them whole."""
    if chosen := os.environ.get("IMAGES_STORAGE"):
        return chosen
    return "overlay" if "overlay" in pathlib.Path("/proc/filesystems").read_text() else "vfs"


class Store:
    """buildah with a storage of its own.

    Args:
        folder: of the storage. Layers in it are named by their content, so that the next build finds them.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self._words = ["buildah", *store_words(folder)]

    def __call__(self, *words: str | pathlib.Path) -> str:
        return place.run([*self._words, *words], BUILDAH_ISOLATION="chroot").strip()

    def has(self, name: str) -> bool:
        """Whether an image is there."""
        return bool(self("images", "--quiet", "--filter", f"reference={name}"))

    def layer(self, below: str, tar: pathlib.Path, name: str, *, compile_: bool = False) -> str:
        """An image with one layer more; its name."""
        if not self.has(name):
            made = self("from", below)
            try:
                self("add", "--quiet", made, tar, "/")
                if compile_:
                    words = ["python3.11", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
                    self("run", "--env", "PYTHONHASHSEED=0", made, "--", *words, f"/{product.PACKAGES}")
                self("commit", "--quiet", "--timestamp", str(place.epoch()), made, name)
            finally:
                self("rm", made)
        return name

    def tidy(self, keep: set[str]) -> None:
        """Remove the images that a whole build did not use: those of other programs and other packages."""
        for one in json.loads(self("images", "--json") or "[]"):
            if not keep & set(one.get("names") or ()):
                self("rmi", "--force", one["id"])


def version() -> str:
    """The product's version."""
    return str(product.project()["version"])


def labels(recipe: Recipe) -> dict[str, str]:
    """The labels of an image. REVISION in the environment names the commit it is built of."""
    found = {
        "title": recipe.name,
        "description": recipe.title,
        "version": version(),
        "licenses": "Apache-2.0",
        "vendor": "openkeel-manila",
        "base.name": f"debian:{recipes.SUITE}",
    }
    if revision := os.environ.get("REVISION"):
        found["revision"] = revision
    return {f"org.opencontainers.image.{name}": value for name, value in found.items()}


def _settings(recipe: Recipe) -> list[str]:
    words = ["--entrypoint", "[]", "--cmd", json.dumps(list(recipe.command)), "--user", f"{recipe.user}:{recipe.user}"]
    words += ["--workingdir", "/", "--stop-signal", recipe.stop]
    environment = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", **recipe.environment}
    for name, value in environment.items():
        words += ["--env", f"{name}={value}"]
    for port in recipe.ports:
        words += ["--port", f"{port}/tcp"]
    for name, value in labels(recipe).items():
        words += ["--label", f"{name}={value}"]
    if recipe.health:
        words += ["--healthcheck", f"CMD {' '.join(recipe.health)}", "--healthcheck-interval", "30s"]
        words += ["--healthcheck-timeout", "5s", "--healthcheck-start-period", "20s"]
    return words


class Builder:
    """Makes archives in ``folder``; ``refresh``: with Debian's packages of today."""

    def __init__(self, folder: pathlib.Path, *, refresh: bool = False) -> None:
        self._folder, self._refresh = folder, refresh
        self._store = Store(folder)
        self._used: set[str] = set()

    def tidy(self) -> None:
        """Remove what a build of all images did not use, and files that nobody read for a week."""
        self._store.tidy(self._used)
        for file in self._folder.glob("*.tar"):
            if time.time() - file.stat().st_atime > WEEK:
                file.unlink()

    def archive(self, recipe: Recipe) -> pathlib.Path:
        """The archive of one image; the image itself is in the store too, under the name ``tagged`` gives."""
        root = roots.make(self._folder, (), refresh=self._refresh)
        own = self._own(recipe, root)
        layers = self._layers(recipe, root)
        parts = [*layers, _content(own) if own else "", repr(recipe), repr(labels(recipe))]
        parts += [file.read_text() for file in _files(recipe)]
        out = self._folder / f"{recipe.name}-{place.digest(*parts)}.tar"
        self._used |= {*layers, f"{recipes.PREFIX}/{recipe.name}:latest", tagged(out)}
        files = (out.name, f"{out.stem}.cdx.json")
        if made.lacking(self._folder, files) or not self._store.has(tagged(out)):
            self._write(recipe, layers, own, self._bill(recipe, root), out)
            if missing := made.lacking(self._folder, files):
                raise SystemExit(made.sentence(f"the image {recipe.name}", missing, "look at buildah's storage"))
        return out

    @functools.cache  # noqa: B019  (a builder lives as long as one build)
    def _product(self) -> tuple[pathlib.Path, pathlib.Path]:
        """Packages and program, looked at once: all images of a build have the same, whatever is edited meanwhile."""
        return product.wheels(self._folder), product.program(self._folder)

    def _layers(self, recipe: Recipe, root: pathlib.Path) -> dict[str, pathlib.Path]:
        """The layers that images share: name -> tar, the lowest first."""
        tars = [root]
        if recipe.product:
            tars += self._product()
        found: dict[str, pathlib.Path] = {}
        below = "scratch"
        for tar in tars:
            below = f"{recipes.PREFIX}/layer:{place.digest(below, _content(tar))}"
            found[below] = tar
        return found

    def _own(self, recipe: Recipe, root: pathlib.Path) -> pathlib.Path | None:
        """What the image has more than the base, as a layer."""
        if not recipe.packages:
            return None
        whole = roots.make(self._folder, recipe.packages, self._hooks(recipe), refresh=self._refresh)
        own = self._folder / f"own-{place.digest(_content(root), _content(whole))}.tar"
        if made.lacking(self._folder, (own.name,)):
            if not roots.difference(root, whole, own.with_suffix(".part")):
                raise SystemExit(
                    made.sentence(f"the layer of {recipe.name}", list(recipe.packages), f"look at {whole}")
                )
            own.with_suffix(".part").replace(own)
        return own

    def _hooks(self, recipe: Recipe) -> list[str]:
        """What ends the making of the image's root file system. Raises SystemExit: Ganesha can't be had."""
        if not recipe.ganesha:
            return list(recipe.hooks)
        try:
            folder = bootstrap.fetched_ganesha()
        except fetch.Unavailable as error:
            raise SystemExit(str(error)) from error
        copy = f'mkdir -p "$1{recipes.GANESHA}" && cp -a "{folder}/." "$1{recipes.GANESHA}"'
        # what was fetched is part of the name under which the result is kept
        return [*recipe.hooks, f"{copy} # {found.in_folder(folder).identity}"]

    def _write(
        self,
        recipe: Recipe,
        layers: dict[str, pathlib.Path],
        own: pathlib.Path | None,
        listed: dict[str, object],
        out: pathlib.Path,
    ) -> None:
        store, top = self._store, "scratch"
        for name, tar in layers.items():
            top = store.layer(top, tar, name, compile_=top != "scratch")
        made = store("from", top)
        try:
            if own is not None:
                store("add", "--quiet", made, own, "/")
            file = out.with_suffix(".cdx.json")
            file.write_text(json.dumps(listed, indent=1))
            store("add", "--quiet", "--chmod", "644", made, file, f"/{bill.PLACE}")
            for file in _files(recipe):
                store("add", "--quiet", "--chmod", "755", made, file, f"/usr/local/bin/{file.name}")
            store("config", *_settings(recipe), made)
            name = f"{recipes.PREFIX}/{recipe.name}:latest"
            store("commit", "--quiet", "--format", "docker", "--timestamp", str(place.epoch()), made, name)
            store("tag", name, tagged(out))
        finally:
            store("rm", made)
        part = out.with_suffix(".part")
        part.unlink(missing_ok=True)
        store("push", "--quiet", name, f"docker-archive:{part}:{name}")
        part.replace(out)
        for old in self._folder.glob(f"{recipe.name}-*"):
            if old.name.split(".")[0] != out.stem:
                old.unlink()

    def _bill(self, recipe: Recipe, root: pathlib.Path) -> dict[str, object]:
        whole = roots.make(self._folder, recipe.packages, self._hooks(recipe)) if recipe.packages else root
        components = list(bill.debian(roots.text(whole, "var/lib/dpkg/status")))
        if recipe.ganesha:
            components += bill.unpacked(roots.text(whole, f"{recipes.GANESHA[1:]}/{found.LIST}"))
        if recipe.product:
            components += bill.python(self._product()[0])
        return bill.document(recipe.name, version(), components)


def build(names: Sequence[str] = (), *, refresh: bool = False) -> dict[str, pathlib.Path]:
    """Image -> archive, of all images or of those named. What is built already is found again.

    Needs root, mmdebstrap and buildah; about four minutes from nothing, seconds when nothing changed.

    Raises:
        SystemExit: a program failed, or a name is unknown.
    """
    if unknown := set(names) - RECIPES.keys():
        raise SystemExit(f"no image {', '.join(sorted(unknown))}; there are {', '.join(RECIPES)}")
    with place.alone() as folder:
        builder = Builder(folder, refresh=refresh)
        made = {name: builder.archive(RECIPES[name]) for name in names or RECIPES}
        if not names:
            builder.tidy()
        return made


def main() -> None:
    """Build and print sizes."""
    options = argparse.ArgumentParser(prog="python -m deploy.images.build", description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(RECIPES)}")
    options.add_argument("--refresh", action="store_true", help="with Debian's packages of today")
    asked = options.parse_args()
    begin = time.monotonic()
    for name, archive in build(asked.names, refresh=asked.refresh).items():
        components = len(json.loads(archive.with_suffix(".cdx.json").read_text())["components"])
        print(f"{name:24} {archive.stat().st_size / 1e6:6.0f} MB  {components:3} components  {archive}")
    print(f"{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
