"""Gateways on Neutron's own OVN: their interfaces become ports of the node's Open vSwitch."""
