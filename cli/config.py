"""``manila.conf`` to frozen settings: the only place that reads configuration files.

oslo.config parses the files, knows the options' old names and checks types and bounds; what comes out is
``generated.settings.Settings``.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import pathlib
import re
import socket
from collections.abc import Iterable, Sequence
from typing import Any

from oslo_config import cfg, types

from cli import read_over
from drivers.named import DRIVERS
from generated import settings as sections
from generated.options import BACKEND, NETWORK, OPTIONS, Option
from generated.settings import BackendSection, NetworkSection, Settings

DEFAULT_FILES = ("/etc/manila/manila-secrets.conf", "/etc/manila/manila.conf", "/etc/manila/manila.conf.d")
"""Read if they are there and no other is named: in a pod of the chart passwords have a file of their own."""
CLASSES = {name: getattr(sections, name) for name in dir(sections) if name.endswith("Section")}
TYPES = {
    "str": cfg.StrOpt, "int": cfg.IntOpt, "float": cfg.FloatOpt, "bool": cfg.BoolOpt, "list": cfg.ListOpt,
    "multistr": cfg.MultiStrOpt, "dict": cfg.DictOpt, "port": cfg.PortOpt, "hostaddress": cfg.StrOpt,
}  # fmt: skip


class BadConfiguration(Exception):
    """The configuration can't be used; the text names file, section and option."""


class Unknown(BadConfiguration):
    """Options that nobody knows: a line for each, with file and line."""


class FromEnvironment(BadConfiguration):
    """The environment has a value that can't be used; the text names the variable."""


def _oslo(option: Option) -> cfg.Opt:
    extra: dict[str, Any] = {}
    if option.type in ("int", "float", "port"):
        extra |= {key: getattr(option, key) for key in ("min", "max") if getattr(option, key) is not None}
    if option.choices and option.type == "str":
        extra["choices"] = list(option.choices)
    if option.old_names:
        olds = [old.rpartition(".") for old in option.old_names]
        extra["deprecated_opts"] = [cfg.DeprecatedOpt(name, group=group or None) for group, _, name in olds]
    default = option.default
    if isinstance(default, str) and default.startswith("<"):
        default = None
    if _is_mapping(option):
        kind = types.Dict(types.List(types.String(), bounds=True))
        return cfg.Opt(option.name, type=kind, default=default, help=option.help, **extra)
    made: cfg.Opt = TYPES[option.type](option.name, default=default, secret=option.secret, help=option.help, **extra)
    return made


def _by_section() -> dict[str, list[Option]]:
    found: dict[str, list[Option]] = collections.defaultdict(list)
    for option in OPTIONS:
        found[option.section].append(option)
    return found


def load(files: Sequence[str | pathlib.Path] | None = None) -> Settings:
    """Read configuration files, later ones winning.

    Args:
        files: a folder stands for its ``*.conf`` in the order of their names; None for ``DEFAULT_FILES``.

    Raises:
        BadConfiguration: a file is missing, or an option is unknown or has a bad value; the text names file, section
            and option. A bad value in the section of a back end is among the ``mistakes`` of the settings instead.
    """
    named = [pathlib.Path(file) for file in (files if files is not None else filter(os.path.exists, DEFAULT_FILES))]
    names = [str(file) for one in named for file in (sorted(one.glob("*.conf")) if one.is_dir() else [one])]
    conf = cfg.ConfigOpts()
    known = _by_section()
    try:
        _refuse_unknown(names, known)
        conf([], project="manila", default_config_files=names, default_config_dirs=[])
        for section, options in known.items():
            if section not in (BACKEND, NETWORK):
                conf.register_opts([_oslo(one) for one in options], group=None if section == "DEFAULT" else section)
        conf.register_opts([_oslo(one) for one in known[NETWORK]])
        values = {
            _attribute(section): _read(conf, None if section == "DEFAULT" else section, options)
            for section, options in known.items()
            if section not in (BACKEND, NETWORK)
        }
        mistakes: dict[str, str] = {}
        backends = _backends(conf, values["default"].enabled_share_backends, mistakes)
        networks = _networks(conf, backends, mistakes)
    except Unknown:
        raise
    except FromEnvironment:
        raise
    except BadConfiguration as error:
        raise BadConfiguration(f"{', '.join(names) or 'configuration'}: {error}") from error
    except (cfg.Error, cfg.ParseError, ValueError, OSError) as error:
        raise BadConfiguration(f"{', '.join(names) or 'configuration'}: {error}") from error
    for name in mistakes:
        backends.pop(name, None)
        networks.pop(name, None)
    return _completed(Settings(**values, backends=backends, networks=networks, mistakes=mistakes), named)


