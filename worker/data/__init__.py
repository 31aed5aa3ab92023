"""The data service: it mounts shares and the place of backups, and copies between them."""
