"""What brings the service up: the environment of a checkout, embedded stand-ins, container images, the Helm chart."""
