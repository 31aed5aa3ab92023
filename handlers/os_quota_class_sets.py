"""Quota classes under the path that versions 2.0 to 2.6 use."""

from handlers.quota_class_sets import show, update

__all__ = ["show", "update"]
