"""How the data service reaches a share: what its driver says, or what the back end's options say for all drivers."""

from __future__ import annotations

from db.connection import Row
from generated.errors import ShareDataCopyFailed
from worker.operation import Work


async def connection(work: Work, share: Row, server: Row | None) -> Row:
    """``export``, ``proto``, ``mount`` and ``unmount`` (templates of commands) and ``access_mapping``.

    ``access_mapping`` is type of access -> protocols. The path that only administrators see comes before the others.

    Raises:
        ShareDataCopyFailed: the share has no export.
    """
    paths = sorted(share["export_locations"], key=lambda one: not one["is_admin_only"])
    if not paths:
        raise ShareDataCopyFailed(reason=f"share instance {share['id']} has no export")
    place = {"export": paths[0]["path"], "proto": share["share_proto"].lower()}
    try:
        return place | dict(await work.driver.connection_get_info(share, server))
    except NotImplementedError:
        section = work.on_backend.section
    mapping: dict[str, list[str]] = {}
    for kind, protocols in section.protocol_access_mapping:
        if place["proto"] in [one.strip().lower() for one in protocols.strip("[] ").split(",")]:
            mapping.setdefault(kind, []).append(place["proto"])
    return place | {
        "mount": section.share_mount_template,
        "unmount": section.share_unmount_template,
        "access_mapping": mapping,
    }
