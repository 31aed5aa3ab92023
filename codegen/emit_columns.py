"""``generated/columns.py``: what the writing helpers of ``db/`` need to know of the tables."""

from __future__ import annotations

from codegen.spec import Spec
from codegen.text import head, literal, wrapped_tuple


def emit(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    database = spec.document("database")
    out = [head("Columns, kind of soft delete and kind of id of each table.", "spec/database"), "\n"]
    out.append("COLUMNS: dict[str, tuple[str, ...]] = {\n")
    for table, facts in database["tables"].items():
        out.append(wrapped_tuple(f"{literal(table)}: ", [literal(c["name"]) for c in facts["columns"]], "    ")[:-1] + ",\n")
    out.append("}\n\nSOFT_DELETE: dict[str, str] = {\n")
    out += [f"    {literal(t)}: {literal(kind)},\n" for t, kind in database["soft_delete"]["tables"].items()]
    out.append("}\n\nID_KIND: dict[str, str] = {\n")
    out += [f"    {literal(t)}: {literal(kind)},\n" for t, kind in database["id_kind"].items()]
    out.append("}\n")
    return {"columns.py": "".join(out)}
