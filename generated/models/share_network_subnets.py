"""Request bodies of ``share_network_subnets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, Field


class ShareNetworkSubnetCreateV251(BaseModel):
    availability_zone: str | None = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None


class ShareNetworkSubnetCreateV278(BaseModel):
    availability_zone: str | None = None
    metadata: dict[str, str] | None = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None


class ShareNetworkSubnetCreateRequestV251(BaseModel):
    share_network_subnet: Annotated[ShareNetworkSubnetCreateV251, Field(alias="share-network-subnet")]


class ShareNetworkSubnetCreateRequestV278(BaseModel):
    share_network_subnet: Annotated[ShareNetworkSubnetCreateV278, Field(alias="share-network-subnet")]
