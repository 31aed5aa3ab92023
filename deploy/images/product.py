"""The layers with Python: the locked packages, and the program itself."""

from __future__ import annotations

import pathlib
import shutil
import sys
import tarfile
import tomllib

from deploy import made
from deploy.images import place, recipes

LOCK = place.ROOT / "requirements" / "product.txt"
PACKAGES = "usr/local/lib/python3.11/dist-packages"
"""Where Debian's Python looks without being told."""
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux_2_5_x86_64")
HEALTHY = f"""#!/usr/bin/python3.11
\"\"\"Whether the process beside answers; status 0 or 1.\"\"\"
import os
import sys
import urllib.request

try:
    urllib.request.urlopen(os.environ.get("MANILA_HEALTH", "http://127.0.0.1:9090/healthz"), timeout=3).close()
except OSError as error:
    sys.exit(f"{recipes.HEALTH}: {{error}}")
"""


def project() -> dict[str, object]:
    """The table ``project`` of pyproject.toml."""
    return dict(tomllib.loads((place.ROOT / "pyproject.toml").read_text())["project"])


def scripts() -> dict[str, str]:
    """Program -> ``module:function``."""
    found = project()["scripts"]
    assert isinstance(found, dict)
    return {str(name): str(target) for name, target in found.items()}


def sources() -> list[pathlib.Path]:
    """Every file of the program."""
    whole = tomllib.loads((place.ROOT / "pyproject.toml").read_text())
    names = whole["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    files = [file for name in names for file in (place.ROOT / name).rglob("*") if file.is_file()]
    return sorted(file for file in files if "__pycache__" not in file.parts)


def wheels(folder: pathlib.Path) -> pathlib.Path:
    """The layer with the locked packages: hash-checked wheels only, for the images' Python whatever runs this.

    Raises:
        SystemExit: pip failed, or has not installed everything.
    """
    out = folder / f"wheels-{place.digest(LOCK.read_bytes(), str(place.epoch()), *PLATFORMS)}.tar"
    if made.lacking(folder, (out.name,)):
        tree = folder / "wheels.tree"
        shutil.rmtree(tree, ignore_errors=True)
        pip = [getattr(sys, "_base_executable", sys.executable), "-m", "pip", "install", "--quiet"]
        pip += ["--target", str(tree / PACKAGES), "--no-deps", "--no-compile", "--require-hashes"]
        pip += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.11"]
        pip += [word for abi in ("cp311", "abi3", "none") for word in ("--abi", abi)]
        pip += [word for platform in PLATFORMS for word in ("--platform", platform)]
        place.run([*pip, "--root-user-action", "ignore", "-r", LOCK])
        if missing := made.lacking_packages([tree / PACKAGES], LOCK):
            raise SystemExit(made.sentence("the images' Python packages", missing, f"look at {LOCK.name}"))
        shutil.rmtree(tree / PACKAGES / "bin", ignore_errors=True)  # scripts for another Python; none is needed
        archive(tree, out)
        shutil.rmtree(tree)
    return out


def program(folder: pathlib.Path) -> pathlib.Path:
    """The layer with the program and its entry points."""
    out = (
        folder / f"program-{place.digest(place.digest_of(sources()), repr(scripts()), str(place.epoch()), HEALTHY)}.tar"
    )
    if made.lacking(folder, (out.name,)):
        tree = folder / "program.tree"
        shutil.rmtree(tree, ignore_errors=True)
        for file in sources():
            target = tree / PACKAGES / file.relative_to(place.ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        bin_ = tree / "usr/local/bin"
        bin_.mkdir(parents=True)
        for name, target_name in scripts().items():
            _script(bin_ / name, entry(target_name))
        _script(bin_ / recipes.HEALTH, HEALTHY)
        (tree / "etc/manila").mkdir(parents=True)
        archive(tree, out)
        shutil.rmtree(tree)
    return out


def entry(target: str) -> str:
    """A program that calls ``module:function``."""
    module, _, function = target.partition(":")
    return f"#!/usr/bin/python3.11\nimport sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n"


def _script(file: pathlib.Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def archive(tree: pathlib.Path, out: pathlib.Path) -> None:
    """A tar of a folder that depends on its content only: order, owner, time and modes are fixed."""
    part = out.with_suffix(".part.tar")
    with tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(tree.rglob("*")):
            member = tar.gettarinfo(file, str(file.relative_to(tree)))
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = place.epoch()
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            if member.isreg():
                with file.open("rb") as data:
                    tar.addfile(member, data)
            else:
                tar.addfile(member)
    part.replace(out)
