"""Services under the path that versions 2.0 to 2.6 use."""

from handlers.services import list, update

__all__ = ["list", "update"]
