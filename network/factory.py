"""From the configuration to a network plugin, by the original's class names."""

from __future__ import annotations

import dataclasses
import socket
from collections.abc import Sequence

from generated.errors import NetworkBadConfigurationException
from generated.settings import NetworkSection, NeutronSection
from network.base import NetworkPlugin
from network.client import Client, NeutronOptions
from network.groups import Guard
from network.neutron import NeutronPlugin
from network.neutron_bind import BindOptions, NeutronBindPlugin
from network.standalone import StandaloneOptions, StandalonePlugin
from network.tokens import KeystoneTokens, Project, Token, fixed, known

FIXED_TOKEN = ("admin_token", "none", "noauth")
"""Values of ``auth_type`` that need no Keystone."""
GUARDS: dict[str, Guard] = {"none": "none", "subnet": "subnet", "rules": "rules"}


def build(
    section: NetworkSection,
    neutron: NeutronSection,
    label: str = "user",
    profiles: Sequence[NetworkSection] = (),
    guard: Guard = "none",
) -> NetworkPlugin:
    """The plugin that ``network_api_class`` of a section names.

    Args:
        section: options of the back end or of its network group.
        neutron: how to reach Neutron.
        label: ``user`` or ``admin``.
        profiles: the sections that ``neutron_binding_profiles`` names.
        guard: who may reach NFS on the ports, where the section leaves it to the back end (``auto``).

    Raises:
        NetworkBadConfigurationException: an unknown class, or options that are missing or don't fit together.
    """
    name = section.network_api_class.rpartition(".")[2]
    guard = GUARDS.get(section.neutron_nfs_access, guard)
    if name == "StandaloneNetworkPlugin":
        return StandalonePlugin(_standalone(section), label)
    if name == "NeutronNetworkPlugin":
        return NeutronPlugin(_client(section, neutron, guard), label, guard, section.neutron_own_networks_only)
    if name == "NeutronBindNetworkPlugin":
        own, binding = section.neutron_own_networks_only, _binding(section, profiles)
        return NeutronBindPlugin(_client(section, neutron, guard), label, guard, own, bind=binding)
    raise NetworkBadConfigurationException(reason=f"network_api_class {section.network_api_class} is not supported")


def ip_versions(section: NetworkSection) -> tuple[int, ...]:
    """The IP versions a plugin serves: what its two options allow."""
    return tuple(
        version
        for version, enabled in ((4, section.network_plugin_ipv4_enabled), (6, section.network_plugin_ipv6_enabled))
        if enabled
    )


def _standalone(section: NetworkSection) -> StandaloneOptions:
    for option in ("standalone_network_plugin_gateway", "standalone_network_plugin_mask"):
        if not getattr(section, option):
            raise NetworkBadConfigurationException(reason=f"option {option} is required")
    return StandaloneOptions(
        gateway=str(section.standalone_network_plugin_gateway),
        mask=str(section.standalone_network_plugin_mask),
        network_type=section.standalone_network_plugin_network_type,
        segmentation_id=section.standalone_network_plugin_segmentation_id,
        ranges=tuple(section.standalone_network_plugin_allowed_ip_ranges),
        mtu=section.standalone_network_plugin_mtu,
        ip_version=6 if section.network_plugin_ipv6_enabled else 4,
    )


def _binding(section: NetworkSection, profiles: Sequence[NetworkSection]) -> BindOptions:
    links = tuple(
        {
            "switch_id": one.neutron_switch_id,
            "port_id": one.neutron_port_id,
            "switch_info": dict(one.neutron_switch_info) or None,
        }
        for one in profiles
    )
    return BindOptions(section.neutron_host_id or socket.gethostname(), section.neutron_vnic_type, links)


def _client(section: NetworkSection, neutron: NeutronSection, guard: Guard) -> Client:
    verify: bool | str = False if neutron.insecure else neutron.cafile or True
    token, keystone = _tokens(neutron, verify)
    if neutron.url is None and keystone is None:
        raise NetworkBadConfigurationException(reason="option url of section neutron is required without Keystone")
    project: Project | None = keystone.project if keystone is not None else None
    if keystone is None and neutron.project_id:
        project = known(neutron.project_id)
    if project is None and guard != "none":
        raise NetworkBadConfigurationException(
            reason=f"neutron_nfs_access = {guard} with auth_type {neutron.auth_type} needs the option project_id of "
            "section neutron: the project of the token, which owns the security groups"
        )
    options = NeutronOptions(
        url=neutron.url,
        physical_network=section.neutron_physical_net_name,
        timeout=neutron.timeout or 60.0,
        verify=verify,
    )

    async def look_up() -> str:
        assert keystone is not None
        return await keystone.endpoint(neutron.endpoint_type.removesuffix("URL"), neutron.region_name)

    return Client(options, token, look_up, project)


def _tokens(neutron: NeutronSection, verify: bool | str) -> tuple[Token, KeystoneTokens | None]:
    kind = neutron.auth_type or "password"
    if kind in FIXED_TOKEN:
        return fixed(neutron.token or ""), None
    values = {one.name: getattr(neutron, one.name) for one in dataclasses.fields(neutron)}
    cert = (neutron.certfile, neutron.keyfile) if neutron.certfile and neutron.keyfile else None
    keystone = KeystoneTokens(kind, values, verify=verify, cert=cert, timeout=neutron.timeout)
    return keystone, keystone
