"""The commands of ``manila-manage``, one module a subject; each exports ``COMMANDS``."""
