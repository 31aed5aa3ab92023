"""From the configuration to back ends: drivers by the original's option, with their network plugins."""

from __future__ import annotations

import importlib
import socket
from dataclasses import dataclass

from drivers.base import BackendOptions, ShareDriver
from drivers.named import DRIVERS
from generated.errors import InvalidParameterValue
from generated.runtime import ManilaError
from generated.settings import BackendSection, Settings
from network import factory, keys
from network.base import NetworkPlugin
from network.groups import Guard
from network.neutron import NeutronPlugin
from network.neutron_bind import NeutronBindPlugin
from worker.operation import Backend


def host_of(settings: Settings, backend: str) -> str:
    """The service's host: ``node1@alpha``."""
    return f"{settings.default.host or socket.gethostname()}@{backend}"


@dataclass(frozen=True, slots=True)
class Unusable:
    """A back end that can't be served as it is configured; ``why`` names its section."""

    name: str
    host: str
    why: str


def build(settings: Settings) -> list[Backend]:
    """A back end for each name in ``enabled_share_backends``.

    Raises:
        InvalidParameterValue: a section is missing, names an unknown driver or asks for what does not fit together.
    """
    return [_built(settings, name) for name in settings.default.enabled_share_backends]


def build_each(settings: Settings) -> tuple[list[Backend], list[Unusable]]:
    """The back ends that can be served, and those that can't: a mistake in one section does not end the others."""
    good: list[Backend] = []
    bad: list[Unusable] = []
    for name in settings.default.enabled_share_backends:
        try:
            good.append(_built(settings, name))
        except ManilaError as error:
            bad.append(Unusable(name, host_of(settings, name), str(error)))
    return good, bad


def _built(settings: Settings, name: str) -> Backend:
    section = section_of(settings, name)
    backend = Backend(name, host_of(settings, name), driver(settings, name, section), section=section)
    backend.keys = keys.build(settings.key_manager, settings.barbican)
    if backend.driver.driver_handles_share_servers:
        guard: Guard = "rules" if backend.driver.binds_ports else "none"
        backend.network = _network(settings, section.network_config_group or name, "user", guard)
        _lend_ports(name, backend.driver, backend.network)
        if section.admin_network_config_group:
            backend.admin_network = _network(settings, section.admin_network_config_group, "admin")
            _nobody_mounts_there(name, backend.admin_network)
    return backend


def _lend_ports(name: str, driver: ShareDriver, network: NetworkPlugin) -> None:
    """Let a driver that binds ports, or tells who may reach them, have those of its network.

    Raises:
        InvalidParameterValue: the two do not fit together.
    """
    if not isinstance(network, NeutronPlugin):
        return
    if network.guard == "rules" and not driver.tells_clients:
        raise InvalidParameterValue(
            err=f"[{name}] neutron_nfs_access = rules: the driver does not tell whom the access rules let in"
        )
    if driver.binds_ports and isinstance(network, NeutronBindPlugin) and network.bind.vnic_type != "normal":
        raise InvalidParameterValue(
            err=f"[{name}] the driver binds its ports itself, and NeutronBindNetworkPlugin with neutron_vnic_type "
            f"{network.bind.vnic_type} waits for another one to do it: use NeutronNetworkPlugin"
        )
    if driver.binds_ports or network.guard == "rules":
        driver.tenant_ports.be(network.ports)


def _nobody_mounts_there(name: str, network: NetworkPlugin) -> None:
    """Raise InvalidParameterValue if access rules are to open ports of the administrators' network."""
    if isinstance(network, NeutronPlugin) and network.guard == "rules":
        raise InvalidParameterValue(err=f"[{name}] neutron_nfs_access = rules is not for the admin network")


def section_of(settings: Settings, name: str) -> BackendSection:
    """The options of a back end. Raises InvalidParameterValue: it has no section, or a bad value stands there."""
    if name in settings.mistakes:
        raise InvalidParameterValue(err=settings.mistakes[name])
    section = settings.backends.get(name)
    if section is None:
        raise InvalidParameterValue(err=f"enabled_share_backends names {name}, which has no section")
    return section


def target(name: str, section: BackendSection) -> str:
    """Where the driver is that a back end's section names.

    Raises:
        InvalidParameterValue: there is no such driver here; the text lists those there are.
    """
    found = DRIVERS.get(section.share_driver or "")
    if found is None:
        here = ", ".join(sorted(DRIVERS))
        raise InvalidParameterValue(
            err=f"[{name}] the driver {section.share_driver} is not here: share_driver is one of {here}"
        )
    return found


def driver(settings: Settings, name: str, section: BackendSection) -> ShareDriver:
    """The driver that a back end's section names."""
    module, _, attribute = target(name, section).partition(":")
    found = importlib.import_module(module)
    made = getattr(found, attribute)(options(name, section, getattr(found, "OPTIONS", BackendOptions)))
    if not isinstance(made, ShareDriver):
        raise InvalidParameterValue(err=f"[{name}] share_driver {section.share_driver} is no share driver")
    network = settings.networks.get(section.network_config_group or name)
    if network is not None:
        made.network_ip_versions = factory.ip_versions(network)
    return made


def options(name: str, section: BackendSection, kind: type[BackendOptions] = BackendOptions) -> BackendOptions:
    """What the section tells a driver: the fields of ``kind``, which says their units, under the options' names."""
    known = {field: getattr(section, field) for field in kind.__dataclass_fields__ if hasattr(section, field)}
    known = {field: value for field, value in known.items() if value is not None}
    return kind(**{"share_backend_name": name, **known, "name": name})


def _network(settings: Settings, section: str, label: str, guard: Guard = "none") -> NetworkPlugin:
    found = settings.networks.get(section)
    if found is None:
        raise InvalidParameterValue(err=f"the network options' section {section} is missing")
    profiles = [settings.networks[one] for one in found.neutron_binding_profiles]
    return factory.build(found, settings.neutron, label, profiles, guard)
