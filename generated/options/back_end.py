"""Options of section ``<back end>``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "<back end>",
        "share_backend_name",
        "share_backend_name",
        "str",
        None,
        help="Name of the back end in capabilities.",
    ),
    Option(
        "<back end>",
        "share_driver",
        "share_driver",
        "str",
        "manila.share.drivers.generic.GenericShareDriver",
        help="Driver class.",
    ),
    Option(
        "<back end>",
        "driver_handles_share_servers",
        "driver_handles_share_servers",
        "bool",
        None,
        help="Driver mode; must be set.",
    ),
    Option(
        "<back end>",
        "network_config_group",
        "network_config_group",
        "str",
        None,
        help="Section with the network plug-in options of the back end.",
    ),
    Option(
        "<back end>",
        "admin_network_config_group",
        "admin_network_config_group",
        "str",
        None,
        help="Section of the admin network plug-in.",
    ),
    Option(
        "<back end>",
        "reserved_share_percentage",
        "reserved_share_percentage",
        "int",
        0,
        help="Part of the capacity kept free for creates.",
    ),
    Option(
        "<back end>",
        "reserved_share_from_snapshot_percentage",
        "reserved_share_from_snapshot_percentage",
        "int",
        0,
        help="The same for creates from a snapshot.",
    ),
    Option(
        "<back end>",
        "reserved_share_extend_percentage",
        "reserved_share_extend_percentage",
        "int",
        0,
        help="The same for extends.",
    ),
    Option(
        "<back end>",
        "max_over_subscription_ratio",
        "max_over_subscription_ratio",
        "float",
        20.0,
        min=1.0,
        help="Thin provisioning ratio.",
    ),
    Option(
        "<back end>",
        "replication_domain",
        "replication_domain",
        "str",
        None,
        help="Back ends of one domain may replicate.",
    ),
    Option(
        "<back end>",
        "backend_availability_zone",
        "backend_availability_zone",
        "str",
        None,
        help="Zone of this back end.",
    ),
    Option("<back end>", "filter_function", "filter_function", "str", None, help="Expression of the driver filter."),
    Option(
        "<back end>", "goodness_function", "goodness_function", "str", None, help="Expression of the goodness weigher."
    ),
    Option(
        "<back end>",
        "max_shares_per_share_server",
        "max_shares_per_share_server",
        "int",
        -1,
        help="Shares per share server, -1 no limit.",
    ),
    Option(
        "<back end>",
        "max_share_server_size",
        "max_share_server_size",
        "int",
        -1,
        help="GiB per share server, -1 no limit.",
    ),
    Option("<back end>", "num_shell_tries", "num_shell_tries", "int", 3, help="Attempts of a shell command."),
    Option(
        "<back end>",
        "share_mount_template",
        "share_mount_template",
        "str",
        "mount -vt %(proto)s %(options)s %(export)s %(path)s",
        help="Mount command used by host-assisted migration.",
    ),
    Option(
        "<back end>",
        "share_unmount_template",
        "share_unmount_template",
        "str",
        "umount -v %(path)s",
        help="Unmount command of the same.",
    ),
    Option(
        "<back end>",
        "protocol_access_mapping",
        "protocol_access_mapping",
        "str",
        {"ip": ["nfs"], "user": ["cifs"]},
        help="Access type per protocol of the same.",
    ),
    Option(
        "<back end>",
        "migration_ignore_files",
        "migration_ignore_files",
        "list",
        ["lost+found"],
        help="Names not copied by the same.",
    ),
    Option(
        "<back end>",
        "ganesha_config_dir",
        "ganesha_config_dir",
        "str",
        "/etc/ganesha",
        help="Directory of the Ganesha configuration.",
    ),
    Option(
        "<back end>",
        "ganesha_config_path",
        "ganesha_config_path",
        "str",
        "$ganesha_config_dir/ganesha.conf",
        help="Main file of the Ganesha configuration.",
    ),
    Option(
        "<back end>",
        "ganesha_service_name",
        "ganesha_service_name",
        "str",
        "ganesha.nfsd",
        help="Service name of Ganesha.",
    ),
    Option(
        "<back end>",
        "ganesha_db_path",
        "ganesha_db_path",
        "str",
        "$state_path/manila-ganesha.db",
        help="Database of export ids.",
    ),
    Option(
        "<back end>",
        "ganesha_export_dir",
        "ganesha_export_dir",
        "str",
        "$ganesha_config_dir/export.d",
        help="Directory of the export blocks.",
    ),
    Option(
        "<back end>",
        "ganesha_export_template_dir",
        "ganesha_export_template_dir",
        "str",
        "/etc/manila/ganesha-export-templ.d",
        help="Directory of the export templates.",
    ),
    Option(
        "<back end>",
        "ganesha_rados_store_enable",
        "ganesha_rados_store_enable",
        "bool",
        False,
        help="Keep exports in RADOS.",
    ),
    Option(
        "<back end>",
        "ganesha_rados_store_pool_name",
        "ganesha_rados_store_pool_name",
        "str",
        None,
        help="Pool of the same.",
    ),
    Option(
        "<back end>",
        "ganesha_rados_export_counter",
        "ganesha_rados_export_counter",
        "str",
        "ganesha-export-counter",
        help="Object of the export id counter.",
    ),
    Option(
        "<back end>",
        "ganesha_rados_export_index",
        "ganesha_rados_export_index",
        "str",
        "ganesha-export-index",
        help="Object of the export index.",
    ),
    Option(
        "<back end>",
        "ganesha_state_path",
        "ganesha_state_path",
        "str",
        "/var/lib/openkeel-manila",
        help=(
            "Folder of everything an embedded Ganesha back end keeps, on a local file system; at most 50 characters."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_pool_size_gb",
        "ganesha_pool_size_gb",
        "int",
        20,
        min=1,
        help="Size in GiB of the pool that holds the shares.",
    ),
    Option(
        "<back end>",
        "ganesha_pool_preallocate",
        "ganesha_pool_preallocate",
        "bool",
        True,
        help="Take the pool's blocks from the disk at once.",
    ),
    Option(
        "<back end>",
        "ganesha_namespace_prefix",
        "ganesha_namespace_prefix",
        "str",
        "manila-",
        help="How the names of the network namespaces begin.",
    ),
    Option(
        "<back end>",
        "ganesha_share_owner",
        "ganesha_share_owner",
        "str",
        "0:0",
        help="Owner of a new share's root folder, uid:gid; a share type overrides it by ganesha:owner.",
    ),
    Option(
        "<back end>",
        "ganesha_share_mode",
        "ganesha_share_mode",
        "str",
        "0777",
        help="Mode of a new share's root folder, octal; a share type overrides it by ganesha:mode.",
    ),
    Option(
        "<back end>",
        "ganesha_share_squash",
        "ganesha_share_squash",
        "str",
        "none",
        choices=("none", "root", "all"),
        help=(
            "Which users of a client are mapped to nobody: none, root or all; a share type overrides it by "
            "ganesha:squash."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_grace_period",
        "ganesha_grace_period",
        "int",
        20,
        min=1,
        help="Seconds after a gateway's restart in which clients may claim their locks again.",
    ),
    Option(
        "<back end>",
        "ganesha_lease_lifetime",
        "ganesha_lease_lifetime",
        "int",
        20,
        min=1,
        help="Seconds a client may be away before it loses its locks; not more than the grace period.",
    ),
    Option(
        "<back end>",
        "ganesha_timeout",
        "ganesha_timeout",
        "float",
        30.0,
        help="Seconds one outside command or call to a gateway may take.",
    ),
    Option(
        "<back end>",
        "ganesha_hang_timeout",
        "ganesha_hang_timeout",
        "int",
        60,
        min=0,
        help=("Seconds without an answer after which a gateway that runs is killed and started again; 0 is never."),
    ),
    Option(
        "<back end>",
        "ganesha_log_size_mb",
        "ganesha_log_size_mb",
        "int",
        10,
        min=1,
        help="Size in MiB at which a gateway's logs are set aside; five older ones are kept.",
    ),
    Option(
        "<back end>",
        "ganesha_root",
        "ganesha_root",
        "str",
        None,
        help=(
            "Folder with an NFS-Ganesha of its own that manila-manage ganesha fetch has made; without it an "
            "embedded back end runs the machine's ganesha.nfsd."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_allow_old",
        "ganesha_allow_old",
        "bool",
        False,
        help=(
            "Let an embedded back end run an NFS-Ganesha older than 9.11, with which some clients fail or "
            "lose data; NFS 4.2 is not offered then."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_minor_versions",
        "ganesha_minor_versions",
        "str",
        "1,2",
        help=(
            "Minor versions of NFS 4 that gateways offer, separated by commas, of 0, 1 and 2; a client that "
            "asks for another gets NFS4ERR_MINOR_VERS_MISMATCH, and Linux then tries the next lower one."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_metrics_port",
        "ganesha_metrics_port",
        "int",
        0,
        min=0,
        max=65535,
        help=(
            "Port on the loopback address of each gateway's network namespace where NFS-Ganesha shows its "
            "own figures to Prometheus; 0: nowhere, which saves 13 MB of memory a gateway."
        ),
    ),
    Option(
        "<back end>",
        "ganesha_backup_path",
        "ganesha_backup_path",
        "str",
        None,
        help=(
            "Folder of the backups that an embedded Ganesha back end makes, on another disk than its pool; "
            "without it there are none."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_kubeconfig",
        "kubernetes_kubeconfig",
        "str",
        None,
        help="File of the connection to the cluster; empty inside a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_request_timeout",
        "kubernetes_request_timeout",
        "float",
        10.0,
        help="Seconds one request to the API server may take.",
    ),
    Option(
        "<back end>",
        "kubernetes_namespace",
        "kubernetes_namespace",
        "str",
        "openkeel-gateways",
        help="Namespace of gateways and volumes; it must admit privileged pods.",
    ),
    Option(
        "<back end>",
        "kubernetes_namespace_form",
        "kubernetes_namespace_form",
        "str",
        "single",
        choices=("single", "project"),
        help=(
            "Single: gateways and volumes are in kubernetes_namespace; project: those of each project are in "
            "a namespace of its own, whose name begins with that one."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_storage_class",
        "kubernetes_storage_class",
        "str",
        "longhorn",
        help="Storage classes of the volumes, separated by commas, one pool each.",
    ),
    Option(
        "<back end>",
        "kubernetes_snapshot_class",
        "kubernetes_snapshot_class",
        "str",
        "longhorn",
        help=(
            "Snapshot class of the volumes, of their CSI driver; empty: the back end takes no snapshots and "
            "says so in its capabilities."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_attachment",
        "kubernetes_attachment",
        "str",
        "multus",
        choices=("multus", "kube-ovn", "ovn-port"),
        help="How a gateway gets the address of its port.",
    ),
    Option(
        "<back end>",
        "kubernetes_cni_config",
        "kubernetes_cni_config",
        "str",
        "",
        help=(
            "Configuration of the CNI plugin of attachment multus, JSON in which {network}, {bridge} and "
            "{mtu} stand for the network's id, a name of at most 15 characters that follows from it, and its "
            "MTU; empty for a bridge of that name with static addresses."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_cni_masks",
        "kubernetes_cni_masks",
        "bool",
        True,
        help=("Addresses in the annotation of attachment multus have their mask, as the CNI plugin static needs it."),
    ),
    Option(
        "<back end>",
        "kubernetes_kube_ovn_interface",
        "kubernetes_kube_ovn_interface",
        "str",
        "additional",
        choices=("additional", "primary"),
        help="Which interface of a gateway attachment kube-ovn puts into the tenant's Subnet.",
    ),
    Option(
        "<back end>",
        "kubernetes_kube_ovn_groups",
        "kubernetes_kube_ovn_groups",
        "bool",
        True,
        help=(
            "Attachment kube-ovn makes a SecurityGroup for each gateway that lets the networks of active "
            "access rules in."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_gateway_image",
        "kubernetes_gateway_image",
        "str",
        "localhost/manila-gateway:latest",
        help="Image of gateways, their agents and the holders of volumes.",
    ),
    Option(
        "<back end>",
        "kubernetes_gateways_path",
        "kubernetes_gateways_path",
        "str",
        "/var/lib/openkeel-manila/gateways",
        help="Folder on every node below which gateways find their shares.",
    ),
    Option(
        "<back end>",
        "kubernetes_state_size_mb",
        "kubernetes_state_size_mb",
        "int",
        300,
        help="Size in MiB of the volume with a gateway's exports and recovery records.",
    ),
    Option(
        "<back end>",
        "kubernetes_gateway_resources",
        "kubernetes_gateway_resources",
        "str",
        '{"requests": {"cpu": "50m", "memory": "96Mi"}, "limits": {"memory": "2Gi"}}',
        help="Resources of a gateway, JSON as in a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_agent_resources",
        "kubernetes_agent_resources",
        "str",
        '{"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}',
        help="Resources of a gateway's agent, JSON as in a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_holder_resources",
        "kubernetes_holder_resources",
        "str",
        '{"requests": {"cpu": "1m", "memory": "4Mi"}, "limits": {"memory": "16Mi"}}',
        help="Resources of the pod that holds a share's volume, JSON as in a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_pull_secrets",
        "kubernetes_pull_secrets",
        "str",
        "",
        help="Secrets with which the image of gateways, holders and keepers is fetched, separated by commas.",
    ),
    Option(
        "<back end>",
        "kubernetes_backup_class",
        "kubernetes_backup_class",
        "str",
        "",
        help=(
            "Snapshot class whose snapshots outlive their volume, of which share backups are made; without "
            "it the back end makes none."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_node_selector",
        "kubernetes_node_selector",
        "str",
        "{}",
        help="Nodes that gateways, or keepers of shares without servers, may run on, JSON as in a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_tolerations",
        "kubernetes_tolerations",
        "str",
        "[]",
        help="Tolerations of gateways, or keepers of shares without servers, JSON as in a pod.",
    ),
    Option(
        "<back end>",
        "kubernetes_priority_class",
        "kubernetes_priority_class",
        "str",
        "",
        help="Priority class of gateways and holders; empty for none.",
    ),
    Option(
        "<back end>",
        "kubernetes_failover_seconds",
        "kubernetes_failover_seconds",
        "int",
        30,
        help="Seconds that a gateway stays on a node that does not answer.",
    ),
    Option(
        "<back end>",
        "kubernetes_bind_timeout",
        "kubernetes_bind_timeout",
        "float",
        120.0,
        help="Seconds until a claim must be bound.",
    ),
    Option(
        "<back end>",
        "kubernetes_start_timeout",
        "kubernetes_start_timeout",
        "float",
        180.0,
        help="Seconds until a gateway or a holder must run.",
    ),
    Option(
        "<back end>",
        "kubernetes_expand_timeout",
        "kubernetes_expand_timeout",
        "float",
        600.0,
        help="Seconds until a volume must have grown.",
    ),
    Option(
        "<back end>",
        "kubernetes_copy_timeout",
        "kubernetes_copy_timeout",
        "int",
        86400,
        min=60,
        help=(
            "Seconds that the storage may take to copy a snapshot or a backup into a claim that is bound; "
            "then the share that was to have it is in error, or stays as it was."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_volumes_timeout",
        "kubernetes_volumes_timeout",
        "int",
        60,
        min=0,
        help=(
            "Seconds that a gateway which starts waits for the volumes of the shares that it served last; "
            "then it serves those that are there."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_remove_orphans",
        "kubernetes_remove_orphans",
        "bool",
        False,
        help=(
            "Remove the back end's objects that no row stands for, once it is certain that this installation "
            "made them; claims are data."
        ),
    ),
    Option(
        "<back end>",
        "kubernetes_orphan_grace",
        "kubernetes_orphan_grace",
        "int",
        86400,
        min=3600,
        help="Seconds that such an object must have been without a row before it is removed.",
    ),
    Option(
        "<back end>",
        "kubernetes_fence_ports",
        "kubernetes_fence_ports",
        "bool",
        True,
        help=(
            "With ovn-port: turn the Neutron ports of gateways off whose node is declared out, until they "
            "are ready elsewhere."
        ),
    ),
)
