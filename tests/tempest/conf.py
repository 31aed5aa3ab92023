"""``tempest.conf`` for the service behind a real Keystone: what the functional suite may expect of it."""

from __future__ import annotations

import configparser
import pathlib

from tests.peers.keystone import PASSWORD, REGION, Keystone

PROFILES = ("nodhss", "dhss")
"""``nodhss``: on back ends without share servers; ``dhss``: on those with them, share networks without Neutron."""
_SHARE = {
    "catalog_type": "sharev2",
    "region": REGION,
    "min_api_microversion": "2.0",
    "max_api_microversion": "2.99",
    "build_interval": "1",
    "build_timeout": "90",
    "migration_timeout": "120",
    "share_backup_timeout": "120",
    "share_server_migration_timeout": "120",
    "create_networks_when_multitenancy_enabled": "false",
    "enable_protocols": "nfs,cifs",
    "capability_storage_protocol": "NFS_CIFS",
    "enable_ip_rules_for_protocols": "nfs",
    "enable_user_rules_for_protocols": "cifs",
    "enable_cert_rules_for_protocols": "",
    "enable_cephx_rules_for_protocols": "",
    "enable_ro_access_level_for_protocols": "nfs,cifs",
    "multi_backend": "true",
    "backend_replication_type": "readable",
    "capability_sg_consistent_snapshot_support": "pool",
    "run_replication_tests": "true",
    "run_multiple_share_replicas_tests": "true",
    "run_driver_assisted_migration_tests": "true",
    "run_migration_with_preserve_snapshots_tests": "true",
    "run_manage_unmanage_tests": "true",
    "run_manage_unmanage_snapshot_tests": "true",
    "run_mount_snapshot_tests": "true",
    "run_revert_to_snapshot_tests": "true",
    "run_create_share_from_snapshot_in_another_pool_or_az_tests": "false",
    "run_ipv6_tests": "false",
    "suppress_errors_in_cleanup": "false",
}
_PROFILE = {
    "nodhss": {
        "default_share_type_name": "default",
        "multitenancy_enabled": "false",
        "backend_names": "ALPHA,BETA",
        "run_driver_assisted_backup_tests": "true",
    },
    "dhss": {
        "default_share_type_name": "dhss_true",
        "multitenancy_enabled": "true",
        "backend_names": "GAMMA,DELTA",
        "run_driver_assisted_backup_tests": "false",
        "run_share_server_migration_tests": "true",
        "run_share_server_multiple_subnet_tests": "true",
        "run_network_allocation_update_tests": "true",
    },
}


def write(path: pathlib.Path, profile: str, at: Keystone) -> None:
    """Write the file; its folder holds tempest's log and locks too."""
    folder = path.parent
    absent = ("nova", "neutron", "glance", "cinder", "swift", "horizon")
    sections: dict[str, dict[str, str]] = {
        "DEFAULT": {"log_file": "tempest.log", "log_dir": str(folder), "debug": "false"},
        "oslo_concurrency": {"lock_path": str(folder / "lock")},
        "auth": {
            "use_dynamic_credentials": "true",
            "create_isolated_networks": "false",
            "admin_username": "admin",
            "admin_project_name": "admin",
            "admin_password": PASSWORD,
            "admin_domain_name": "Default",
            "tempest_roles": "member",
            "default_credentials_domain_name": "Default",
        },
        "identity": {
            "uri_v3": at.url,
            "auth_version": "v3",
            "region": REGION,
            "v3_endpoint_type": "public",
            "catalog_type": "identity",
            "default_domain_id": "default",
        },
        "identity-feature-enabled": {"api_v2": "false", "api_v3": "true"},
        "service_available": {"manila": "true", **dict.fromkeys(absent, "false")},
        "enforce_scope": {"manila": "true"},
        "validation": {"run_validation": "false"},
        "share": {**_SHARE, **_PROFILE[profile]},
    }
    parser = configparser.RawConfigParser(default_section="__none__")
    for section, values in sections.items():
        parser.read_dict({section: values})
    with open(path, "w") as handle:
        parser.write(handle)
