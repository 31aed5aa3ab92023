"""``generated/views/``: rows to answers, one straight-line function per distinct set of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from codegen.spec import Fact, Spec, minor, snake
from codegen.text import docstring, header, literal

SKIP = frozenset(
    [
        "AbsoluteLimits",
        "ApiVersion",
        "Limits",
        "Link",
        "LockAction",
        "LockResourceType",
        "MediaType",
        "MessageLevel",
        "PoolCapabilities",
        "QuotaUsage",
        "RateLimit",
        "RateLimitRule",
        "SecurityServiceType",
        "SecurityServiceUpdateOperation",
        "ServiceState",
        "ServiceStatus",
        "VersionLink",
    ]
)
"""Objects that no row stands behind: their handlers build them."""

MODULES = {
    "ExportLocation": "export_locations",
    "Pool": "scheduler_stats",
    "Qos": "qos_types",
    "Quota": "quotas",
    "Replica": "share_replicas",
    "Security": "security_services",
    "Service": "services",
    "Share": "shares",
    "ShareAccess": "access",
    "ShareBackup": "share_backups",
    "ShareGroup": "share_groups",
    "ShareInstance": "share_instances",
    "ShareNetwork": "share_networks",
    "ShareReplica": "share_replicas",
    "ShareServer": "share_servers",
    "ShareSummary": "shares",
    "ShareType": "share_types",
    "Snapshot": "snapshots",
    "SnapshotAccess": "access",
    "Transfer": "transfers",
}
"""Beginning of a family's name -> module; ``Share`` and ``ShareSummary`` stand for themselves only."""

PACKAGE = """A view is ``shares.SHARE[call.version](row, call.see)``: the family in capitals, the minor version.
Fields come from the row's column of the same name, or from what ``spec/views`` says. Fields that a rule hides are
missing, or null, unless ``see`` has the rule."""


@dataclass(frozen=True)
class Family:
    """The shapes one kind of object has had: first minor version and properties, oldest first."""

    name: str
    shapes: tuple[tuple[int, Fact], ...]
    sources: Fact

    @property
    def snake(self) -> str:
        """``ShareInstance`` -> ``share_instance``."""
        return snake(self.name)


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    modules: dict[str, list[Family]] = {}
    for family in families(spec):
        modules.setdefault(module_of(family.name), []).append(family)
    files = {f"views/{name}.py": _module(name, found) for name, found in sorted(modules.items())}
    files["views/__init__.py"] = header("Rows to answers.", PACKAGE).rstrip() + "\n"
    return files


def module_of(family: str) -> str:
    """The module of a family's views: the longest known beginning of its name decides."""
    for start in sorted(MODULES, key=len, reverse=True):
        if family == start or (family.startswith(start) and start not in ("Share", "ShareSummary")):
            return MODULES[start]
    return snake(family) + "s"


def families(spec: Spec) -> Iterator[Family]:
    """The families of objects inside response bodies, by name."""
    sources: Fact = spec.file("views")
    found: dict[str, dict[int, Fact]] = {}
    for name in sorted(_reachable(spec)):
        family, _, since = name.partition("_v2_")
        if family not in SKIP and "properties" in spec.components[name]:
            found.setdefault(family, {})[int(since or 0)] = spec.components[name]["properties"]
    for family, shapes in sorted(found.items()):
        own = sources.get(family) or {}
        yield Family(family, tuple(_cut(shapes, own)), own)


def _cut(shapes: dict[int, Fact], sources: Fact) -> Iterator[tuple[int, Fact]]:
    """The shapes, cut further where a property starts within one or where a source changes."""
    starts = set(shapes)
    for properties in shapes.values():
        starts |= {minor(facts["x-min-version"]) for facts in properties.values() if "x-min-version" in facts}
    for source in sources.values():
        if isinstance(source, dict):
            starts |= _changes(source)
    for since in sorted(start for start in starts if start >= min(shapes)):
        properties = shapes[max(start for start in shapes if start <= since)]
        yield since, {name: facts for name, facts in properties.items() if _present(facts, since)}


def _changes(source: Fact) -> set[int]:
    """Minor versions at which a source, or its place, changes."""
    if "last" in source:
        return {minor(source["last"])}
    if "until" in source:
        return {minor(source["until"]) + 1}
    return {minor(key) for key in source if re.fullmatch(r"2\.\d+", key)}


