"""Share backups: who may see them, and how a request makes, restores and removes one.

Two ways: the share's back end makes a backup by itself when the request names ``backup_options``, else the data service
copies the share's files to the backup export. The column ``topic`` remembers which way a backup went.
"""

from __future__ import annotations

from db import quotas as usage
from db import share_backups as rows
from db import share_changes, shares
from db.connection import Conn
from generated.errors import (
    BackupLimitExceeded,
    InvalidBackup,
    InvalidShare,
    ShareBackupNotFound,
    ShareBackupSizeExceedsAvailableQuota,
)
from generated.runtime import Fault, Json, Row
from services import quotas
from services import shares as rules
from services.capabilities import backend_of
from services.context import Context
from services.core import Core
from services.values import kept_text
from services.work import (
    DATA,
    BackupCreate,
    BackupDelete,
    BackupRestore,
    DataBackupCreate,
    DataBackupDelete,
    DataBackupRestore,
    enqueue,
)

LONGEST_NAME, LONGEST_TYPE = 255, 32
REMOVABLE = ("available", "error", "error_deleting")
"""The last is one whose removal failed once: its owner may ask again."""


async def get(conn: Conn, ctx: Context, backup_id: str, *, lock: bool = False) -> Row:
    """A backup of the requester's project. Raises ShareBackupNotFound."""
    row = await rows.get(conn, backup_id, ctx.scope, lock=lock)
    if row is None:
        raise ShareBackupNotFound(backup_id=backup_id)
    return row


def checked_text(data: Row, field: str) -> str | None:
    """A name or description. Raises Fault 400 for what is too long or no text."""
    value = kept_text(data.get(field))
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST_NAME or "\0" in value:
        raise Fault(400, f"'{field}' must be a text of at most {LONGEST_NAME} characters.")
    return value


async def create(conn: Conn, core: Core, ctx: Context, share: Row, data: Row) -> Row:
    """Queue a backup of ``share``, which must be locked; the backup.

    Args:
        data: ``name``, ``description`` and ``backup_options`` of the request, unchecked.

    Raises:
        ShareBusyException, InvalidShare: the share's state or protocol forbids it.
        ShareBackupSizeExceedsAvailableQuota, BackupLimitExceeded: 413. Fault: 400.
    """
    share_id, default = share["id"], core.settings.default
    rules.require_idle(share)
    await _require_fit(conn, share)
    names = {f"display_{field}": checked_text(data, field) for field in ("name", "description")}
    await _take_quota(conn, core, ctx, share["size"])
    given: Json = data.get("backup_options")
    if not given:
        _require_protocol(core, share)
    options = _options(given)
    kind = _backup_type(options)
    topic = default.share_topic if options else default.data_topic
    newest = await rows.newest_of_driver(conn, share_id, default.share_topic) if kind else None
    if newest is not None and newest["backup_type"] != kind:
        raise Fault(
            400,
            f"Share '{share['display_name']}' has existing backups with backup_type: '{newest['backup_type']}'. You "
            "must delete these backups to schedule a backup with a different backup_type, or re-use the same "
            "backup_type.",
        )
    host = backend_of(share["host"]) if options else None
    backup = await rows.create(
        conn,
        {
            **names, "share_id": share_id, "user_id": ctx.user_id, "project_id": ctx.project_id, "progress": "0",
            "restore_progress": "0", "status": "creating", "size": share["size"], "backup_type": kind,
            "availability_zone_id": share["availability_zone_id"],
        },
    )  # fmt: skip
    # a change of its own, as in the original: the answer has no topic, and what is read afterwards was changed
    await rows.change(conn, backup["id"], {"topic": topic, "host": host})
    await shares.set_status(conn, share["instance_id"], "backup_creating", ["available"])
    about = {"backup_id": backup["id"], "share_id": share_id, "instance_id": share["instance_id"]}
    if options:
        await enqueue(conn, BackupCreate(**about, options=options), share["host"], request_id=ctx.request_id)
    else:
        await enqueue(conn, DataBackupCreate(**about), DATA, request_id=ctx.request_id)
    return {**backup, "host": host, "availability_zone": share["availability_zone"]}


async def _require_fit(conn: Conn, share: Row) -> None:
    share_id = share["id"]
    if share["status"] != "available":
        raise InvalidShare(
            f"Share {share_id} is in '{share['status']}' state, but it must be in 'available' state to create a backup."
        )
    if (await share_changes.dependents(conn, share_id, "delete"))["snapshots"]:
        raise InvalidShare(f"Cannot backup share {share_id} while it has snapshots.")
    if share["has_replicas"]:
        raise InvalidShare(f"Cannot backup share {share_id} while it has replicas.")


