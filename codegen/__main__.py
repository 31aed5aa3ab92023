"""``python -m codegen [--spec DIR] [--out DIR]``: writes ``generated/`` and ``docs/options.md`` from ``spec/``.

Files that no longer belong there are removed; files whose text is unchanged are left alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from codegen import options_page, protocols
from codegen.parts import PARTS
from codegen.spec import Spec

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "options.md"
PROOF = HERE.parent / "tests" / "codegen" / "typed_handlers.py"
TEMPLATES = {"__init__.py": "init.py.txt", "runtime.py": "runtime.py.txt", "routes/rows.py": "rows.py.txt"}


def generate(folder: Path) -> dict[str, str]:
    """All generated files (path below ``generated/`` -> text), formatted, from the contract in ``folder``."""
    spec = Spec(folder)
    files = {path: (HERE / "templates" / name).read_text() for path, name in TEMPLATES.items()}
    files["py.typed"] = ""
    for part in PARTS:
        made = part(spec)
        clash = made.keys() & files.keys()
        if clash:
            raise ValueError(f"two generators write {', '.join(sorted(clash))}")
        files |= made
    return _formatted(files)


def _formatted(files: dict[str, str]) -> dict[str, str]:
    """The files as the project's formatter writes them."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        ruff = [sys.executable, "-m", "ruff"]
        shape = ["--isolated", "--no-cache", "--line-length", "120", "--target-version", "py311"]
        done = subprocess.run([*ruff, "format", *shape, str(root)], capture_output=True, text=True)
        if done.returncode:
            raise SyntaxError(f"generated text is no Python: {done.stderr}")
        return {path: (root / path).read_text() for path in sorted(files)}


def write(files: dict[str, str], out: Path) -> None:
    """Make ``out`` hold exactly ``files``."""
    for path in sorted(out.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.relative_to(out).as_posix() not in files:
            path.unlink()
    for name, text in files.items():
        target = out / name
        if not target.exists() or target.read_text() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(prog="codegen", description=__doc__)
    parser.add_argument("--spec", type=Path, default=HERE.parent / "spec", help="folder with the contract")
    parser.add_argument("--out", type=Path, default=HERE.parent / "generated", help="folder to write")
    options = parser.parse_args()
    write(generate(options.spec), options.out)
    if options.out == parser.get_default("out"):
        spec = Spec(options.spec)
        PROOF.write_text(_formatted({PROOF.name: protocols.proof(spec)})[PROOF.name])
        PAGE.write_text(options_page.page(spec))


if __name__ == "__main__":
    main()
