"""The configuration file of the service under test: the one that the recordings were made with."""

from __future__ import annotations

import json
import pathlib

from tests.conformance import launch

_SERVICE = """\
[DEFAULT]
host = node1
auth_strategy = keystone
enabled_share_backends = {backends}
enabled_share_protocols = NFS,CIFS
default_share_type = default
default_share_group_type = default_group
storage_availability_zone = nova
enable_gathering_share_usage_size = true
service_down_time = 600000000
report_interval = 600000000
use_scheduler_creating_share_from_snapshot = false
state_path = {folder}
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {port}

[oslo_messaging_notifications]
driver = test

[database]
connection = {database}

[keystone_authtoken]
www_authenticate_uri = http://keystone.example/identity
auth_type = none

[neutron]
auth_type = admin_token
token = neutron-service-token
token = neutron-service-token
url = {neutron}

[openkeel]
static_tokens = {tokens}
metrics_port = 0
task_poll = 0.2
log_level = {log_level}

[admin_net]
network_api_class = manila.network.standalone_network_plugin.StandaloneNetworkPlugin
standalone_network_plugin_gateway = 11.0.0.1
standalone_network_plugin_mask = 24
standalone_network_plugin_network_type = vlan
standalone_network_plugin_segmentation_id = 1010
standalone_network_plugin_allowed_ip_ranges = 11.0.0.10-11.0.0.250
"""
_PLAIN = """
[{name}]
share_driver = manila.tests.share.drivers.dummy.DummyDriver
share_backend_name = {upper}
driver_handles_share_servers = False
replication_domain = replica_domain_1
"""
_SERVERS = """
[{name}]
share_driver = manila.tests.share.drivers.dummy.DummyDriver
share_backend_name = {upper}
driver_handles_share_servers = True
network_api_class = manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin
neutron_physical_net_name = physnet1
admin_network_config_group = admin_net
network_plugin_ipv4_enabled = true
"""
WITH_SERVERS = ("gamma", "delta")


def write(
    folder: pathlib.Path, *, port: int, database: str, neutron: str, backends: list[str], log_level: str = "WARNING"
) -> pathlib.Path:
    """Write ``manila.conf`` into ``folder``; ``database`` and ``neutron`` are URLs."""
    text = _SERVICE.format(
        folder=folder,
        port=port,
        database=database,
        neutron=neutron,
        backends=",".join(backends),
        tokens=launch.VENDORED / "tokens.json",
        log_level=log_level,
    )
    for name in backends:
        text += (_SERVERS if name in WITH_SERVERS else _PLAIN).format(name=name, upper=name.upper())
    path = folder / "manila.conf"
    path.write_text(text)
    return path


def override(current: object, value: object) -> object:
    """A value of the control side in the type that the option has now."""
    if isinstance(current, tuple) and isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(current, tuple) and isinstance(value, list):
        return tuple(value)
    if isinstance(current, bool) and isinstance(value, str):
        return value.lower() in ("true", "yes", "on", "1")
    if isinstance(current, int | float) and not isinstance(current, bool) and isinstance(value, str):
        return type(current)(json.loads(value))
    return value
