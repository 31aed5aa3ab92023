"""``generated/views/``: rows to answers, one straight-line function per distinct set of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.spec import Spec, minor, snake
from codegen.text import header, literal

SKIP = {
    "AbsoluteLimits", "ApiVersion", "Limits", "Link", "LockAction", "LockResourceType", "MediaType", "MessageLevel",
    "PoolCapabilities", "QuotaUsage", "RateLimit", "RateLimitRule", "SecurityServiceType", "ServiceState",
    "ServiceStatus", "VersionLink", "SecurityServiceUpdateOperation",
}
MODULES = {
    "Share": "shares", "ShareSummary": "shares", "ShareInstance": "share_instances", "ShareAccess": "access",
    "SnapshotAccess": "access", "ShareNetwork": "share_networks", "ShareServer": "share_servers", "Security": "security_services",
    "Snapshot": "snapshots", "ShareType": "share_types", "ShareGroup": "share_groups", "ShareReplica": "share_replicas",
    "Replica": "share_replicas", "ExportLocation": "export_locations", "Quota": "quotas", "Transfer": "transfers",
    "ShareBackup": "share_backups", "Qos": "qos_types", "Pool": "scheduler_stats", "Service": "services",
}


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    sources = spec.file("views")
    modules: dict[str, list[Family]] = {}
    for family in families(spec, sources):
        modules.setdefault(module_of(family.name), []).append(family)
    files = {f"views/{name}.py": _module(name, found, spec.latest) for name, found in sorted(modules.items())}
    files["views/__init__.py"] = header("Rows to answers: ``shares.SHARE[call.version](row, call.see)``.")
    return files


def module_of(family: str) -> str:
    """The module of a family's views: the longest known beginning of its name decides."""
    for start in sorted(MODULES, key=len, reverse=True):
        if family == start or (family.startswith(start) and start not in ("Share", "ShareSummary")):
            return MODULES[start]
    return snake(family) + "s"


@dataclass(frozen=True)
class Family:
    """The shapes that one kind of object has had: (first version, properties) in order."""

    name: str
    shapes: tuple[tuple[int, dict[str, Any]], ...]
    sources: dict[str, Any]

    @property
    def snake(self) -> str:
        """``ShareInstance`` -> ``share_instance``."""
        return snake(self.name)


def families(spec: Spec, sources: dict[str, Any]) -> Iterator[Family]:
    """The families of objects inside response bodies, by name."""
    schemas = spec.components
    wanted: dict[str, dict[int, dict[str, Any]]] = {}
    for name in sorted(_reachable(spec, schemas)):
        family, _, since = name.partition("_v2_")
        if family in SKIP or "properties" not in schemas[name]:
            continue
        wanted.setdefault(family, {})[int(since or 0)] = schemas[name]["properties"]
    for family in sorted(wanted):
        shapes: list[tuple[int, dict[str, Any]]] = []
        shapes.extend(sorted(wanted[family].items(), key=lambda shape: shape[0]))
        cuts = {minor(str(at)) for one in (sources.get(family) or {}).values() if isinstance(one, dict) for at in _cuts(one)}
        for cut in sorted(cuts):
            if cut not in {since for since, _ in shapes} and cut > shapes[0][0]:
                shapes.append((cut, next(p for s, p in reversed(sorted(shapes, key=lambda x: x[0])) if s < cut)))
                shapes.sort(key=lambda shape: shape[0])
        yield Family(family, tuple(shapes), sources.get(family) or {})


def _cuts(source: dict[str, Any]) -> list[str]:
    """Versions at which a source changes."""
    if "until" in source:
        return [f"2.{minor(str(source['until'])) + 1}"]
    return [_version(key) for key in source if _version(key)]


def _version(key: object) -> str:
    text = f"{key}"
    return text if re.fullmatch(r"2\.\d+", text) else ""


def _reachable(spec: Spec, schemas: dict[str, Any]) -> set[str]:
    """Components below the response bodies, without the envelopes themselves."""
    envelopes = {
        r["schema"] for o in spec.operations for v in o["variants"] for r in v["response_body"]
    }
    found: set[str] = set()
    todo = list(envelopes)
    while todo:
        for ref in re.findall(r"#/components/schemas/(\w+)", repr(schemas[todo.pop()])):
            if ref not in found:
                found.add(ref)
                todo.append(ref)
    return found - envelopes


def _module(name: str, found: list[Family], newest: int) -> str:
    body, nested = [], set()
    for family in found:
        for since, properties in family.shapes:
            text, uses = _function(family, since, properties)
            body.append(text)
            nested |= uses
        names = "".join(f"    ({since}, {family.snake}_{since}),\n" for since, _ in family.shapes)
        body.append(f"\n\n{family.snake.upper()} = by_version(\n    {newest},\n{names})\n")
    imports = "Json, Row, See, by_version"
    start = header(f"Views of ``{name}``.", imports=[f"from generated.runtime import {imports}"])
    return start + "".join(body)


def _function(family: Family, since: int, properties: dict[str, Any]) -> tuple[str, set[str]]:
    plain: list[str] = []
    hidden: dict[str, list[tuple[str, str]]] = {}
    nested = set[str]()
    for field, facts in properties.items():
        rule = facts.get("x-visible-by-policy")
        expression = _expression(family, field, facts, since)
        if facts.get("x-null-unless-policy"):
            expression = f"{expression} if see.network_details else None"
        if rule:
            hidden.setdefault(rule, []).append((field, expression))
        else:
            plain.append(f"        {literal(field)}: {expression},\n")
    doc = f'    """As shown from 2.{since} on."""\n'
    start = f"\n\ndef {family.snake}_{since}(row: Row, see: See) -> dict[str, Json]:\n{doc}"
    if not hidden:
        return f"{start}    return {{\n{''.join(plain)}    }}\n", nested
    out = [f"{start}    out = {{\n{''.join(plain)}    }}\n"]
    for rule, fields in hidden.items():
        out.append(f"    if see.{rule}:\n")
        out += [f"        out[{literal(field)}] = {expression}\n" for field, expression in fields]
    out.append("    return out\n")
    return "".join(out), nested


def _expression(family: Family, field: str, facts: dict[str, Any], since: int) -> str:
    source = family.sources.get(field, field)
    if facts.get("x-always-null"):
        return "None"
    if isinstance(source, str):
        return f"row[{literal(source)}]"
    if "links" in source:
        return f"see.links({literal(source['links'])}, row[\"id\"])"
    if "const" in source:
        return literal(source["const"])
    if "default" in source:
        return f"row.get({literal(field)}, {literal(source['default'])})"
    if "map" in source:
        if since > minor(str(source["until"])):
            return f"row[{literal(field)}]"
        return f"{literal(source['map'])}.get(row[{literal(field)}], row[{literal(field)}])"
    for kind in ("each", "one"):
        if kind in source:
            view = snake(source[kind]).upper()
            call = f"{view}[{since}]"
            return f"[{call}(one, see) for one in row[{literal(field)}]]" if kind == "each" else f"{call}(row[{literal(field)}], see)"
    chosen = max((minor(f"{at}"), str(column)) for at, column in source.items() if minor(f"{at}") <= since)
    return f"row[{literal(chosen[1])}]"
