"""The files of an embedded installation: ``manila.conf`` for the service, ``clouds.yaml`` for its clients."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

import yaml

from deploy.embedded.accounts import Account
from deploy.embedded.machines import prefix

_COMMON = """\
[DEFAULT]
host = embedded
state_path = {folder}
enabled_share_backends = {backend}
enabled_share_protocols = NFS
default_share_type = default
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {api_port}
mount_tmp_location = {folder}/data
backup_mount_tmp_location = {folder}/data
backup_mount_export = {folder}/backups
data_node_access_ips = 192.0.2.1
backup_continue_update_interval = 2
restore_continue_update_interval = 2
driver_backup_continue_update_interval = 2
driver_restore_continue_update_interval = 2
{backup_mounts}

[openkeel]
embedded_database = {folder}/database
metrics_port = 0
log_level = {log_level}

[keystone_authtoken]
www_authenticate_uri = {identity}/v3
auth_url = {identity}/v3
auth_type = password
username = {service.user}
password = {service.password}
project_name = {service.project}
user_domain_name = Default
project_domain_name = Default

[neutron]
url = {neutron}
auth_url = {identity}/v3
auth_type = password
username = {service.user}
password = {service.password}
project_name = {service.project}
user_domain_name = Default
project_domain_name = Default

[{backend}]
share_backend_name = {backend}
share_driver = {driver}
driver_handles_share_servers = True
network_api_class = manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin
ganesha_state_path = {folder}/ganesha
ganesha_namespace_prefix = {prefix}
ganesha_pool_size_gb = 8
ganesha_pool_preallocate = false
ganesha_backup_path = {folder}/images
{ganesha_root}
"""
_BINDS = """\
backup_share_mount_template = {folder}/bind-share %(export)s %(path)s
backup_mount_template = mount --bind %(export)s %(path)s
"""
_BIND_SHARE = """\
#!/bin/sh
# a share as the data service mounts it: EXPORT PATH
exec mount --bind "{folder}/ganesha/mounts/${{1##*:/}}" "$2"
"""
"""The shares are on this machine, so no NFS client is needed to read them."""
_ADMIN_NETWORK = """\
admin_network_config_group = admin_net

[admin_net]
network_api_class = manila.network.standalone_network_plugin.StandaloneNetworkPlugin
standalone_network_plugin_gateway = 11.0.0.1
standalone_network_plugin_mask = 24
standalone_network_plugin_network_type = vlan
standalone_network_plugin_segmentation_id = 1010
standalone_network_plugin_allowed_ip_ranges = 11.0.0.10-11.0.0.250
"""
"""What the dummy driver's share servers ask for besides the tenant's ports."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where an embedded installation keeps its files and listens. URLs are without a trailing slash."""

    folder: pathlib.Path
    api_port: int
    identity: str
    neutron: str

    @property
    def conf(self) -> pathlib.Path:
        return self.folder / "manila.conf"

    @property
    def clouds(self) -> pathlib.Path:
        return self.folder / "clouds.yaml"

    @property
    def log(self) -> pathlib.Path:
        return self.folder / "manila.log"

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.api_port}"


def write(
    places: Places, accounts: list[Account], *, dummy: bool, log_level: str, ganesha: pathlib.Path | None = None
) -> None:
    """Write both files, readable by their owner only: they hold passwords.

    Args:
        ganesha: folder with the Ganesha that gateways run; None: the machine's.
    """
    service = next(account for account in accounts if account.user == "manila")
    text = _COMMON.format(
        folder=places.folder,
        api_port=places.api_port,
        identity=places.identity,
        neutron=places.neutron,
        service=service,
        log_level=log_level,
        prefix=prefix(places.folder),
        backend="dummy" if dummy else "ganesha",
        driver="dummy" if dummy else "ganesha",
        ganesha_root=f"ganesha_root = {ganesha}" if ganesha else "",
        backup_mounts="" if dummy else _BINDS.format(folder=places.folder),
    )
    (places.folder / "backups").mkdir(exist_ok=True)
    if dummy:
        text = text.replace("[openkeel]\n", f"[openkeel]\ndata_folders = {places.folder}/exports\n") + _ADMIN_NETWORK
    else:
        program = places.folder / "bind-share"
        program.write_text(_BIND_SHARE.format(folder=places.folder))
        program.chmod(0o755)
    for path, content in ((places.conf, text), (places.clouds, clouds(places.identity, accounts))):
        path.touch(mode=0o600)
        path.write_text(content)


def clouds(identity: str, accounts: list[Account]) -> str:
    """A ``clouds.yaml`` with a cloud for each account, named after its project; ``identity``: Keystone's URL."""
    return yaml.safe_dump({"clouds": {account.project: _cloud(identity, account) for account in accounts}})


def _cloud(identity: str, account: Account) -> dict[str, object]:
    return {
        "auth": {
            "auth_url": f"{identity}/v3",
            "username": account.user,
            "password": account.password,
            "project_name": account.project,
            "user_domain_name": "Default",
            "project_domain_name": "Default",
        },
        "region_name": "RegionOne",
        "identity_api_version": 3,
    }
