"""Taking over a share under the path that versions 2.0 to 2.6 use."""

from handlers.shares_manage import manage as create

__all__ = ["create"]
