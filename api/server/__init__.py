"""The HTTP/1.1 server: from sockets to ASGI, with a bound on everything that a client decides."""
