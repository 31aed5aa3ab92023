"""Periodic tasks, one module a subject; each exports ``PERIODIC``, a tuple of ``worker.periodic.Periodic``."""