def _attribute(section: str) -> str:
    return "default" if section == "DEFAULT" else section


def _read(conf: cfg.ConfigOpts, group: str | None, options: Iterable[Option]) -> Any:
    where = conf if group is None else conf[group]
    values, wrong = {}, []
    for option in options:
        try:
            values[option.field] = _plain(option, getattr(where, option.name.replace("-", "_")))
        except (ValueError, cfg.Error) as error:
            variable = f"OS_{group or 'DEFAULT'}__{option.name}".upper().replace("-", "_")
            if variable in os.environ:
                raise FromEnvironment(f"environment variable {variable}: {error}") from error
            wrong.append(f"[{group or 'DEFAULT'}] {option.name}: {error}")
    if wrong:
        raise BadConfiguration("; ".join(wrong))
    section = options[0].section if isinstance(options, list) else group
    return CLASSES[_class_of(str(section))](**values)


def _class_of(section: str) -> str:
    fixed = {BACKEND: "BackendSection", NETWORK: "NetworkSection", "DEFAULT": "DefaultSection"}
    return fixed.get(section) or "".join(word.capitalize() for word in section.split("_")) + "Section"


def _plain(option: Option, value: Any) -> Any:
    if option.type in ("list", "multistr"):
        return tuple(value or ())
    if option.type == "dict":
        return tuple((value or {}).items())
    if _is_mapping(option):
        return tuple((key, ",".join(items)) for key, items in (value or {}).items())
    return value


def _is_mapping(option: Option) -> bool:
    """Whether the value says lists by key: ``ip:[nfs,cifs],user:[cifs]``."""
    return isinstance(option.default, dict) and option.type != "dict"


def _group(conf: cfg.ConfigOpts, name: str, kind: str, made: type[Any]) -> Any:
    options = _by_section()[kind]
    conf.register_opts([_oslo(one) for one in options], group=name)
    return _read(conf, name, options)


def _backends(conf: cfg.ConfigOpts, names: Iterable[str], mistakes: dict[str, str]) -> dict[str, BackendSection]:
    """Options of each back end; a bad value in one's section is a mistake of that one, and nobody else's."""
    found = {}
    for name in names:
        try:
            found[name] = _group(conf, name, BACKEND, BackendSection)
        except BadConfiguration as error:
            mistakes[name] = str(error)
    return found


def _networks(
    conf: cfg.ConfigOpts, backends: dict[str, BackendSection], mistakes: dict[str, str]
) -> dict[str, NetworkSection]:
    """Network options of each back end and network group; what a section leaves out comes from DEFAULT."""
    names = set(backends)
    for one in backends.values():
        names |= {group for group in (one.network_config_group, one.admin_network_config_group) if group}
    shared = _read(conf, None, _by_section()[NETWORK])
    defaults = {field.name: field.default for field in dataclasses.fields(NetworkSection)}
    found: dict[str, NetworkSection] = {}
    waiting = sorted(names)
    while waiting:
        name = waiting.pop(0)
        try:
            own = _group(conf, name, NETWORK, NetworkSection)
        except BadConfiguration as error:
            if name not in backends:
                raise
            mistakes[name] = str(error)
            continue
        merged = {
            field: getattr(shared, field) if getattr(own, field) == default else getattr(own, field)
            for field, default in defaults.items()
        }
        found[name] = NetworkSection(**merged)
        waiting += [one for one in found[name].neutron_binding_profiles if one not in {*found, *waiting}]
    return found


