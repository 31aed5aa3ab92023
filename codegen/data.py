"""Contract facts that become plain data: policies, enums, user messages, microversions, columns, registry."""

from __future__ import annotations

from codegen.spec import Fact, Spec, by_module, function_of, minor
from codegen.text import header, literal


def microversions(spec: Spec) -> dict[str, str]:
    rows = [f"    ({minor(entry['version'])}, {literal(entry['statement'])})," for entry in spec.microversions]
    text = header("The microversions of the v2 API and what each one brought.")
    text += "\n".join(
        [
            "MICROVERSIONS: tuple[tuple[int, str], ...] = (",
            *rows,
            ")",
            '"""Minor number and statement, oldest first."""',
            "",
            "MIN_MINOR = MICROVERSIONS[0][0]",
            "MAX_MINOR = MICROVERSIONS[-1][0]",
            'MIN_VERSION = f"2.{MIN_MINOR}"',
            'MAX_VERSION = f"2.{MAX_MINOR}"',
            "",
            "# The first minor version that has it, by the names of spec/own-version-names.",
            *(f"{name} = {minor(version)}" for name, version in spec.file("own-version-names")["names"].items()),
            "",
        ]
    )
    return {"microversions.py": text}


def columns(spec: Spec) -> dict[str, str]:
    database = spec.file("database")
    tables = {name: table for name, table in sorted(database["tables"].items()) if name != "alembic_version"}
    text = header("The columns of the original's tables as plain data (no ORM is imported at run time).")
    text += "COLUMNS: dict[str, tuple[str, ...]] = {\n"
    for name, table in tables.items():
        text += f"    {name!r}: {literal(tuple(column['name'] for column in table['columns']))},\n"
    text += '}\n"""Table -> its columns in the order of the migrated schema."""\n\n'
    soft = dict(sorted(database["soft_delete"]["tables"].items()))
    text += f"SOFT_DELETE: dict[str, str] = {literal(soft)}\n"
    text += '"""Table -> ``string`` or ``integer``: the type of its ``deleted``."""\n\n'
    kinds = {name: database["id_kind"][name] for name in tables}
    text += f"ID_KIND: dict[str, str] = {literal(kinds)}\n"
    text += '"""Table -> ``string`` (an id is made by the writer), ``auto-increment`` or ``composite``."""\n'
    return {"columns.py": text}


def policies(spec: Spec) -> dict[str, str]:
    imports = ["from dataclasses import dataclass"]
    summary = "The default policy rules as data; ``services.policy`` registers them with oslo.policy."
    text = header(summary, imports=imports)
    text += '''@dataclass(frozen=True, slots=True)
class Rule:
    """One default rule. ``operations`` are methods and paths, ``deprecated`` the check that this one replaced."""

    name: str
    check: str
    operations: tuple[str, ...] = ()
    scopes: tuple[str, ...] | None = ("project",)
    deprecated: str | None = None


RULES: tuple[Rule, ...] = (
'''
    for rule in sorted(spec.file("policies")["rules"], key=lambda rule: (not rule["base"], rule["name"])):
        text += f"    {_rule(rule)},\n"
    text += ")\n"
    return {"policies.py": text}


def _rule(rule: Fact) -> str:
    arguments = [literal(rule["name"]), literal(rule["check_str"])]
    operations = tuple(f"{entry['method']} {entry['path']}" for entry in rule["operations"])
    if operations:
        arguments.append(literal(operations))
    scopes = None if rule["scope_types"] is None else tuple(rule["scope_types"])
    if scopes != ("project",):
        arguments.append(f"scopes={literal(scopes)}")
    if rule["deprecated_rule"]:
        if rule["deprecated_rule"]["name"] != rule["name"]:
            raise ValueError(f"the rule {rule['name']} replaced one of another name")
        arguments.append(f"deprecated={literal(rule['deprecated_rule']['check_str'])}")
    return f"Rule({', '.join(arguments)})"


