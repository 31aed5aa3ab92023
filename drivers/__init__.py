"""Share drivers behind one contract (``drivers.base``): ``ganesha``, embedded or on Kubernetes, ``rwx``, ``dummy``."""