def _refuse_unknown(files: list[str], known: dict[str, list[Option]]) -> None:
    """Options that nobody knows are mistakes, not decoration; all are told at once, each with file and line."""
    names = {section: {one.name for one in options} for section, options in known.items()}
    names["DEFAULT"] |= names[NETWORK]
    old = {tuple(old.split(".", 1)) for options in known.values() for one in options for old in one.old_names}
    read = [(file, parsed(file)) for file in files]
    # what a section has may be said in several files
    elsewhere = {section for _, said in read for section, options in said.items() if _of_others(options)}
    found = []
    for file, said in read:
        for section, options in said.items():
            if section in read_over.SECTIONS or section in elsewhere:
                continue
            allowed = names.get(section)
            if allowed is None:  # a back end or a network group, in use or kept for later
                allowed = names[BACKEND] | names[NETWORK]
            allowed = allowed | {pair[1] for pair in old if pair[0] == section} | read_over.OPTIONS.get(section, set())
            for option in options:
                if option not in allowed and option.replace("-", "_") not in allowed:
                    found.append(f"{file}:{line_of(file, section, option)}: [{section}] {option} is not a known option")
    if found:
        raise Unknown("\n".join(found))


def parsed(file: str) -> dict[str, dict[str, list[str]]]:
    """Section -> option -> values, as a file says them. Raises what oslo.config raises."""
    said: dict[str, dict[str, list[str]]] = {}
    cfg.ConfigParser(file, said).parse()
    return said


def _of_others(options: dict[str, list[str]]) -> bool:
    """Whether a section is of a back end whose driver is not here: what that driver is told is not ours to know."""
    named = options.get("share_driver")
    return named is not None and named[-1] not in DRIVERS


def line_of(file: str, section: str, option: str) -> int:
    """Line of an option's first value, from 1; 0 when it isn't found."""
    here = "DEFAULT"
    for number, line in enumerate(pathlib.Path(file).read_text().splitlines(), 1):
        if line.startswith("["):
            here = line[1:].partition("]")[0].strip()
        elif here == section and re.match(rf"{re.escape(option)}\s*[=:]", line):
            return number
    return 0


def _completed(settings: Settings, named: Sequence[pathlib.Path]) -> Settings:
    """Fill in what depends on the machine and on where the files are.

    The policy file is looked for in the folders that are named, then beside the files, the last first, as oslo.config
    does; one that is nowhere belongs beside the last file.
    """
    default, policy = settings.default, settings.oslo_policy
    if default.host is None:
        default = dataclasses.replace(default, host=socket.gethostname())
    if named and policy.policy_file:
        folders = [one for one in named if one.is_dir()]
        beside = [one.parent for one in reversed(named) if not one.is_dir()]
        places = [folder / policy.policy_file for folder in (*folders, *beside)]
        place = next((one for one in places if one.exists()), places[len(folders)] if beside else places[-1])
        policy = dataclasses.replace(policy, policy_file=str(place))
    return dataclasses.replace(settings, default=default, oslo_policy=policy)


def replaced(settings: Settings, option: str, value: Any, section: str = "DEFAULT") -> Settings:
    """The settings with one option changed; ``value`` is text as in a file, or of the option's type already.

    Raises:
        BadConfiguration: the option is unknown or the value is none of its values.
    """
    places: dict[str, Any] = {"backends": settings.backends, "networks": settings.networks}
    for kind, folder in ((BACKEND, "backends"), (NETWORK, "networks")):
        found = _find(kind, option)
        if section in places[folder] and found is not None:
            changed = dataclasses.replace(places[folder][section], **{found.field: _typed(found, value)})
            whole: dict[str, Any] = {folder: {**places[folder], section: changed}}
            return dataclasses.replace(settings, **whole)
    found = _find(section, option)
    if found is None:
        raise BadConfiguration(f"[{section}] {option} is not a known option")
    attribute = _attribute(section)
    changed = dataclasses.replace(getattr(settings, attribute), **{found.field: _typed(found, value)})
    return dataclasses.replace(settings, **{attribute: changed})


def _find(section: str, option: str) -> Option | None:
    return next((one for one in OPTIONS if one.section == section and option in (one.name, one.field)), None)


def _typed(option: Option, value: Any) -> Any:
    if value is None:
        return None
    try:
        return _plain(option, _oslo(option).type(value if isinstance(value, list | dict) else str(value)))
    except ValueError as error:
        raise BadConfiguration(f"[{option.section}] {option.name}: {error}") from error