async def _take_quota(conn: Conn, core: Core, ctx: Context, size: int) -> None:
    project_id, user_id = str(ctx.project_id), str(ctx.user_id)
    limits = await quotas.limits_for(conn, core, project_id, user_id)
    try:
        await usage.reserve(conn, project_id, user_id, {"backups": 1, "backup_gigabytes": size}, limits)
    except usage.OverQuota as error:
        if "backup_gigabytes" in error.overs:
            used = error.usages["backup_gigabytes"]
            raise ShareBackupSizeExceedsAvailableQuota(
                requested=size, consumed=used["in_use"] + used["reserved"], quota=error.quotas["backup_gigabytes"]
            ) from error
        raise BackupLimitExceeded(allowed=error.quotas["backups"]) from error


def _require_protocol(core: Core, share: Row) -> None:
    """Raise InvalidShare for a share that the data service can't back up."""
    protocols = list(core.settings.default.data_manager_backup_supported_share_protocols)
    if share["share_proto"].upper() not in [one.upper() for one in protocols]:
        raise InvalidShare(
            f"Cannot backup share {share['id']}. The generic approach for share backups only supports the following "
            f"protocols: {protocols}."
        )


def _options(options: Json) -> Row:
    """What the back end is to be told; empty for a backup by the data service. Raises Fault 400."""
    if options is None:
        return {}
    if not isinstance(options, dict) or not options:
        raise Fault(400, "'backup_options' must be an object with at least one entry.")
    return options


def _backup_type(options: Row) -> str | None:
    kind = kept_text(options.get("backup_type"))
    if kind is not None and (not isinstance(kind, str) or len(kind) > LONGEST_TYPE or "\0" in kind):
        raise Fault(400, f"'backup_type' must be a text of at most {LONGEST_TYPE} characters.")
    return kind


async def delete(conn: Conn, core: Core, ctx: Context, backup: Row) -> None:
    """Queue the removal of ``backup``, which must be locked. Raises InvalidBackup: it is at work."""
    if backup["status"] not in REMOVABLE:
        raise InvalidBackup(reason=f"Backup {backup['id']} status must be available or error.")
    await rows.change(conn, backup["id"], {"status": "deleting"}, REMOVABLE)
    about = {
        "backup_id": backup["id"], "share_id": backup["share_id"],
        "instance_id": await rows.instance_of(conn, backup["share_id"]),
    }  # fmt: skip
    if backup["topic"] == core.settings.default.share_topic:
        await enqueue(conn, BackupDelete(**about), backup["host"], request_id=ctx.request_id)
    else:
        await enqueue(conn, DataBackupDelete(**about), DATA, request_id=ctx.request_id)


async def restore(conn: Conn, core: Core, ctx: Context, backup: Row, target_id: Json) -> Row:
    """Queue the restore of ``backup``, which must be locked; ``backup_id`` and ``share_id`` for the answer.

    Args:
        target_id: the share that is overwritten, as sent; None for the one that the backup was made of.

    Raises:
        Fault: 400 for a target that is no text.
        InvalidBackup, InvalidShare: a state or size forbids it. NotFound, PolicyNotAuthorized: the share is not the
        requester's; a public one may be seen but not be overwritten.
    """
    if backup["status"] != "available":
        raise InvalidBackup(reason=f"Backup {backup['id']} status must be available.")
    if target_id is not None and not isinstance(target_id, str):
        raise Fault(400, "'restore' must be the id of a share, or null.")
    share = await rules.get(conn, ctx, target_id or backup["share_id"], lock=True, to_change=True)
    if share["status"] != "available":
        raise InvalidShare(reason="Share to be restored to must be available.")
    if backup["size"] > share["size"]:
        raise InvalidShare(
            reason=f"Share size {share['size']} is too small to restore backup of size {backup['size']}."
        )
    await rows.change(conn, backup["id"], {"status": "restoring"}, ["available"])
    await shares.set_share(conn, share["id"], source_backup_id=backup["id"])
    await shares.set_status(conn, share["instance_id"], "backup_restoring", ["available"])
    about = {"backup_id": backup["id"], "share_id": share["id"], "instance_id": share["instance_id"]}
    if backup["topic"] == core.settings.default.share_topic:
        await enqueue(conn, BackupRestore(**about), backup["host"], request_id=ctx.request_id)
    else:
        await enqueue(conn, DataBackupRestore(**about), DATA, request_id=ctx.request_id)
    return {"backup_id": backup["id"], "share_id": share["id"]}
