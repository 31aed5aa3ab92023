"""The query of a list of shares: which parameters count at which version and for whom."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from db.share_lists import SORT_KEYS
from generated.errors import InvalidInput
from generated.microversions import (
    ENCRYPTION_KEYS,
    EXPORT_LOCATION_FILTERS,
    LIKE_FILTERS,
    RECYCLE_BIN,
    SHARE_COUNT,
    ZONE_FILTER,
)
from generated.runtime import Fault, Row
from services.context import Context
from services.values import is_uuid_like, query_bool, strict_bool

_SINCE = {
    "export_location_id": EXPORT_LOCATION_FILTERS, "export_location_path": EXPORT_LOCATION_FILTERS,
    "name~": LIKE_FILTERS, "description~": LIKE_FILTERS, "description": LIKE_FILTERS, "is_soft_deleted": RECYCLE_BIN,
    "encryption_key_ref": ENCRYPTION_KEYS, "availability_zone": ZONE_FILTER,
}  # fmt: skip
_RENAMED = {
    "name": "display_name", "description": "display_description", "name~": "display_name~",
    "description~": "display_description~",
}  # fmt: skip
_FOR_ALL = frozenset(
    (
        "display_name", "status", "share_server_id", "share_type_id", "snapshot_id", "host", "share_network_id",
        "is_public", "metadata", "extra_specs", "share_group_id", "export_location_id", "export_location_path",
        "display_name~", "display_description~", "display_description", "limit", "offset", "is_soft_deleted",
        "mount_point_name", "availability_zone", "marker",
    )
)  # fmt: skip
_FILTERS = (
    "display_name", "share_group_id", "display_name~", "display_description", "display_description~", "snapshot_id",
    "status", "share_type_id", "export_location_id", "export_location_path", "host", "share_network_id",
    "is_soft_deleted", "mount_point_name", "encryption_key_ref",
)  # fmt: skip
LARGEST_QUERY_LITERAL = 4096


@dataclass(slots=True)
class Search:
    """A query that was read. ``check`` applies the policies; it must run before the search."""

    filters: Row = field(default_factory=dict)
    sort_key: str = "created_at"
    descending: bool = True
    limit: int | None = None
    offset: int = 0
    marker: str | None = None
    with_count: bool = False
    zone: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    sort: tuple[str, str] = ("created_at", "desc")

    @property
    def zone_is_id(self) -> bool:
        return is_uuid_like(self.zone)

    def check(self, ctx: Context) -> None:
        """Policies and the parameters that depend on them.

        Raises:
            PolicyNotAuthorized: 403, the filter is not for the requester. InvalidInput: 400.
        """
        for name, text in (("metadata", "metadata"), ("extra_specs", "extra specs")):
            if name not in self.options:
                continue
            if name == "extra_specs":
                ctx.enforce("share_types_extra_spec:index")
            self.filters[name] = _mapping(self.options[name], text)
        self._check_sort()
        is_public = _flag("is_public", self.options.get("is_public", False))
        deferred = ctx.allows("share:list_shares_in_deferred_deletion_states")
        if not deferred and "deferred" in self.filters.get("status", ""):
            ctx.enforce("share:list_shares_in_deferred_deletion_states")
        self.filters["deferred"] = deferred
        everybody = _all_tenants(self.options) and ctx.allows("share:list_all_projects")
        if "host" in self.filters:
            ctx.enforce("share:list_by_host")
        self._scope(ctx, everybody, is_public)

    def _scope(self, ctx: Context, everybody: bool, is_public: bool) -> None:
        if "share_server_id" in self.options:
            ctx.enforce("share:list_by_share_server_id")
            self.filters["share_server_id"] = self.options["share_server_id"]
        elif everybody:
            if "project_id" in self.options and not self.with_count:
                self.filters["project_id"] = self.options["project_id"]
        else:
            self.filters |= {"project_id": ctx.project_id, "is_public": is_public}

    def _check_sort(self) -> None:
        key, direction = self.sort
        if not key:
            raise InvalidInput(reason=f"Wrong sort_key filter provided: '{key}'.")
        if not direction:
            raise InvalidInput(reason=f"Wrong sort_dir filter provided: '{direction}'.")
        if direction.lower() not in ("asc", "desc"):
            raise InvalidInput(
                reason=f"Wrong sorting data provided: sort key is '{key}' and sort direction is '{direction}'."
            )
        if key not in SORT_KEYS:
            raise InvalidInput(reason=f"Wrong sorting key provided - '{key}'.")
        self.sort_key, self.descending = key, direction.lower() == "desc"


def read_search(ctx: Context, query: Mapping[str, str], version: int, *, count_always: bool) -> Search:
    """Read the parameters of a list.

    Args:
        count_always: ``with_count`` is read at every version (it is for the detailed list).

    Raises:
        Fault: 400, a parameter has the wrong form.
    """
    options: dict[str, Any] = {
        key: value.replace("\0", "") for key, value in query.items() if version >= _SINCE.get(key, 0)
    }
    if not count_always and version < SHARE_COUNT:
        options.pop("with_count", None)
    offset, limit = _number(options, "offset"), _number(options, "limit")
    for name, value in (("limit", limit), ("offset", offset)):
        if value is not None and value < 0:
            raise Fault(400, f"{name} param must be positive")
    search = Search(limit=limit, offset=(offset or 0) if limit is not None else 0)
    search.sort = (options.pop("sort_key", "created_at"), options.pop("sort_dir", "desc"))
    search.sort = ("display_name" if search.sort[0] == "name" else search.sort[0], search.sort[1])
    if "with_count" in options:
        search.with_count = query_bool("with_count", options.pop("with_count"))
    if "is_soft_deleted" in options:
        options["is_soft_deleted"] = query_bool("is_soft_deleted", options["is_soft_deleted"])
    for name in ("metadata", "extra_specs"):
        if name in options:
            options[name] = _literal(name, options[name])
    options = {_RENAMED.get(key, key): value for key, value in options.items()}
    if not ctx.is_admin:
        options = {key: value for key, value in options.items() if key in _FOR_ALL}
    search.marker = options.get("marker") or None
    search.zone = options.get("availability_zone")
    search.filters = {"is_soft_deleted": False, **{key: options[key] for key in _FILTERS if key in options}}
    search.options = options
    return search


def unread(version: int, *, count_always: bool) -> list[str]:
    """The parameters that a version of the list does not have."""
    names = [name for name, since in _SINCE.items() if version < since]
    return names if count_always or version >= SHARE_COUNT else [*names, "with_count"]


def _number(options: Mapping[str, Any], name: str) -> int | None:
    if name not in options:
        return None
    try:
        return min(int(options[name]), 2**63 - 1)
    except ValueError:
        raise Fault(400, f"{name} param must be an integer") from None


def _literal(name: str, text: str) -> Any:
    try:
        if len(text) > LARGEST_QUERY_LITERAL:
            raise ValueError
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Fault(400, f"Invalid value for {name} filter.") from None


def _mapping(value: Any, name: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise InvalidInput(reason=f"Wrong {name} filter provided: {value}.")
    return {str(key).replace("\0", ""): str(item).replace("\0", "") for key, item in value.items()}


def _flag(name: str, value: Any) -> bool:
    try:
        return strict_bool(value)
    except ValueError as error:
        raise Fault(400, f"Invalid value for {name}: {error}") from None


def _all_tenants(options: Mapping[str, Any]) -> bool:
    """An empty value means yes."""
    if not options.get("all_tenants"):
        return "all_tenants" in options
    try:
        return strict_bool(options["all_tenants"])
    except ValueError as error:
        raise InvalidInput(str(error)) from None