def messages(spec: Spec) -> dict[str, str]:
    facts = spec.constants["user_messages"]
    text = header(
        "User messages: the actions, details and resource types, with the texts users see.",
        imports=["from enum import StrEnum"],
    )
    text += _enum("Action", "What the service tried; the value is the id stored in a message.", facts["actions"])
    text += _enum("Detail", "Why it failed; the value is the id stored in a message.", facts["details"])
    types = [{"name": name, "id": name} for name in facts["resource_types"]]
    text += _enum("Resource", "What a message is about; the value is the stored type.", types)
    for name, entries in (("ACTION_TEXTS", facts["actions"]), ("DETAIL_TEXTS", facts["details"])):
        text += f"{name}: dict[str, str] = {literal({entry['id']: entry['text'] for entry in entries})}\n\n"
    text += f"UNKNOWN_ACTION_TEXT = {literal(facts['unknown_action_text'])}\n\n"
    text += f"FILTER_DETAILS: dict[str, str] = {literal(facts['filter_to_detail'])}\n"
    text += '"""Scheduler filter -> the detail that says it left no host."""\n'
    return {"messages.py": text}


def _enum(name: str, summary: str, entries: list[Fact]) -> str:
    rows = "".join(f"    {_upper(entry['name'])} = {literal(entry['id'])}\n" for entry in entries)
    return f'class {name}(StrEnum):\n    """{summary}"""\n\n{rows}\n\n'


def _upper(name: str) -> str:
    return name.upper().replace("-", "_").replace(" ", "_")


def enums(spec: Spec) -> dict[str, str]:
    facts = spec.constants
    summary = "Closed sets of the contract: statuses, access levels, protocols, limits."
    text = header(summary, imports=["from enum import StrEnum"])
    for key, values in facts["statuses"].items():
        if isinstance(values, list) and values and all(isinstance(value, str) or value is None for value in values):
            words = key.replace("_", " ")
            title = "".join(part.capitalize() for part in key.split("_"))
            entries = [{"name": value, "id": value} for value in values if value is not None]
            text += _enum(title, f"Values of the contract's set '{words}'.", entries)
    text += f"SERVICE_STATUSES = {literal(tuple(facts['statuses']['service']['status']))}\n"
    text += f"SERVICE_STATES = {literal(tuple(facts['statuses']['service']['state']))}\n\n"
    access = facts["access"]
    text += f"ACCESS_LEVELS = {literal(tuple(access['levels']))}\n"
    types = {entry["type"]: minor(entry["from_version"]) for entry in access["types"]}
    text += f"ACCESS_TYPES: dict[str, int] = {literal(types)}\n"
    text += '"""Access type -> the first minor version that admits it."""\n\n'
    text += f"RESTRICTED_FIELDS = {literal(tuple(access['restricted_fields']))}\n"
    text += f"RESTRICTED_TEXT = {literal(access['restricted_text'])}\n\n"
    text += f"SHARE_PROTOCOLS = {literal(tuple(facts['share_protocols']))}\n"
    text += f"SECURITY_SERVICE_TYPES = {literal(tuple(facts['security_service_types']))}\n"
    for name, values in facts["booleans"].items():
        if isinstance(values, list):
            text += f"{name.upper()}_WORDS = {literal(tuple(values))}\n"
    specs = facts["extra_specs"]
    for key in ("required", "optional", "tenant_visible", "boolean"):
        text += f"{key.upper()}_EXTRA_SPECS = {literal(tuple(specs[key]))}\n"
    text += f"INFERRED_EXTRA_SPECS: dict[str, bool] = {literal(specs['inferred_for_non_admins'])}\n"
    text += f"LIMITS = {literal({k: v for k, v in facts['limits'].items() if isinstance(v, int)})}\n"
    return {"enums.py": text}


def registry(spec: Spec) -> dict[str, str]:
    text = header("Handler modules and the operations each one has to hold, one function per operation.")
    text += "REGISTRY: dict[str, tuple[str, ...]] = {\n"
    for module, operations in by_module(spec.operations):
        names = tuple(function_of(operation["operation_id"]) for operation in operations)
        text += f"    {module!r}: {literal(names)},\n"
    text += '}\n"""``handlers.<module>`` -> names of its functions; the operation id is in the dispatch table."""\n'
    return {"registry.py": text}
