"""``generated/models/``: request bodies as pydantic models, split per resource.

datamodel-code-generator writes them all at once; a class that only one resource needs goes to that resource's module,
the others to ``common``.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from codegen.spec import Fact, Spec, class_name
from codegen.text import header, literal

FLAGS = [
    "--input-file-type",
    "openapi",
    "--output-model-type",
    "pydantic_v2.BaseModel",
    "--target-python-version",
    "3.11",
    "--strict-nullable",
    "--use-annotated",
    "--field-constraints",
    "--enum-field-as-literal",
    "all",
    "--formatters",
    "builtin",
    "--disable-timestamp",
    "--use-standard-collections",
    "--use-union-operator",
]

FINDER = '''def model(name: str) -> type[BaseModel]:
    """The model of a body, as ``Route.body`` names it. Its module is imported when first asked for.

    Raises KeyError for a name that is no request body of the contract.
    """
    found: type[BaseModel] = getattr(import_module(f"{__package__}.{MODULES[name]}"), name)
    return found
'''


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    bodies = _bodies(spec)
    wanted = _closure(spec, set(bodies))
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Request bodies", "version": "2"},
        "paths": {},
        "components": {"schemas": {name: spec.components[name] for name in sorted(wanted)}},
    }
    tree = ast.parse(source := _written(document))
    pieces = {name: node for node in tree.body if (name := _defined(node))}
    users = _users(pieces, {class_name(body): resources for body, resources in bodies.items()})
    homes = {name: next(iter(users[name])) if len(users[name]) == 1 else "common" for name in pieces if users[name]}
    files = {f"models/{home}.py": _module(home, source, tree, pieces, homes) for home in sorted(set(homes.values()))}
    files["models/__init__.py"] = _package({class_name(body): homes[class_name(body)] for body in sorted(bodies)})
    return files


def _bodies(spec: Spec) -> dict[str, set[str]]:
    """Request component -> the resources whose operations take it."""
    found: dict[str, set[str]] = {}
    for operation in spec.operations:
        for variant in operation["variants"]:
            for body in variant["request_body"]:
                found.setdefault(body["schema"], set()).add(operation["resource"])
    return found


def _closure(spec: Spec, names: set[str]) -> set[str]:
    """The components and all those they refer to."""
    found, waiting = set(names), list(names)
    while waiting:
        for name in re.findall(r"#/components/schemas/(\w+)", json.dumps(spec.components[waiting.pop()])):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _written(document: Fact) -> str:
    """What datamodel-code-generator makes of the document."""
    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "bodies.json"), Path(scratch, "models.py")
        source.write_text(json.dumps(document, sort_keys=True))
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(target)]
        subprocess.run([*command, *FLAGS], check=True, cwd=scratch)
        return target.read_text()


def _defined(node: ast.stmt) -> str | None:
    return node.name if isinstance(node, ast.ClassDef) else None


def _named(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _users(pieces: dict[str, ast.stmt], roots: dict[str, set[str]]) -> dict[str, set[str]]:
    """Class -> the resources that need it, directly or through another class."""
    users: dict[str, set[str]] = {name: set() for name in pieces}
    waiting = [(name, resource) for name, resources in roots.items() for resource in sorted(resources)]
    while waiting:
        name, resource = waiting.pop()
        if resource not in users[name]:
            users[name].add(resource)
            waiting += [(other, resource) for other in sorted(_named(pieces[name]) & pieces.keys())]
    return users


def _module(home: str, source: str, tree: ast.Module, pieces: dict[str, ast.stmt], homes: dict[str, str]) -> str:
    own = [name for name in pieces if homes.get(name) == home]
    used = set().union(*(_named(pieces[name]) for name in own))
    imports: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            names = sorted(alias.name for alias in node.names if alias.name in used)
            imports += [f"from {node.module} import {', '.join(names)}"] if names else []
    shared = sorted(name for name in used & pieces.keys() if homes[name] != home)
    if shared:
        imports += ["", f"from generated.models.common import {', '.join(shared)}"]
    text = header(f"Request bodies of ``{home}``.", imports=imports)
    return text + "\n\n".join(f"{ast.get_source_segment(source, pieces[name])}\n" for name in own)


def _package(modules: dict[str, str]) -> str:
    imports = ["from importlib import import_module", "", "from pydantic import BaseModel"]
    text = header("Request bodies as pydantic models, one module a resource.", imports=imports)
    text += f"MODULES: dict[str, str] = {literal(modules)}\n"
    return text + '"""Model of a body -> the module that holds it."""\n\n\n' + FINDER
