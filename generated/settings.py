"""The configuration as frozen values, one class a section.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BackendSection:
    """Section ``<back end>``."""

    automatic_share_server_cleanup: bool = True
    unused_share_server_cleanup_interval: int = 10
    unmanage_remove_access_rules: bool = False
    share_backend_name: str | None = None
    share_driver: str = "manila.share.drivers.generic.GenericShareDriver"
    driver_handles_share_servers: bool | None = None
    network_config_group: str | None = None
    admin_network_config_group: str | None = None
    reserved_share_percentage: int = 0
    reserved_share_from_snapshot_percentage: int = 0
    reserved_share_extend_percentage: int = 0
    max_over_subscription_ratio: float = 20.0
    replication_domain: str | None = None
    backend_availability_zone: str | None = None
    filter_function: str | None = None
    goodness_function: str | None = None
    max_shares_per_share_server: int = -1
    max_share_server_size: int = -1
    num_shell_tries: int = 3
    share_mount_template: str = "mount -vt %(proto)s %(options)s %(export)s %(path)s"
    share_unmount_template: str = "umount -v %(path)s"
    protocol_access_mapping: tuple[tuple[str, str], ...] = (("ip", "nfs"), ("user", "cifs"))
    migration_ignore_files: tuple[str, ...] = ("lost+found",)
    ganesha_config_dir: str = "/etc/ganesha"
    ganesha_config_path: str = "$ganesha_config_dir/ganesha.conf"
    ganesha_service_name: str = "ganesha.nfsd"
    ganesha_db_path: str = "$state_path/manila-ganesha.db"
    ganesha_export_dir: str = "$ganesha_config_dir/export.d"
    ganesha_export_template_dir: str = "/etc/manila/ganesha-export-templ.d"
    ganesha_rados_store_enable: bool = False
    ganesha_rados_store_pool_name: str | None = None
    ganesha_rados_export_counter: str = "ganesha-export-counter"
    ganesha_rados_export_index: str = "ganesha-export-index"
    ganesha_state_path: str = "/var/lib/openkeel-manila"
    ganesha_pool_size_gb: int = 20
    ganesha_pool_preallocate: bool = True
    ganesha_namespace_prefix: str = "manila-"
    ganesha_share_owner: str = "0:0"
    ganesha_share_mode: str = "0777"
    ganesha_share_squash: str = "none"
    ganesha_grace_period: int = 20
    ganesha_lease_lifetime: int = 20
    ganesha_timeout: float = 30.0
    ganesha_hang_timeout: int = 60
    ganesha_log_size_mb: int = 10
    ganesha_root: str | None = None
    ganesha_allow_old: bool = False
    ganesha_minor_versions: str = "1,2"
    ganesha_metrics_port: int = 0
    ganesha_backup_path: str | None = None
    kubernetes_kubeconfig: str | None = None
    kubernetes_request_timeout: float = 10.0
    kubernetes_namespace: str = "openkeel-gateways"
    kubernetes_namespace_form: str = "single"
    kubernetes_storage_class: str = "longhorn"
    kubernetes_snapshot_class: str = "longhorn"
    kubernetes_attachment: str = "multus"
    kubernetes_cni_config: str = ""
    kubernetes_cni_masks: bool = True
    kubernetes_kube_ovn_interface: str = "additional"
    kubernetes_kube_ovn_groups: bool = True
    kubernetes_gateway_image: str = "localhost/manila-gateway:latest"
    kubernetes_gateways_path: str = "/var/lib/openkeel-manila/gateways"
    kubernetes_state_size_mb: int = 300
    kubernetes_gateway_resources: str = '{"requests": {"cpu": "50m", "memory": "96Mi"}, "limits": {"memory": "2Gi"}}'
    kubernetes_agent_resources: str = '{"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}'
    kubernetes_holder_resources: str = '{"requests": {"cpu": "1m", "memory": "4Mi"}, "limits": {"memory": "16Mi"}}'
    kubernetes_pull_secrets: str = ""
    kubernetes_backup_class: str = ""
    kubernetes_node_selector: str = "{}"
    kubernetes_tolerations: str = "[]"
    kubernetes_priority_class: str = ""
    kubernetes_failover_seconds: int = 30
    kubernetes_bind_timeout: float = 120.0
    kubernetes_start_timeout: float = 180.0
    kubernetes_expand_timeout: float = 600.0
    kubernetes_copy_timeout: int = 86400
    kubernetes_volumes_timeout: int = 60
    kubernetes_remove_orphans: bool = False
    kubernetes_orphan_grace: int = 86400
    kubernetes_fence_ports: bool = True


@dataclass(frozen=True, slots=True)
class NetworkSection:
    """Section ``<network>``."""

    network_api_class: str = "manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin"
    network_plugin_ipv4_enabled: bool = True
    network_plugin_ipv6_enabled: bool = False
    neutron_physical_net_name: str | None = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None
    neutron_vnic_type: str = "baremetal"
    neutron_host_id: str | None = None
    neutron_binding_profiles: tuple[str, ...] = ()
    neutron_switch_id: str | None = None
    neutron_port_id: str | None = None
    neutron_switch_info: tuple[tuple[str, str], ...] = ()
    standalone_network_plugin_gateway: str | None = None
    standalone_network_plugin_mask: str | None = None
    standalone_network_plugin_network_type: str | None = None
    standalone_network_plugin_segmentation_id: int | None = None
    standalone_network_plugin_allowed_ip_ranges: tuple[str, ...] = ()
    standalone_network_plugin_mtu: int = 1500
    neutron_nfs_access: str = "auto"
    neutron_own_networks_only: bool = False


@dataclass(frozen=True, slots=True)
class DefaultSection:
    """Section ``DEFAULT``."""

    host: str | None = None
    my_ip: str | None = None
    state_path: str = "/var/lib/manila"
    auth_strategy: str = "keystone"
    storage_availability_zone: str = "nova"
    enabled_share_backends: tuple[str, ...] = ()
    enabled_share_protocols: tuple[str, ...] = ("NFS", "CIFS")
    default_share_type: str | None = None
    default_share_group_type: str | None = None
    osapi_max_limit: int = 1000
    osapi_share_base_URL: str | None = None
    osapi_share_listen: str = "::"
    osapi_share_listen_port: int = 8786
    osapi_share_workers: int = 1
    osapi_share_use_ssl: bool = False
    use_forwarded_for: bool = False
    project_id_regex: str = "[0-9a-f\\-]+"
    service_down_time: int = 60
    report_interval: int = 10
    periodic_interval: int = 60
    periodic_fuzzy_delay: int = 60
    cleanup_interval: int = 1800
    enable_new_services: bool = True
    scheduler_topic: str = "manila-scheduler"
    share_topic: str = "manila-share"
    data_topic: str = "manila-data"
    scheduler_driver: str = "manila.scheduler.drivers.filter.FilterScheduler"
    scheduler_host_manager: str = "manila.scheduler.host_manager.HostManager"
    scheduler_max_attempts: int = 3
    scheduler_default_filters: tuple[str, ...] = (
        "OnlyHostFilter",
        "AvailabilityZoneFilter",
        "CapacityFilter",
        "CapabilitiesFilter",
        "DriverFilter",
        "ShareReplicationFilter",
        "CreateFromSnapshotFilter",
        "AffinityFilter",
        "AntiAffinityFilter",
    )
    scheduler_default_weighers: tuple[str, ...] = ("CapacityWeigher", "GoodnessWeigher", "HostAffinityWeigher")
    scheduler_default_share_group_filters: tuple[str, ...] = ("AvailabilityZoneFilter", "ConsistentSnapshotFilter")
    scheduler_default_extend_filters: tuple[str, ...] = ("CapacityFilter", "DriverFilter")
    scheduler_json_config_location: str = ""
    max_gigabytes: int = 10000
    capacity_weight_multiplier: float = 1.0
    max_over_subscription_ratio: float = 20.0
    pool_weight_multiplier: float = 1.0
    use_scheduler_creating_share_from_snapshot: bool = False
    is_deferred_deletion_enabled: bool = False
    periodic_deferred_delete_interval: int = 300
    soft_deleted_share_retention_time: int = 604800
    check_for_expired_shares_in_recycle_bin_interval: int = 3600
    transfer_retention_time: int = 300
    check_for_expired_transfers: int = 300
    message_ttl: int = 2592000
    message_reap_interval: int = 86400
    admin_only_metadata: tuple[str, ...] = ("__affinity_same_host", "__affinity_different_host", "__managed_at")
    admin_only_el_metadata: tuple[str, ...] = ("preferred",)
    driver_updatable_metadata: tuple[str, ...] = ()
    driver_updatable_subnet_metadata: tuple[str, ...] = ()
    default_mount_point_prefix: str = "{project_id}_"
    share_name_template: str = "share-%s"
    share_snapshot_name_template: str = "share-snapshot-%s"
    share_backup_name_template: str = "share-backup-%s"
    update_shares_status_on_ensure: bool = True
    delete_share_server_with_last_share: bool = False
    replica_state_update_interval: int = 300
    migration_driver_continue_update_interval: int = 60
    server_migration_driver_continue_update_interval: int = 900
    server_migration_extend_neutron_network: bool = False
    share_usage_size_update_interval: int = 300
    enable_gathering_share_usage_size: bool = False
    share_service_inithost_offload: bool = False
    driver_backup_continue_update_interval: int = 60
    driver_restore_continue_update_interval: int = 60
    backup_continue_update_interval: int = 10
    restore_continue_update_interval: int = 10
    mount_tmp_location: str = "/tmp/"
    backup_mount_tmp_location: str = "/tmp/"
    backup_driver: str = "manila.data.drivers.nfs.NFSBackupDriver"
    backup_mount_export: str | None = None
    backup_mount_proto: str = "nfs"
    backup_mount_options: str = ""
    backup_mount_template: str = "mount -vt %(proto)s %(options)s %(export)s %(path)s"
    backup_unmount_template: str = "umount -v %(path)s"
    backup_ignore_files: tuple[str, ...] = ("lost+found",)
    backup_protocol_access_mapping: tuple[tuple[str, str], ...] = (("ip", "nfs"),)
    backup_share_mount_template: str = "mount -vt %(proto)s %(options)s %(export)s %(path)s"
    backup_share_unmount_template: str = "umount -v %(path)s"
    data_manager_backup_supported_share_protocols: tuple[str, ...] = ("NFS",)
    data_node_access_ips: tuple[str, ...] = ()
    data_node_access_cert: str | None = None
    data_node_access_admin_user: str | None = None
    data_node_mount_options: tuple[tuple[str, str], ...] = ()
    data_access_wait_access_rules_timeout: int = 180
    check_hash: bool = False
    rootwrap_config: str | None = None
    tcp_keepalive: bool = True
    tcp_keepalive_interval: int | None = None
    tcp_keepalive_count: int | None = None
    transport_url: str = "rabbit://"
    debug: bool = False
    log_file: str | None = None
    log_dir: str | None = None
    client_socket_timeout: int = 900
    max_header_line: int = 16384


@dataclass(frozen=True, slots=True)
class ApiSection:
    """Section ``api``."""

    response_validation: str = "warn"


@dataclass(frozen=True, slots=True)
class BarbicanSection:
    """Section ``barbican``."""

    barbican_endpoint: str | None = None
    endpoint_type: str = "publicURL"
    region_name: str | None = None
    auth_type: str = "password"
    auth_url: str | None = None
    username: str | None = None
    password: str | None = None
    project_name: str | None = None
    user_domain_name: str | None = None
    project_domain_name: str | None = None
    cafile: str | None = None
    insecure: bool = False
    system_scope: str | None = None
    domain_id: str | None = None
    domain_name: str | None = None
    project_id: str | None = None
    project_domain_id: str | None = None
    trust_id: str | None = None
    default_domain_id: str | None = None
    default_domain_name: str | None = None
    user_id: str | None = None
    user_domain_id: str | None = None
    token: str | None = None
    passcode: str | None = None
    application_credential_secret: str | None = None
    application_credential_id: str | None = None
    application_credential_name: str | None = None
    identity_provider: str | None = None
    protocol: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None
    access_token_endpoint: str | None = None
    discovery_endpoint: str | None = None
    access_token_type: str | None = None
    idp_otp_key: str | None = None
    access_token: str | None = None
    oauth2_endpoint: str | None = None
    oauth2_client_id: str | None = None
    oauth2_client_secret: str | None = None


@dataclass(frozen=True, slots=True)
class CoordinationSection:
    """Section ``coordination``."""

    backend_url: str = "file://$state_path"


@dataclass(frozen=True, slots=True)
class CorsSection:
    """Section ``cors``."""

    allowed_origin: tuple[str, ...] = ()
    allow_credentials: bool = True
    expose_headers: tuple[str, ...] = (
        "X-Auth-Token",
        "X-OpenStack-Request-ID",
        "X-Openstack-Manila-Api-Version",
        "X-OpenStack-Manila-API-Experimental",
        "X-Subject-Token",
        "X-Service-Token",
    )
    max_age: int = 3600
    allow_methods: tuple[str, ...] = ("GET", "PUT", "POST", "DELETE", "PATCH")
    allow_headers: tuple[str, ...] = (
        "X-Auth-Token",
        "X-OpenStack-Request-ID",
        "X-Openstack-Manila-Api-Version",
        "X-OpenStack-Manila-API-Experimental",
        "X-Identity-Status",
        "X-Roles",
        "X-Service-Catalog",
        "X-User-Id",
        "X-Tenant-Id",
    )


@dataclass(frozen=True, slots=True)
class DatabaseSection:
    """Section ``database``."""

    connection: str | None = None
    slave_connection: str | None = None
    max_pool_size: int = 5
    max_overflow: int = 50
    connection_recycle_time: int = 3600
    max_retries: int = 10
    retry_interval: int = 10
    pool_timeout: int | None = None
    use_db_reconnect: bool = False
    db_retry_interval: int = 1
    db_inc_retry_interval: bool = True
    db_max_retry_interval: int = 10
    db_max_retries: int = 20
    connection_debug: int = 0
    connection_trace: bool = False
    connection_parameters: str = ""
    backend: str = "sqlalchemy"
    mysql_sql_mode: str = "TRADITIONAL"
    synchronous_reader: bool = True


@dataclass(frozen=True, slots=True)
class KeyManagerSection:
    """Section ``key_manager``."""

    backend: str | None = None


@dataclass(frozen=True, slots=True)
class KeystoneAuthtokenSection:
    """Section ``keystone_authtoken``."""

    www_authenticate_uri: str | None = None
    auth_url: str | None = None
    auth_type: str | None = None
    auth_section: str | None = None
    username: str | None = None
    password: str | None = None
    project_name: str | None = None
    user_domain_name: str | None = None
    project_domain_name: str | None = None
    user_domain_id: str | None = None
    project_domain_id: str | None = None
    interface: str = "internal"
    region_name: str | None = None
    cafile: str | None = None
    certfile: str | None = None
    keyfile: str | None = None
    insecure: bool = False
    memcached_servers: tuple[str, ...] = ()
    token_cache_time: int = 300
    delay_auth_decision: bool = False
    http_connect_timeout: int | None = None
    http_request_max_retries: int = 3
    service_token_roles: tuple[str, ...] = ("service",)
    service_token_roles_required: bool = True
    service_type: str | None = None
    include_service_catalog: bool = True
    enforce_token_bind: str = "permissive"
    auth_version: str | None = None
    system_scope: str | None = None
    domain_id: str | None = None
    domain_name: str | None = None
    project_id: str | None = None
    trust_id: str | None = None
    default_domain_id: str | None = None
    default_domain_name: str | None = None
    user_id: str | None = None
    token: str | None = None
    passcode: str | None = None
    application_credential_secret: str | None = None
    application_credential_id: str | None = None
    application_credential_name: str | None = None
    identity_provider: str | None = None
    protocol: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None
    access_token_endpoint: str | None = None
    discovery_endpoint: str | None = None
    access_token_type: str | None = None
    idp_otp_key: str | None = None
    access_token: str | None = None
    oauth2_endpoint: str | None = None
    oauth2_client_id: str | None = None
    oauth2_client_secret: str | None = None


@dataclass(frozen=True, slots=True)
class NeutronSection:
    """Section ``neutron``."""

    url: str | None = None
    endpoint_type: str = "publicURL"
    region_name: str | None = None
    auth_url: str | None = None
    auth_type: str | None = None
    username: str | None = None
    password: str | None = None
    project_name: str | None = None
    project_id: str | None = None
    user_domain_name: str | None = None
    project_domain_name: str | None = None
    user_domain_id: str | None = None
    project_domain_id: str | None = None
    cafile: str | None = None
    certfile: str | None = None
    keyfile: str | None = None
    insecure: bool = False
    timeout: float | None = None
    system_scope: str | None = None
    user_id: str | None = None
    domain_id: str | None = None
    domain_name: str | None = None
    trust_id: str | None = None
    default_domain_id: str | None = None
    default_domain_name: str | None = None
    passcode: str | None = None
    application_credential_secret: str | None = None
    application_credential_id: str | None = None
    application_credential_name: str | None = None
    identity_provider: str | None = None
    protocol: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None
    access_token_endpoint: str | None = None
    discovery_endpoint: str | None = None
    access_token_type: str | None = None
    idp_otp_key: str | None = None
    access_token: str | None = None
    oauth2_endpoint: str | None = None
    oauth2_client_id: str | None = None
    oauth2_client_secret: str | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class OpenkeelSection:
    """Section ``openkeel``."""

    task_lease: float = 30.0
    task_poll: float = 1.0
    task_concurrency: int = 16
    stuck_timeout: float = 3600.0
    metrics_listen: str = "127.0.0.1"
    metrics_port: int = 9090
    metrics_top: int = 20
    static_tokens: str | None = None
    static_tokens_anywhere: bool = False
    embedded_database: str | None = None
    data_folders: str | None = None
    data_copy_verify: str = "sample"
    notification_url: str | None = None
    notification_token: str | None = None
    notification_timeout: float = 10.0
    notification_retention: int = 604800
    log_format: str = "line"
    log_level: str = "INFO"
    tls_certificate: str | None = None
    tls_key: str | None = None
    http_head_size: int = 65536
    http_head_lines: int = 200
    http_url_size: int = 16384
    http_connections: int = 1000
    trusted_proxies: tuple[str, ...] = ()
    trusted_proxy_headers: tuple[str, ...] = ("X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix")
    http_connections_per_address: int = 500
    http_requests_per_connection: int = 10000
    http_first_byte_timeout: float = 30.0
    http_head_timeout: float = 15.0
    http_body_timeout: float = 30.0
    http_write_timeout: float = 30.0
    http_unread_size: int = 67108864
    requests_at_once: int = 64
    requests_per_project: int = 4
    requests_waiting: int = 400
    requests_waiting_per_project: int = 200
    requests_refused_with: int = 429
    keystone_look_ups: int = 16
    reconcile_interval: float = 60.0


@dataclass(frozen=True, slots=True)
class OsloConcurrencySection:
    """Section ``oslo_concurrency``."""

    lock_path: str | None = None
    disable_process_locking: bool = False


@dataclass(frozen=True, slots=True)
class OsloMessagingNotificationsSection:
    """Section ``oslo_messaging_notifications``."""

    driver: tuple[str, ...] = ()
    transport_url: str | None = None
    topics: tuple[str, ...] = ("notifications",)
    retry: int = -1


@dataclass(frozen=True, slots=True)
class OsloMiddlewareSection:
    """Section ``oslo_middleware``."""

    max_request_body_size: int = 114688
    enable_proxy_headers_parsing: bool = False


@dataclass(frozen=True, slots=True)
class OsloPolicySection:
    """Section ``oslo_policy``."""

    policy_file: str = "policy.yaml"
    policy_dirs: tuple[str, ...] = ("policy.d",)
    policy_default_rule: str = "default"
    enforce_new_defaults: bool = True
    enforce_scope: bool = True
    remote_timeout: float = 60.0
    remote_content_type: str = "application/x-www-form-urlencoded"
    remote_ssl_ca_crt_file: str | None = None
    remote_ssl_client_crt_file: str | None = None
    remote_ssl_client_key_file: str | None = None
    remote_ssl_verify_server_crt: bool = False


@dataclass(frozen=True, slots=True)
class QuotaSection:
    """Section ``quota``."""

    shares: int = 50
    snapshots: int = 50
    gigabytes: int = 1000
    per_share_gigabytes: int = -1
    snapshot_gigabytes: int = 1000
    share_networks: int = 10
    share_replicas: int = 100
    replica_gigabytes: int = 1000
    share_groups: int = 50
    share_group_snapshots: int = 50
    reservation_expire: int = 86400
    until_refresh: int = 0
    max_age: int = 0
    driver: str = "manila.quota.DbQuotaDriver"
    backups: int = 10
    backup_gigabytes: int = 1000
    encryption_keys: int = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration."""

    default: DefaultSection = field(default_factory=DefaultSection)
    api: ApiSection = field(default_factory=ApiSection)
    barbican: BarbicanSection = field(default_factory=BarbicanSection)
    coordination: CoordinationSection = field(default_factory=CoordinationSection)
    cors: CorsSection = field(default_factory=CorsSection)
    database: DatabaseSection = field(default_factory=DatabaseSection)
    key_manager: KeyManagerSection = field(default_factory=KeyManagerSection)
    keystone_authtoken: KeystoneAuthtokenSection = field(default_factory=KeystoneAuthtokenSection)
    neutron: NeutronSection = field(default_factory=NeutronSection)
    openkeel: OpenkeelSection = field(default_factory=OpenkeelSection)
    oslo_concurrency: OsloConcurrencySection = field(default_factory=OsloConcurrencySection)
    oslo_messaging_notifications: OsloMessagingNotificationsSection = field(
        default_factory=OsloMessagingNotificationsSection
    )
    oslo_middleware: OsloMiddlewareSection = field(default_factory=OsloMiddlewareSection)
    oslo_policy: OsloPolicySection = field(default_factory=OsloPolicySection)
    quota: QuotaSection = field(default_factory=QuotaSection)
    backends: Mapping[str, BackendSection] = field(default_factory=dict)
    """Section name -> options, for each name in ``enabled_share_backends``."""
    networks: Mapping[str, NetworkSection] = field(default_factory=dict)
    """Section name -> network plug-in options, for each back end and network group."""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """Section of a back end -> what keeps it from being served; it is not among the others then."""
