"""The embedded form: all that a trial of the service needs on one machine, with stand-ins for Keystone and Neutron."""
