"""Actions on share types: give a private one to a project, or take it back."""

from __future__ import annotations

from db import share_types as rows
from generated.errors import ShareTypeAccessExists, ShareTypeAccessNotFound, ShareTypeNotFound
from handlers.type_access import TypeAccess, without_id

_ACCESS = TypeAccess(
    get=rows.get,
    grant=rows.grant,
    revoke=rows.revoke,
    bad_project=lambda project: f"Bad project format: project is not in proper format ({project})",
    public="Type access modification is not applicable to public share type.",
    missing=lambda type_id: ShareTypeNotFound(share_type_id=type_id),
    exists=lambda type_id, project: ShareTypeAccessExists(share_type_id=type_id, project_id=project),
    absent=lambda type_id, project: ShareTypeAccessNotFound(share_type_id=type_id, project_id=project),
)
addProjectAccess, removeProjectAccess = _ACCESS.add, _ACCESS.remove
create = delete = update = without_id
