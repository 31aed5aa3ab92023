"""Options of section ``<network>``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option(
        "<network>",
        "network_api_class",
        "network_api_class",
        "str",
        "manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin",
        help="Class that allocates tenant ports.",
    ),
    Option(
        "<network>",
        "network_plugin_ipv4_enabled",
        "network_plugin_ipv4_enabled",
        "bool",
        True,
        help="IPv4 subnets may be used.",
    ),
    Option(
        "<network>",
        "network_plugin_ipv6_enabled",
        "network_plugin_ipv6_enabled",
        "bool",
        False,
        help="IPv6 subnets may be used.",
    ),
    Option(
        "<network>",
        "neutron_physical_net_name",
        "neutron_physical_net_name",
        "str",
        None,
        help="Physical network expected in the segments of a multi-segment network.",
    ),
    Option(
        "<network>",
        "neutron_net_id",
        "neutron_net_id",
        "str",
        None,
        help="Fixed network of the single-network plug-ins.",
    ),
    Option(
        "<network>",
        "neutron_subnet_id",
        "neutron_subnet_id",
        "str",
        None,
        help="Fixed subnet of the single-network plug-ins.",
    ),
    Option(
        "<network>",
        "neutron_vnic_type",
        "neutron_vnic_type",
        "str",
        "baremetal",
        choices=("baremetal", "normal", "direct", "direct-physical", "macvtap"),
        help="VNIC type of bound ports.",
    ),
    Option(
        "<network>", "neutron_host_id", "neutron_host_id", "str", "<host name>", help="Binding host of bound ports."
    ),
    Option(
        "<network>",
        "neutron_binding_profiles",
        "neutron_binding_profiles",
        "list",
        None,
        help="Names of sections with binding profiles.",
    ),
    Option("<network>", "neutron_switch_id", "neutron_switch_id", "str", None, help="Switch id in a binding profile."),
    Option("<network>", "neutron_port_id", "neutron_port_id", "str", None, help="Switch port in a binding profile."),
    Option(
        "<network>",
        "neutron_switch_info",
        "neutron_switch_info",
        "dict",
        None,
        help="Switch data in a binding profile.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_gateway",
        "standalone_network_plugin_gateway",
        "str",
        None,
        help="Gateway of the static network plug-in.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_mask",
        "standalone_network_plugin_mask",
        "str",
        None,
        help="Mask of the static network plug-in.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_network_type",
        "standalone_network_plugin_network_type",
        "str",
        None,
        choices=("flat", "vlan", "vxlan", "gre"),
        help="Network type of the static network plug-in.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_segmentation_id",
        "standalone_network_plugin_segmentation_id",
        "int",
        None,
        help="Segment of the static network plug-in.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_allowed_ip_ranges",
        "standalone_network_plugin_allowed_ip_ranges",
        "list",
        None,
        help="Address ranges of the static network plug-in.",
    ),
    Option(
        "<network>",
        "standalone_network_plugin_mtu",
        "standalone_network_plugin_mtu",
        "int",
        1500,
        help="MTU of the static network plug-in.",
    ),
    Option(
        "<network>",
        "neutron_nfs_access",
        "neutron_nfs_access",
        "str",
        "auto",
        choices=("auto", "none", "subnet", "rules"),
        help=(
            "Whom a security group of the service's own lets reach NFS on the ports it makes: none makes no "
            "group, as the original; subnet, the port's subnet; rules, the networks of active access rules; "
            "auto is rules where the back end binds the ports itself (kubernetes_attachment = ovn-port), "
            "else none. With subnet and rules the account of section neutron needs the role admin in "
            "Neutron, and with a fixed token (auth_type none or admin_token) the option project_id."
        ),
    ),
    Option(
        "<network>",
        "neutron_own_networks_only",
        "neutron_own_networks_only",
        "bool",
        False,
        help=(
            "Refuse a share server on a network that neither belongs to the share network's project nor is "
            "shared with it; false takes any network that the service's user may use, as the original. What "
            "is shared with single projects is read from rbac-policies, which Neutron shows to the network's "
            "owner and to administrators."
        ),
    ),
)
