"""``generated/tables.py``: the original's tables as SQLModel classes, equal to the migrated schema."""

from __future__ import annotations

import re

from codegen.spec import Fact, Spec
from codegen.text import header, literal

IMPORTS = [
    "from datetime import datetime",
    "from typing import ClassVar",
    "",
    "import sqlalchemy as sa",
    "from sqlalchemy.orm import registry",
    "from sqlmodel import Field, SQLModel",
]

BASE = '''class Table(SQLModel, registry=registry(), metadata=sa.MetaData()):
    """Base of the tables; ``Table.metadata`` holds them all."""

    metadata: ClassVar[sa.MetaData]


'''
KEYLESS = '''    __mapper_args__: ClassVar[dict[str, list[str]]] = {"primary_key": ["entity_uuid", "key"]}
    """The table has no primary key; these columns tell its rows apart."""
'''
PYTHON = {"INTEGER": "int", "BOOLEAN": "bool", "TIMESTAMP WITHOUT TIME ZONE": "datetime"}
SQL = {"INTEGER": "sa.Integer", "BOOLEAN": "sa.Boolean", "TIMESTAMP WITHOUT TIME ZONE": "sa.DateTime"}


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    tables = {name: table for name, table in spec.file("database")["tables"].items() if name != "alembic_version"}
    text = header(
        "The original's tables, for migrations and for readers; queries use ``generated.columns`` and plain rows.",
        imports=IMPORTS,
    )
    return {"tables.py": text + BASE + "\n".join(_table(name, tables[name]) for name in sorted(tables))}


def _table(name: str, table: Fact) -> str:
    title = "".join(word.capitalize() for word in name.split("_"))
    key = table["primary_key"]
    constraints = []
    if key["columns"]:
        constraints.append(f"sa.PrimaryKeyConstraint({_names(key['columns'])}, name={literal(key['name'])})")
    for one in sorted(table["foreign_keys"], key=lambda one: str(one["name"])):
        target = [f"{one['references']}.{column}" for column in one["referred_columns"]]
        constraints.append(
            f"sa.ForeignKeyConstraint({literal(one['columns'])}, {literal(target)}, name={literal(one['name'])})"
        )
    for one in sorted(table["unique_constraints"], key=lambda one: str(one["name"])):
        constraints.append(f"sa.UniqueConstraint({_names(one['columns'])}, name={literal(one['name'])})")
    for one in sorted(table["indexes"], key=lambda one: str(one["name"])):
        unique = ", unique=True" if one["unique"] else ""
        constraints.append(f"sa.Index({literal(one['name'])}, {_names(one['columns'])}{unique})")
    lines = [
        f"class {title}(Table, table=True):",
        f'    """Table ``{name}``."""',
        "",
        f"    __tablename__ = {literal(name)}",
        f"    __table_args__ = ({', '.join(constraints)},)" if constraints else KEYLESS,
        "",
        *(f"    {column['name']}: {_field(name, column, key['columns'])}" for column in table["columns"]),
    ]
    return "\n".join(lines) + "\n\n"


def _names(columns: list[str]) -> str:
    return ", ".join(literal(column) for column in columns)


def _field(table: str, column: Fact, key: list[str]) -> str:
    """Annotation and value of a column's field."""
    python, sql = _types(column)
    arguments = [literal(column["name"]), sql]
    default = column["server_default"]
    sequence = re.fullmatch(r"nextval\('(\w+)'::regclass\)", default or "")
    if sequence and sequence[1] != f"{table}_{column['name']}_seq":
        arguments.append(f"sa.Sequence({literal(sequence[1])})")
    if default and (not sequence or len(arguments) > 2):
        arguments.append(f"server_default=sa.text({literal(default)})")
    if not column["nullable"] and column["name"] not in key:
        arguments.append("nullable=False")
    optional = column["nullable"] or bool(default)
    start = "default=None, " if optional else ""
    return f"{python}{' | None' if optional else ''} = Field({start}sa_column=sa.Column({', '.join(arguments)}))"


def _types(column: Fact) -> tuple[str, str]:
    """The Python and the SQL type of a column."""
    if column.get("enum"):
        return "str", f"sa.Enum({', '.join(literal(v) for v in column['enum'])}, name={literal(column['type'])})"
    length = re.fullmatch(r"VARCHAR\((\d+)\)", column["type"])
    if length:
        return "str", f"sa.String({length[1]})"
    return PYTHON[column["type"]], SQL[column["type"]]
