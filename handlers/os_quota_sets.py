"""Quota sets under the path that versions 2.0 to 2.6 use."""

from handlers.quota_sets import defaults, delete, show, update

__all__ = ["defaults", "delete", "show", "update"]
