"""Availability zones under the path that versions 2.0 to 2.6 use."""

from handlers.availability_zones import list

__all__ = ["list"]
