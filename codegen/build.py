"""Run all emitters and write what they give; files that no emitter gives any more are removed."""

from __future__ import annotations

import pathlib

from codegen import emit_columns, emit_errors, emit_names, emit_routes, emit_schemas, emit_settings
from codegen.spec import Spec

TEMPLATES = pathlib.Path(__file__).parent / "templates"
EMITTERS = (
    emit_columns.emit,
    emit_errors.emit,
    emit_names.enums,
    emit_names.messages,
    emit_names.policies,
    emit_routes.emit,
    emit_routes.emit_microversions,
    emit_schemas.emit,
    emit_settings.emit,
)
INIT = '"""Written by the generator from ``spec/``; committed, never edited. It imports nothing of the project."""\n'


def build(spec_folder: pathlib.Path, out: pathlib.Path) -> None:
    """Write the whole package ``generated`` into ``out``."""
    spec = Spec(spec_folder)
    files = {"__init__.py": INIT, "py.typed": "", "runtime.py": (TEMPLATES / "runtime.py.txt").read_text()}
    for emitter in EMITTERS:
        files |= emitter(spec)
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for stale in sorted(set(out.rglob("*.py")) - {out / name for name in files}):
        stale.unlink()
