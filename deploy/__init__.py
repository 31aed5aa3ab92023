"""What brings the service up outside a cluster: the environment of a checkout and the embedded stand-ins."""
