"""What back ends on a Kubernetes cluster share: requests to its API, claims and snapshots, the room of its storage."""
