"""Real OVN on one machine: a central part, chassis in network namespaces of their own, and a Neutron in front."""
