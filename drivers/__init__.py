"""Share drivers behind one contract (``drivers.base``): ``ganesha`` for production, ``dummy`` for conformance tests."""