def _present(facts: Fact, version: int) -> bool:
    return "x-min-version" not in facts or minor(facts["x-min-version"]) <= version


def _reachable(spec: Spec) -> set[str]:
    """Components below the response bodies, without the envelopes themselves."""
    envelopes = {body["schema"] for o in spec.operations for v in o["variants"] for body in v["response_body"]}
    found: set[str] = set()
    waiting = list(envelopes)
    while waiting:
        for name in re.findall(r"#/components/schemas/(\w+)", repr(spec.components[waiting.pop()])):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found - envelopes


def _module(name: str, found: list[Family]) -> str:
    text = header(f"Views of ``{name}``.", imports=["from generated.runtime import Json, Row, See, by_version"])
    for family in found:
        previous: Fact = {}
        for since, properties in family.shapes:
            text += _function(family, since, properties, previous)
            previous = properties
        rows = "".join(f"    ({since}, {family.snake}_{since}),\n" for since, _ in family.shapes)
        text += f"\n\n{family.snake.upper()} = by_version(\n{rows})\n\n\n"
    return text.rstrip() + "\n"


def _function(family: Family, since: int, properties: Fact, previous: Fact) -> str:
    """The function of one shape; its fields come in the order in which the answer holds them."""
    start = f"\n\ndef {family.snake}_{since}(row: Row, see: See) -> dict[str, Json]:\n"
    start += docstring(_summary(since, properties, previous), indent=4) + "\n"
    first, rest = "", ""
    for field in _ordered(family, properties, since):
        facts = properties[field]
        expression = _expression(family, field, facts, since)
        if "x-visible-by-policy" in facts:
            rest += f"    if see.{facts['x-visible-by-policy']}:\n        out[{literal(field)}] = {expression}\n"
        elif rest:
            rest += f"    out[{literal(field)}] = {expression}\n"
        else:
            first += f"        {literal(field)}: {expression},\n"
    if not rest:
        return f"{start}    return {{\n{first}    }}\n"
    rest = re.sub(r"(    if see\.\w+:\n)((?:        .*\n)+)(?:\1)", r"\1\2", rest)
    return f"{start}    out = {{\n{first}    }}\n{rest}    return out\n"


def _ordered(family: Family, properties: Fact, since: int) -> list[str]:
    """The fields as an answer holds them: as in the contract, unless a source has ``last`` or ``after``."""
    found = list(properties)
    for name in properties:
        source = family.sources.get(name)
        if not isinstance(source, dict):
            continue
        if minor(source.get("last", "2.999")) <= since:
            found.remove(name)
            found.append(name)
        elif source.get("after") in found:
            found.remove(name)
            found.insert(found.index(source["after"]) + 1, name)
    return found


def _summary(since: int, properties: Fact, previous: Fact) -> str:
    """What the shape brought against the one before."""
    news = [f"with {name}" for name in properties if previous and name not in previous]
    news += [f"without {name}" for name in previous if name not in properties]
    return f"From 2.{since} on{': ' + ', '.join(news) if news else ''}."


def _expression(family: Family, field: str, facts: Fact, since: int) -> str:
    expression = _source(family, field, since)
    if facts.get("x-always-null"):
        return "None"
    if facts.get("x-null-unless-policy"):
        return f"{expression} if see.network_details else None"
    return expression


def _source(family: Family, field: str, since: int) -> str:
    """The expression that reads a field from ``row``."""
    source = family.sources.get(field, field)
    own = f"row[{literal(field)}]"
    if isinstance(source, str):
        return f"row[{literal(source)}]"
    if source.keys() <= {"after"}:
        return own
    if "links" in source:
        return f'see.links({literal(source["links"])}, row["id"])'
    if "const" in source:
        return literal(source["const"])
    if "default" in source:
        return f"row.get({literal(field)}, {literal(source['default'])})"
    if "map" in source:
        return own if since > minor(source["until"]) else f"{literal(source['map'])}.get({own}, {own})"
    if "each" in source:
        return f"[{snake(source['each']).upper()}[{since}](one, see) for one in {own}]"
    if "one" in source:
        return f"{snake(source['one']).upper()}[{since}]({own}, see)"
    chosen = max((minor(key), column) for key, column in source.items() if minor(key) <= since)
    return f"row[{literal(chosen[1])}]"
