"""``generated/unimplemented.py``: the operations that still answer 501, from the list that may only shrink."""

from __future__ import annotations

from codegen.spec import Spec
from codegen.text import header, literal


def missing(spec: Spec) -> list[str]:
    """The operations of the list. Raises ValueError for a line that is no operation of the contract."""
    lines = (spec.folder / "unimplemented.txt").read_text().splitlines()
    names = sorted({line.strip() for line in lines if line.strip() and not line.startswith("#")})
    unknown = set(names) - {operation["operation_id"] for operation in spec.operations}
    if unknown:
        raise ValueError(f"spec/unimplemented.txt names no operation: {', '.join(sorted(unknown))}")
    return names


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    body = "".join(f"    {literal(name)},\n" for name in missing(spec))
    text = header("Operations without behaviour yet; they answer 501.")
    return {"unimplemented.py": text + f"UNIMPLEMENTED: frozenset[str] = frozenset([\n{body}])\n"}
