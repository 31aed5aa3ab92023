"""What is mounted where for a backup: the share by its export location, and the backup export."""

from __future__ import annotations

import os
import pathlib

from generated.errors import ShareDataCopyFailed
from generated.runtime import Row
from generated.settings import Settings
from worker.data.mounts import Place


def of_share(settings: Settings, share: Row) -> Place:
    """A share, as drivers know it; by the export location for administrators if it has one.

    Raises:
        ShareDataCopyFailed: it is not exported.
    """
    locations = sorted(share["export_locations"], key=lambda one: not one["is_admin_only"])
    if not locations:
        raise ShareDataCopyFailed(reason=f"share instance {share['id']} has no export location")
    default, protocol = settings.default, share["share_proto"].lower()
    options = {name.lower(): value for name, value in default.data_node_mount_options}
    return Place(
        export=locations[0]["path"],
        path=pathlib.Path(default.mount_tmp_location) / share["id"],
        mount=default.backup_share_mount_template,
        unmount=default.backup_share_unmount_template,
        proto=protocol,
        options=options.get(protocol, ""),
    )


def of_backup(settings: Settings, backup_id: str) -> Place:
    """The backup export, under a mount point of this backup's own. Raises ShareDataCopyFailed: there is none."""
    default = settings.default
    if not default.backup_mount_export:
        raise ShareDataCopyFailed(reason="backup_mount_export is not set")
    return Place(
        export=default.backup_mount_export,
        path=pathlib.Path(default.backup_mount_tmp_location) / backup_id,
        mount=default.backup_mount_template,
        unmount=default.backup_unmount_template,
        proto=default.backup_mount_proto,
        options=default.backup_mount_options,
    )


def folder_of(backup_id: str, export: Place) -> pathlib.Path:
    """Where a backup is on the mounted export: a folder for the data service alone."""
    return export.path / backup_id


def tree_of(folder: pathlib.Path) -> pathlib.Path:
    """Where the files of a backup are: its one sub-folder of the same name, which has the share's owner and mode.

    A backup of an earlier release, or of the original, has its files in ``folder`` itself, which is answered then.
    """
    inner = folder / folder.name
    return inner if os.listdir(folder) == [folder.name] and inner.is_dir() and not inner.is_symlink() else folder
