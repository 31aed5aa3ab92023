"""Actions on share group types: give a private one to a project, or take it back."""

from __future__ import annotations

from db import share_group_types as rows
from generated.errors import ShareGroupTypeAccessExists, ShareGroupTypeAccessNotFound, ShareGroupTypeNotFound
from handlers.type_access import TypeAccess, without_id

_ACCESS = TypeAccess(
    get=rows.get,
    grant=rows.grant,
    revoke=rows.revoke,
    bad_project=lambda project: f"Project value ({project}) must be in uuid format.",
    public="Type access modification is not applicable to public share group type.",
    missing=lambda type_id: ShareGroupTypeNotFound(type_id=type_id),
    exists=lambda type_id, project: ShareGroupTypeAccessExists(type_id=type_id, project_id=project),
    absent=lambda type_id, project: ShareGroupTypeAccessNotFound(type_id=type_id, project_id=project),
)
addProjectAccess, removeProjectAccess = _ACCESS.add, _ACCESS.remove
create = delete = without_id
