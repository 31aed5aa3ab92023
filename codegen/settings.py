"""``generated/options.py`` and ``generated/settings.py``: every option as a row, and as a field of a frozen class."""

from __future__ import annotations

import keyword
import re
from typing import Any

from codegen.spec import Spec
from codegen.text import header, literal

TYPES = {"str": "str", "hostaddress": "str", "int": "int", "port": "int", "bool": "bool", "float": "float"}
NETWORK = re.compile(r"^(neutron_|standalone_network_plugin_|network_api_class|network_plugin_)")
OPTION_CLASS = '''@dataclass(frozen=True, slots=True)
class Option:
    """An option: ``type`` is one of str, int, float, bool, list, multistr, dict, port, hostaddress."""

    section: str
    name: str
    field: str
    type: str
    default: Any
    choices: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None
    secret: bool = False
    old_names: tuple[str, ...] = ()
    help: str = ""


'''
BACKEND, NETWORK_GROUP = "<back end>", "<network>"


def generate(spec: Spec) -> dict[str, str]:
    """File name -> text."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for one in [*spec.file("config")["options"], *spec.file("own-options")["options"]]:
        section = one["section"]
        if section == "DEFAULT" and NETWORK.match(one["name"]):
            section = NETWORK_GROUP
        sections.setdefault(section, []).append({**one, "section": section})
    return {**_options(sections), "settings.py": _settings(sections)}


def class_of(section: str) -> str:
    """``keystone_authtoken`` -> ``KeystoneAuthtoken``; the sections named by users have fixed names."""
    fixed = {BACKEND: "BackendSection", NETWORK_GROUP: "NetworkSection", "DEFAULT": "DefaultSection"}
    return fixed.get(section) or "".join(word.capitalize() for word in section.split("_")) + "Section"


def _annotation(one: dict[str, Any]) -> tuple[str, str]:
    """Type and default of a field, as source text."""
    kind, default = one["type"], one["default"]
    if isinstance(default, str) and default.startswith("<"):
        default = None  # made when the configuration is read: host name, own address
    if kind in ("list", "multistr"):
        return "tuple[str, ...]", literal(tuple(default or ()))
    if kind == "dict" or isinstance(default, dict):
        pairs = {k: ",".join(v) if isinstance(v, list) else str(v) for k, v in (default or {}).items()}
        return "tuple[tuple[str, str], ...]", literal(tuple(pairs.items()))
    name = TYPES[kind]
    if name == "float" and isinstance(default, int):
        default = float(default)
    return (name if default is not None else f"{name} | None"), literal(default)


def _field(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def _options(sections: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """The package of options, one module a section."""
    files = {}
    for section, options in sorted(sections.items()):
        text = header(f"Options of section ``{section}``.", imports=["from generated.options.option import Option"])
        text += "OPTIONS: tuple[Option, ...] = (\n" + "".join(f"    {_option(one)},\n" for one in options) + ")\n"
        files[f"options/{_module(section)}.py"] = text
    imports = ["from dataclasses import dataclass", "from typing import Any"]
    names = f"BACKEND, NETWORK = {literal(BACKEND)}, {literal(NETWORK_GROUP)}\n"
    names += '"""Stand for the sections that a deployment names itself."""\n\n\n'
    files["options/option.py"] = header("What is known of an option.", imports=imports) + names + OPTION_CLASS
    modules = sorted(map(_module, sections))
    imports = [f"from generated.options import {', '.join(modules)}"]
    imports.append("from generated.options.option import BACKEND, NETWORK, Option")
    text = header("Every option of the configuration file.", imports=imports)
    text += '__all__ = ["BACKEND", "NETWORK", "OPTIONS", "Option"]\n\nOPTIONS: tuple[Option, ...] = (\n'
    files["options/__init__.py"] = text + "".join(f"    *{module}.OPTIONS,\n" for module in modules) + ")\n"
    return files


def _module(section: str) -> str:
    return section.strip("<>").replace(" ", "_").lower()


def _option(one: dict[str, Any]) -> str:
    name = one["name"]
    words = [literal(value) for value in (one["section"], name, _field(name), one["type"], one["default"])]
    if one.get("choices"):
        words.append(f"choices={literal(tuple(str(choice) for choice in one['choices']))}")
    words += [f"{key}={one[key]!r}" for key in ("min", "max") if one.get(key) is not None]
    if one.get("secret"):
        words.append("secret=True")
    if one.get("old_names"):
        words.append(f"old_names={literal(tuple(one['old_names']))}")
    words.append(f"help={literal(sentence(one['meaning']))}")
    return f"Option({', '.join(words)})"


def _settings(sections: dict[str, list[dict[str, Any]]]) -> str:
    imports = ["from collections.abc import Mapping", "from dataclasses import dataclass, field"]
    out = [header("The configuration as frozen values, one class a section.", imports=imports)]
    for section in sorted(sections):
        out.append(f"\n\n@dataclass(frozen=True, slots=True)\nclass {class_of(section)}:\n")
        out.append(f'    """Section ``{section}``."""\n\n')
        for one in sections[section]:
            kind, default = _annotation(one)
            out.append(f"    {_field(one['name'])}: {kind} = {default}\n")
    out.append('\n\n@dataclass(frozen=True, slots=True)\nclass Settings:\n    """The whole configuration."""\n\n')
    for section in sorted(set(sections) - {BACKEND, NETWORK_GROUP}):
        name = "default" if section == "DEFAULT" else section
        out.append(f"    {name}: {class_of(section)} = field(default_factory={class_of(section)})\n")
    out.append("    backends: Mapping[str, BackendSection] = field(default_factory=dict)\n")
    out.append('    """Section name -> options, for each name in ``enabled_share_backends``."""\n')
    out.append("    networks: Mapping[str, NetworkSection] = field(default_factory=dict)\n")
    out.append('    """Section name -> network plug-in options, for each back end and network group."""\n')
    out.append("    mistakes: Mapping[str, str] = field(default_factory=dict)\n")
    out.append('    """Section of a back end -> what keeps it from being served; it is not among the others then."""\n')
    return "".join(out)


def sentence(text: str) -> str:
    """A text as a sentence: capital letter and full stop."""
    flat = " ".join(text.split())
    return flat[:1].upper() + flat[1:] + ("" if flat.endswith((".", "!", "?")) else ".")
