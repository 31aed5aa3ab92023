"""The data service process: it takes the tasks of its queue, one of any number of such processes."""

from __future__ import annotations

import asyncio
import pathlib

import structlog

from db import tasks
from generated.errors import BadConfigurationException, ShareDataCopyFailed
from generated.settings import Settings
from services.core import Core
from services.values import is_uuid_like
from services.work import DATA
from worker.data.mounts import mounted, release

LOG = structlog.get_logger("data")
BACKUP_DRIVERS = ("manila.data.drivers.nfs.NFSBackupDriver", "nfs")
"""Values of ``backup_driver``: all mean an NFS export that holds a folder for each backup."""


def check(settings: Settings) -> None:
    """Raise BadConfigurationException for what the data service cannot do."""
    driver = settings.default.backup_driver
    if driver not in BACKUP_DRIVERS:
        raise BadConfigurationException(reason=f"backup_driver {driver} is not one of {', '.join(BACKUP_DRIVERS)}")


async def tidy(core: Core) -> None:
    """Unmount what a process that died has left here, unless some data service is at work and may need it.

    A task that it left is done by whoever comes first, perhaps on another machine.
    """
    left = await asyncio.to_thread(_left_mounts, core.settings)
    if not left or core.settings.openkeel.data_folders:
        return
    async with core.db.read() as conn:
        if await tasks.running(conn, DATA):
            return
    for path in left:
        try:
            await release(path)
            LOG.info("unmounted what was left", path=str(path))
        except ShareDataCopyFailed as error:
            LOG.warning("what was left stays mounted; unmount it by hand", path=str(path), error=str(error))


def _left_mounts(settings: Settings) -> list[pathlib.Path]:
    """Mount points as the data service names them: by the id of a share instance or backup."""
    found = []
    for base in {settings.default.mount_tmp_location, settings.default.backup_mount_tmp_location}:
        folder = pathlib.Path(base)
        entries = sorted(folder.iterdir()) if folder.is_dir() else []
        found += [one for one in entries if len(one.name) == 36 and is_uuid_like(one.name) and mounted(one)]
    return found
