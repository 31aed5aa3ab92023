"""Options of the original's files that are read over: they tell its libraries what nothing here does.

The lists are what those libraries declare (``list_opts`` of the release that stable/2026.2 runs with, and of some
before it). Left out of them, so that they are refused: options that say as whom a service logs in and that are not
heeded here. A service that took another way in than its operator wrote is harder to understand than a line.
The last three of DEFAULT are heeded in the section of a back end, and there alone, as by the original.
"""

from __future__ import annotations

from typing import Final

MEMCACHE: Final = """
    memcached_servers memcache_servers memcache_security_strategy memcache_secret_key memcache_use_advanced_pool
    memcache_pool_conn_get_timeout memcache_pool_dead_retry memcache_pool_maxsize memcache_pool_socket_timeout
    memcache_pool_unused_timeout memcache_sasl_enabled memcache_username memcache_password memcache_tls_enabled
    memcache_tls_allowed_ciphers memcache_tls_cafile memcache_tls_certfile memcache_tls_keyfile
"""
"""keystonemiddleware: where tokens are kept; here each process keeps its own."""
ADAPTER: Final = """
    service_type service_name valid_interfaces interface region_name endpoint_override endpoint_type version min_version
    max_version connect_retries connect_retry_delay status_code_retries status_code_retry_delay retriable_status_codes
"""
SESSION: Final = "cafile certfile keyfile insecure timeout collect_timing split_loggers tls_ciphers tls_min_version"
"""keystoneauth1: how a client finds its service, and connects."""

_TEXT: Final = {
    "DEFAULT": """
        log_config_append log_date_format use_syslog use_journal use_eventlog use_json use_stderr log_color
        watch_log_file syslog_log_facility log_rotate_interval log_rotate_interval_type max_logfile_count
        max_logfile_size_mb log_rotation_type logging_context_format_string logging_default_format_string
        logging_debug_format_suffix logging_exception_prefix logging_user_identity_format default_log_levels
        publish_errors instance_format instance_uuid_format rate_limit_interval rate_limit_burst rate_limit_except_level
        fatal_deprecations verbose
        transport_url control_exchange rpc_response_timeout rpc_ping_enabled executor_thread_pool_size rpc_backend
        backdoor_port backdoor_socket log_options graceful_shutdown_timeout run_external_periodic_tasks
        api_paste_config os_region_name wsgi_default_pool_size wsgi_keep_alive wsgi_log_format wsgi_server_debug
        max_header_line tcp_keepidle
        automatic_share_server_cleanup unused_share_server_cleanup_interval unmanage_remove_access_rules
    """,
    "keystone_authtoken": f"""
        {MEMCACHE} {ADAPTER} {SESSION} cache auth_uri auth_host auth_port auth_protocol signing_dir
        check_revocations_for_cached hash_algorithms revocation_cache_time
    """,
    "neutron": f"{MEMCACHE} {ADAPTER} {SESSION} auth_uri www_authenticate_uri auth_strategy auth_version url_timeout",
    "barbican": f"""
        {MEMCACHE} {ADAPTER} {SESSION} auth_endpoint barbican_endpoint_type barbican_api_version barbican_region_name
        number_of_retries retry_delay verify_ssl verify_ssl_path send_service_user_token
    """,
    "database": """
        asyncio_connection asyncio_slave_connection mysql_enable_ndb mysql_wsrep_sync_wait sqlite_synchronous sqlite_db
        use_tpool idle_timeout min_pool_size tcp_keepalive tcp_keepidle tcp_keepintvl tcp_keepcnt tcp_user_timeout
        db_backend
    """,
    "oslo_middleware": "secure_proxy_ssl_header http_basic_auth_user_file",
    "oslo_messaging_notifications": "level",
}
OPTIONS: Final = {section: frozenset(text.split()) for section, text in _TEXT.items()}
"""Section -> options that stand there and tell nobody anything."""

_SECTIONS: Final = """
    oslo_messaging_rabbit oslo_messaging_kafka oslo_messaging_amqp oslo_messaging_zmq oslo_messaging_metrics
    matchmaker_redis oslo_reports oslo_limit oslo_middleware_tracing oslo_versionedobjects profiler profiler_jaeger
    profiler_otlp healthcheck ssl privsep manila_sys_admin audit_middleware_notifications cache nova cinder glance
    service_user barbican_service_user vault sample_castellan_source sample_remote_file_source
"""
SECTIONS: Final = frozenset(_SECTIONS.split())
"""Sections of libraries, and of services that no driver here asks."""
