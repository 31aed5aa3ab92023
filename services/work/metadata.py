"""Work on metadata that drivers act upon."""

from __future__ import annotations

import dataclasses

from services.work.servers import ServerJob
from services.work.shares import ShareJob


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMetadataUpdate(ShareJob):
    """Tell the driver of items of a share's metadata."""

    KIND = "share_metadata_update"
    metadata: dict[str, str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class SubnetMetadataUpdate(ServerJob):
    """Tell the driver of items of the metadata of a subnet that a share server is on."""

    KIND = "subnet_metadata_update"
    network_id: str
    subnet_id: str
    metadata: dict[str, str]
