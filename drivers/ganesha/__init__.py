"""A share driver with one NFS-Ganesha gateway per share server."""
