"""The data service process: it takes the tasks of its queue, one of any number of such processes."""

from __future__ import annotations

from generated.errors import BadConfigurationException
from generated.settings import Settings

QUEUE = "data"
TOPIC = "manila-data"
BACKUP_DRIVERS = ("manila.data.drivers.nfs.NFSBackupDriver", "nfs")
"""Values of ``backup_driver``: all mean an NFS export that holds a folder for each backup."""


def check(settings: Settings) -> None:
    """Raise BadConfigurationException for what the data service cannot do."""
    driver = settings.default.backup_driver
    if driver not in BACKUP_DRIVERS:
        raise BadConfigurationException(reason=f"backup_driver {driver} is not one of {', '.join(BACKUP_DRIVERS)}")
