"""Actions on share backups."""

from __future__ import annotations

from db import share_backups as rows
from generated.enums import ShareAdminReset
from generated.errors import InvalidBackup, InvalidShare, ShareBackupNotFound
from generated.microversions import TARGETED_RESTORE
from generated.runtime import Fault
from generated.views.share_backups import SHARE_BACKUP_RESTORE
from handlers.call import Call, Reply
from handlers.share_backups import unknown
from services import backups
from services.reset import wanted_status, within

RESETTABLE = tuple(str(one) for one in ShareAdminReset)


async def restore(call: Call) -> Reply:
    """Overwrite a share with a backup: the one it was made of, or from 2.91 on another one."""
    target = (call.action_args or None) if call.version >= TARGETED_RESTORE else None
    async with call.core.db.write() as conn:
        try:
            backup = await backups.get(conn, call.ctx, call.path["id"], lock=True)
        except ShareBackupNotFound:
            raise unknown(call.path["id"]) from None
        try:
            restored = await backups.restore(conn, call.core, call.ctx, backup, target)
        except (InvalidShare, InvalidBackup) as error:
            raise Fault(400, error.msg) from None
    return Reply({"restore": SHARE_BACKUP_RESTORE[call.version](restored, call.see)})


async def reset_status(call: Call) -> Reply:
    """Set the status without touching the backup."""
    status = wanted_status(call.action_args, RESETTABLE)
    async with call.core.db.write() as conn:
        backup = await rows.get(conn, call.path["id"])
        if backup is None:
            raise Fault(404)
        within(call.ctx, backup["project_id"])
        await rows.change(conn, backup["id"], {"status": status})
    return Reply()
