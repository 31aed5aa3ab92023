"""Network plug-ins: ports from Neutron, or addresses from a configured range."""
