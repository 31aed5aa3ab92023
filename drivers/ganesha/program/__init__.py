"""Which NFS-Ganesha a gateway runs: the machine's own, or one that was fetched into a folder.

The modules here use the standard library alone: they also run before anything is installed, and in images' builds.
"""
